/**
 * Finds in the sources what people get to read: the texts that are given to a translator, and those that were forgotten. Reads the
 * syntax tree of what esbuild makes of a file, so that neither line breaks nor quotes nor JSX can hide a text from it. Must not know
 * any translation.
 */
import * as acorn from 'acorn';
import esbuild from 'esbuild';

export interface ShownText {
  /** The English text, which is the key of its translations. */
  readonly text: string;
  readonly file: string;
}

export interface Forgotten {
  readonly file: string;
  readonly rule: 'no literal' | 'l10n by another way' | 'values' | 'untranslated' | 'format';
  /** What stands there, shortened. */
  readonly what: string;
}

export interface Found {
  readonly shown: readonly ShownText[];
  readonly forgotten: readonly Forgotten[];
}

interface Node extends acorn.Node {
  readonly [key: string]: unknown;
}

/** Properties of elements, of parts of the panel and of VS Code's own widgets whose value is read by people. */
const shownProperties: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'caption',
  'children',
  'description',
  'hint',
  'label',
  'openLabel',
  'placeHolder',
  'placeholder',
  'prompt',
  'saveLabel',
  'summary',
  'title',
  'tooltip',
]);

/** Functions whose arguments are read or heard by people. */
const tells = /(?:^|\.)(?:announce|say|setStatusBarMessage|show(?:Information|Warning|Error)Message)$/;

/** Where text goes that nobody who uses the panel reads: the log, names of work that the log tells, errors that are caught, names of what is kept. */
const unheard =
  /(?:^|\.)#?(?:log\.\w+|channel\.\w+|inOrder|coded|fail|includes|startsWith)$|^(?:super|useKept|useKeptPlace)$|Error$/;

/** Two words after each other, or a word that begins or ends as a sentence does. */
const prose = /^(?![.#[])[\s\S]*\p{L}{2,}[.,:;…’)]?\s+[\p{L}(“]|^\p{Lu}\p{Ll}+[.…]?$/u;

/** What is the same in every language, and names of keys in events. */
const names: ReadonlySet<string> = new Set([
  'Kimi Chat',
  'evolink.ai/dashboard/keys',
  'Enter',
  'Escape',
  'Shift',
  'Tab',
]);

/** @param forOthers files that speak to somebody else too, as to the model: their sentences are taken only where people surely read them */
export function textsIn(file: string, source: string, forOthers: ReadonlySet<string> = new Set()): Found {
  const shown: ShownText[] = [];
  const forgotten: Forgotten[] = [];
  const { code } = esbuild.transformSync(source, {
    loader: file.endsWith('.tsx') ? 'tsx' : 'ts',
    format: 'esm',
    target: 'esnext',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const written = (node: Node): string => code.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
  const missed = (rule: Forgotten['rule'], what: string): void => {
    forgotten.push({ file, rule, what: what.length > 100 ? `${what.slice(0, 100)}…` : what });
  };
  const reported = new Set<Node>();
  const missedText = (node: Node, text: string): void => {
    if (reported.has(node) || names.has(text.trim())) return;
    reported.add(node);
    missed('untranslated', text);
  };

  /** Of a value that people read: texts in it that came by no translation. */
  const judgeShown = (value: Node | null): void => {
    for (const leaf of leavesOf(value)) {
      const text = textOf(leaf);
      // The names of icons are drawn, not read.
      if (text !== undefined && /\p{L}/u.test(text.replaceAll(/\$\([\w~-]+\)/g, ''))) missedText(leaf, text);
    }
  };

  const judgeCall = (call: Node, callee: Node, path: readonly Node[]): void => {
    const values = call['arguments'] as readonly Node[];
    const name = written(callee);
    if (tells.test(name)) for (const value of values) judgeShown(value);
    if (/\.toLocale(?:Date|Time)?String$/.test(name) && values.length === 0) missed('format', written(call));
    if (!/(?:^|\.)l10n\.t$/.test(name)) return;
    const [first, ...filled] = values;
    const text = first && textOf(first);
    if (text === undefined || first?.type === 'TemplateElement') {
      missed('no literal', written(call));
      return;
    }
    shown.push({ text, file });
    const outer = path.at(-1);
    const byPieces = outer?.type === 'CallExpression' && written(outer['callee'] as Node) === 'pieces';
    const given = byPieces ? (outer['arguments'] as readonly Node[]).slice(1) : filled;
    if (given.some(({ type }) => type === 'SpreadElement')) return;
    const wanted = placesOf(text);
    if (wanted.join() !== given.map((_, index) => `{${index}}`).join()) {
      missed('values', `${text} with ${given.length}`);
    }
  };

  const visit = (node: Node, path: readonly Node[]): void => {
    const text = textOf(node);
    const outer = path.at(-1);
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return;
      case 'CallExpression':
        judgeCall(node, node['callee'] as Node, path);
        break;
      case 'NewExpression': {
        const made = /^Intl\.(?!Segmenter\b)\w+$/.exec(written(node['callee'] as Node));
        const [locale] = node['arguments'] as readonly Node[];
        if (made && !(locale && /^(?:l10n\.locale|vscode\.env\.language)$/.test(written(locale)))) {
          missed('format', written(node));
        }
        break;
      }
      case 'Property':
        if (shownProperties.has(keyOf(node)) && outer?.type === 'ObjectExpression') {
          judgeShown(node['value'] as Node);
        }
        if (keyOf(node) === 'text' && outer && isNotice(outer)) judgeShown(node['value'] as Node);
        break;
      case 'AssignmentExpression': {
        const name = /\.(\w+)$/.exec(written(node['left'] as Node))?.[1];
        if (name !== undefined && shownProperties.has(name)) judgeShown(node['right'] as Node);
        break;
      }
      case 'Identifier':
        if (node['name'] === 'l10n' && !isPlainUse(node, path, written)) {
          missed('l10n by another way', written(outer ?? node));
        }
        break;
      default:
    }
    if (
      text !== undefined &&
      prose.test(text) &&
      !forOthers.has(file) &&
      !isOutOfSight(node, path, written)
    ) {
      missedText(node, text);
    }
    for (const inner of childrenOf(node)) visit(inner, [...path, node]);
  };
  visit(acorn.parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as Node, []);
  return { shown, forgotten };
}

/** `{0}`, `{1}` … of a text, each once, in the order of their numbers. */
export function placesOf(text: string): string[] {
  return [...new Set(text.match(/\{\d+\}/g))].toSorted();
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(
      (value): value is Node =>
        typeof value === 'object' && value !== null && 'type' in value && 'start' in value,
    );
}

function keyOf(property: Node): string {
  const key = property['key'] as Node;
  return String(key['name'] ?? key['value']);
}

/** Of a string, or of a piece of a template. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateElement') return (node['value'] as { cooked?: string }).cooked;
  if (node.type !== 'TemplateLiteral') return undefined;
  const [only, ...more] = node['quasis'] as readonly Node[];
  return only && more.length === 0 ? textOf(only) : undefined;
}

/** What a value can be, as far as it is written right there. */
function leavesOf(value: Node | null): Node[] {
  switch (value?.type) {
    case 'Literal':
      return [value];
    case 'TemplateLiteral':
      return [...(value['quasis'] as Node[]), ...(value['expressions'] as Node[]).flatMap(leavesOf)];
    case 'ConditionalExpression':
      return [...leavesOf(value['consequent'] as Node), ...leavesOf(value['alternate'] as Node)];
    case 'BinaryExpression':
      if (value['operator'] !== '+') return [];
      return [...leavesOf(value['left'] as Node), ...leavesOf(value['right'] as Node)];
    case 'LogicalExpression':
      return [...leavesOf(value['left'] as Node), ...leavesOf(value['right'] as Node)];
    case 'ArrayExpression':
      return (value['elements'] as (Node | null)[]).flatMap(leavesOf);
    default:
      return [];
  }
}

/** `{ kind: 'notice', text: … }` */
function isNotice(object: Node): boolean {
  return childrenOf(object).some((property) => {
    const value = property['value'] as Node | undefined;
    return property.type === 'Property' && keyOf(property) === 'kind' && value?.['value'] === 'notice';
  });
}

/** `l10n.t(…)`, called at once, or what else an object of that name may be asked for. */
function isPlainUse(node: Node, path: readonly Node[], written: (node: Node) => string): boolean {
  const [declared, , taken] = path.toReversed().slice(0, 3);
  // `const { l10n } = vscode;`
  if (taken?.type === 'VariableDeclarator' && declared?.type === 'Property') {
    return written(taken['init'] as Node) === 'vscode';
  }
  const outer = path.findLast((each) => written(each) !== 'vscode.l10n' && each !== node);
  if (outer?.type !== 'MemberExpression') return false;
  const use = /^(?:vscode\.)?l10n\.(\w+)$/.exec(written(outer))?.[1];
  if (use !== 't') return use !== undefined && ['flow', 'locale', 'numbers', 'use'].includes(use);
  const call = path[path.indexOf(outer) - 1];
  return call?.type === 'CallExpression' && call['callee'] === outer;
}

function isOutOfSight(node: Node, path: readonly Node[], written: (node: Node) => string): boolean {
  let inner = node;
  for (const each of path.toReversed()) {
    switch (each.type) {
      case 'CallExpression':
      case 'NewExpression':
        if (each['callee'] === inner) return true;
        if (/(?:^|\.)l10n\.t$/.test(written(each['callee'] as Node)))
          return each['arguments'] !== undefined && (each['arguments'] as Node[])[0] === inner;
        if (unheard.test(written(each['callee'] as Node))) return true;
        break;
      case 'BinaryExpression':
        if (/^[!=]==?$/.test(String(each['operator']))) return true;
        break;
      case 'SwitchCase':
        return each['test'] === inner;
      case 'Property':
        if (each['key'] === inner || /^class(?:Name)?$/.test(keyOf(each))) return true;
        break;
      case 'BlockStatement':
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return false;
      default:
    }
    inner = each;
  }
  return false;
}
