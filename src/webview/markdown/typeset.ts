/**
 * TeX as MathML elements. Loaded only when the first formula is shown. Temml builds a tree of values; of that we take over what is
 * listed here and make elements of it, never markup. Nothing in a formula leads anywhere, loads anything or runs for long.
 */
import { Fragment, h, type ComponentChild } from 'preact';
import temml from 'temml';

/** A formula beyond these is shown as its source. */
const mostNodes = 6_000;
const deepest = 120;

const elements = new Set([
  ...['math', 'mrow', 'mi', 'mn', 'mo', 'mtext', 'mspace', 'mstyle', 'mpadded', 'mphantom', 'menclose'],
  ...['mfrac', 'msqrt', 'mroot', 'msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover'],
  ...['mmultiscripts', 'mprescripts', 'none', 'mtable', 'mtr', 'mtd', 'semantics', 'annotation'],
]);

const attributes = new Set([
  ...['accent', 'accentunder', 'columnalign', 'columnspan', 'depth', 'display', 'displaystyle', 'encoding'],
  ...['fence', 'form', 'height', 'largeop', 'linethickness', 'lspace', 'mathvariant', 'maxsize', 'minsize'],
  ...['movablelimits', 'notation', 'rowspacing', 'rspace', 'scriptlevel', 'separator', 'stretchy'],
  ...['symmetric', 'voffset', 'width'],
]);

const styles = new Set([
  ...['color', 'backgroundColor', 'width', 'height', 'padding', 'paddingLeft', 'paddingRight', 'paddingTop'],
  ...['paddingBottom', 'border', 'borderTop', 'borderBottom', 'borderLeft', 'borderRight', 'borderColor'],
  ...['textAlign', 'verticalAlign', 'math-depth', 'fontSize', 'fontWeight', 'fontStyle', 'margin'],
  ...['marginLeft', 'marginRight', 'whiteSpace', 'display'],
]);

/** The formula, or undefined when its source does not say one, or one too large. */
export function typeset(tex: string, display: boolean): ComponentChild {
  try {
    const tree: unknown = temml.__renderToMathMLTree(tex, {
      displayMode: display,
      throwOnError: true,
      // A long formula in a line may be broken behind its signs.
      wrap: display ? 'none' : 'tex',
      trust: false,
      // In the text's size and in points.
      maxSize: [20, 200],
      // Definitions multiply text; what ships with Temml does not.
      maxExpand: /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)\b/.test(tex) ? 100 : 500,
    });
    return childElement(tree, 0, 0, { nodes: 0 });
  } catch {
    // It reports what it can't read by throwing, and what is nested too deep exceeds the stack.
    return undefined;
  }
}

interface Count {
  nodes: number;
}

/** Throws on anything that is not listed above. */
function childElement(node: unknown, index: number, depth: number, count: Count): ComponentChild {
  count.nodes += 1;
  if (typeof node !== 'object' || node === null || count.nodes > mostNodes || depth > deepest) {
    throw new Error('not to be shown');
  }
  if ('text' in node && typeof node.text === 'string') {
    if (turning.test(node.text)) throw new Error('not to be shown');
    return asPlain(node.text);
  }
  const children =
    'children' in node && Array.isArray(node.children)
      ? node.children.map((child, at) => childElement(child, at, depth + 1, count))
      : [];
  if (!('type' in node)) {
    // A fragment, of formulas between which a line may be broken. An address or a picture has no children to show here.
    if ('href' in node || 'src' in node) throw new Error('not to be shown');
    return h(Fragment, { key: index }, children);
  }
  const { type } = node;
  if (typeof type !== 'string' || !elements.has(type)) throw new Error('not to be shown');
  let classes = 'classes' in node && Array.isArray(node.classes) ? node.classes.join(' ').trim() : '';
  const letter = type === 'mi' ? letterClass(node) : '';
  if (letter !== '') classes = `${classes} ${letter}`.trim();
  const style = listed('style' in node ? node.style : undefined, styles);
  return h(
    type,
    {
      key: index,
      ...listed('attributes' in node ? node.attributes : undefined, attributes),
      ...(letter !== '' && { mathvariant: 'normal' }),
      ...(classes !== '' && { class: classes }),
      ...(Object.keys(style).length > 0 && { style }),
    },
    children,
  );
}

/** Of these only the names that are known, with values that name sizes, colours and words. */
function listed(values: unknown, names: ReadonlySet<string>): Record<string, string> {
  if (typeof values !== 'object' || values === null) return {};
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const text = String(value);
    if (!names.has(name) || !/^[\w#%., /+-]{0,100}$/.test(text)) continue;
    if (isFar(text)) throw new Error('not to be shown');
    taken[name] = text;
  }
  return taken;
}

/** No space or shift of a formula is as large, in any of the units; it would only hide what stands around. Weights of letters are. */
const farthest = 100;

function isFar(value: string): boolean {
  return [...value.matchAll(/(\d+(?:\.\d*)?|\.\d+)(?:e\+?(\d+))?\s*(em|ex|px|pt|rem|vw|vh)/gi)].some(
    ([, size, power = '0', unit = '']) =>
      Number(`${size}e${power}`) > (/^p/i.test(unit) ? farthest * 10 : farthest),
  );
}

/** They change the order in which what stands around is read. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Letters of the mathematical alphabets, which come apart from the usual ones. */
const mathLetter = /[\u{1d400}-\u{1d7ff}]/gu;

/** Where the system has no font with such a letter, which would be drawn as nothing, the usual one stands for it. */
function asPlain(text: string): string {
  return text.replace(mathLetter, (letter) => (isDrawn(letter) ? letter : letter.normalize('NFKC')));
}

/** A browser takes the slanted letter of the mathematical alphabet for a single one: an x, which few systems with any have not. */
function hasSlanted(): boolean {
  return isDrawn('\u{1d465}');
}

/** How a letter looks that stands for another one. Single ones are slanted, names of functions and what is said to be upright are not. */
function letterClass(node: object): string {
  const [child] = 'children' in node && Array.isArray(node.children) ? (node.children as unknown[]) : [];
  const text = typeof child === 'object' && child !== null && 'text' in child ? String(child.text) : '';
  if (asPlain(text) !== text) return 'letter-bold';
  const { attributes: given } = { attributes: {}, ...node };
  const isUpright = typeof given === 'object' && given !== null && 'mathvariant' in given;
  return /^[\p{L}∂∇]$/u.test(text) && !isUpright && !hasSlanted() ? 'letter-slanted' : '';
}

/** By letter. */
const drawn = new Map<string, boolean>();

function isDrawn(letter: string): boolean {
  // Without a page there is nothing to see.
  if (typeof document === 'undefined') return true;
  let is = drawn.get(letter);
  if (is === undefined) {
    const seen = inkOf(letter);
    is = seen.includes('1') && seen !== inkOf('\u{10fffd}');
    drawn.set(letter, is);
  }
  return is;
}

/** A 1 for each point that is not empty. */
function inkOf(text: string): string {
  const canvas = document.createElement('canvas');
  canvas.width = 32;
  canvas.height = 32;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return '1';
  const fonts = getComputedStyle(document.documentElement).getPropertyValue('--formula-font');
  context.font = `20px ${fonts}`;
  context.fillText(text, 4, 24);
  const { data } = context.getImageData(0, 0, 32, 32);
  return Array.from(data, (value, index) => (index % 4 === 3 ? (value > 0 ? '1' : '0') : '')).join('');
}
