/** Rules of the style sheet: colours come from the theme alone, and nothing is shown only to those who have a pointer. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../media/chat.css', import.meta.url));
const css = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, (comment) =>
  comment.replaceAll(/\S/g, ' '),
);

interface Declaration {
  readonly selector: string;
  readonly property: string;
  readonly value: string;
}

/** All of them, with the selector that stands right around. */
function declarations(text: string): Declaration[] {
  const open: string[] = [];
  const found: Declaration[] = [];
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(/[{};]/g)) {
    const words = text.slice(from, index).trim().replaceAll(/\s+/g, ' ');
    from = index + 1;
    const colon = words.indexOf(':');
    if (mark === '{') open.push(words);
    else if (colon > 0)
      found.push({
        selector: open.at(-1) ?? '',
        property: words.slice(0, colon).trim(),
        value: words.slice(colon + 1).trim(),
      });
    if (mark === '}') open.pop();
  }
  return found;
}

/** Words of CSS that name a colour and are none of a theme's. */
const named =
  /(?<![\w-])(?:white|black|gr[ae]y|silver|red|maroon|orange|yellow|gold|green|lime|teal|blue|navy|purple|pink|brown|cyan|magenta)(?![\w-])/i;
const literal = /#[\da-f]{3,8}\b|(?<![\w-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i;

/** In a mask black is what stays, whatever the theme. */
function isOfColour({ property }: Declaration): boolean {
  return property !== 'mask-image';
}

function literalColours(text: string): string[] {
  return (
    declarations(text)
      .filter((one) => isOfColour(one))
      // The names of variables hold names of colours.
      .map((one) => ({ ...one, bare: one.value.replaceAll(/--[\w-]+/g, '') }))
      .filter(({ bare }) => literal.test(bare) || named.test(bare))
      .map(({ selector, property, value }) => `${selector} { ${property}: ${value} }`)
  );
}

/** What changes whether something is there, and not how it looks. */
const ofBeing = ['display', 'visibility', 'opacity', 'content', 'clip-path', 'pointer-events'];

function shownByHover(text: string): string[] {
  return declarations(text)
    .filter(({ selector, property }) => selector.includes(':hover') && ofBeing.includes(property))
    .map(({ selector, property }) => `${selector} { ${property} }`);
}

describe('the style sheet', () => {
  it('has no colour but the theme’s', () => {
    assert.deepEqual(
      literalColours('a { color: #fff; background: rgb(1 2 3); border: 1px solid red }').length,
      3,
    );
    assert.deepEqual(literalColours('a { color: var(--vscode-charts-red, currentColor) }'), []);
    assert.ok(declarations(css).length > 500);
    assert.deepEqual(literalColours(css), []);
  });

  it('shows nothing on hover that is not there without it', () => {
    assert.deepEqual(shownByHover('a:hover { opacity: 1; color: inherit }'), ['a:hover { opacity }']);
    assert.deepEqual(shownByHover(css), []);
  });

  it('has no rule that styles all around an element anew when one comes', () => {
    const selectors = new Set(declarations(css).flatMap(({ selector }) => selector.split(',')));
    assert.ok([...selectors].some((selector) => selector.includes(' + ')));
    assert.deepEqual(
      [...selectors].filter((selector) => /[+~] ?\*/.test(selector)),
      [],
    );
  });

  it('lets nothing move that does not ask whether it may', () => {
    const moving = [
      ...css.matchAll(/@media \(prefers-reduced-motion: no-preference\) \{([\s\S]*?)\n\}/g),
    ].map(([, inside = '']) => inside);
    const all = declarations(css).filter(
      ({ property, value }) =>
        /^(?:transition|animation)$/.test(property) &&
        !value.startsWith('none') &&
        value !== 'more linear both',
    );
    const asking = moving.flatMap((inside) =>
      declarations(inside).filter(({ property }) => /^(?:transition|animation)$/.test(property)),
    );
    assert.ok(all.length > 0);
    assert.equal(all.length, asking.length, all.map(({ selector }) => selector).join(', '));
    // VS Code has a setting of its own for it.
    for (const { selector } of asking) assert.match(selector, /^body:not\(\.vscode-reduce-motion\)/);
  });
});
