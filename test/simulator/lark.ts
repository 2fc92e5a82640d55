/**
 * Reads grammars in Lark's notation, as far as they say what a text may be, and tells whether a text is one: what the service does
 * with the format of a custom tool, as its documentation has it. Knows no grammar in particular. Left out: templates, `%ignore`,
 * `%declare`, `%override`, and imports from elsewhere than `common`; a grammar with one of these is complained about.
 */

export interface Grammar {
  /** Right sides by name, terminals and rules alike: no lexer stands between them and the text. */
  readonly rules: ReadonlyMap<string, Node>;
}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly regex: RegExp }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeated'; readonly node: Node; readonly least: number; readonly most: number };

/** Of Lark's own library, what grammars for text need. */
const common: Readonly<Record<string, string>> = {
  CR: '\\r',
  DIGIT: '[0-9]',
  INT: '[0-9]+',
  LETTER: '[A-Za-z]',
  LF: '\\n',
  NEWLINE: '(\\r?\\n)+',
  WORD: '[A-Za-z]+',
  WS: '[ \\t\\f\\r\\n]+',
  WS_INLINE: '[ \\t]+',
};

/** Thrown inside, returned as a complaint. */
class Unreadable extends Error {}

/** The grammar, or everything that is wrong with it: never both. `start` is where a text begins. */
export function readGrammar(definition: string): {
  readonly grammar?: Grammar;
  readonly complaints: readonly string[];
} {
  const rules = new Map<string, Node>();
  const complaints: string[] = [];
  for (const statement of statementsOf(definition)) {
    try {
      const { name, node } = readStatement(statement);
      if (rules.has(name)) throw new Unreadable(`${name} is defined twice`);
      rules.set(name, node);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      complaints.push(error.message);
    }
  }
  if (complaints.length === 0) {
    if (!rules.has('start')) complaints.push('has no rule named start');
    const named = [...rules].flatMap(([from, node]) =>
      [...namesIn(node)].map((name) => [from, name] as const),
    );
    for (const [from, name] of named) {
      if (!rules.has(name)) complaints.push(`${from} names ${name}, which is not defined`);
      else if (isTerminal(from) && !isTerminal(name))
        complaints.push(`the terminal ${from} names the rule ${name}`);
    }
  }
  return complaints.length > 0 ? { complaints } : { grammar: { rules }, complaints };
}

/** Is the whole text one that the grammar allows? */
export function matches({ rules }: Grammar, text: string): boolean {
  const known = new Map<string, ReadonlySet<number>>();
  const pending = new Set<string>();

  /** Where a text can end that the node allows and that starts at `from`. */
  function ends(node: Node, from: number): ReadonlySet<number> {
    switch (node.kind) {
      case 'text':
        return new Set(text.startsWith(node.text, from) ? [from + node.text.length] : []);
      case 'regex':
        return regexEnds(node.regex, from);
      case 'sequence':
        return node.nodes.reduce<ReadonlySet<number>>(
          (places, each) => allEnds(each, places),
          new Set([from]),
        );
      case 'choice':
        return new Set(node.nodes.flatMap((each) => [...ends(each, from)]));
      case 'repeated':
        return repeatedEnds(node.node, node.least, node.most, from);
      case 'name':
        return nameEnds(node.name, from);
    }
  }

  function allEnds(node: Node, places: ReadonlySet<number>): ReadonlySet<number> {
    return new Set([...places].flatMap((place) => [...ends(node, place)]));
  }

  /** A terminal takes as much as it can, and gives some of it back where that is needed. */
  function regexEnds(regex: RegExp, from: number): ReadonlySet<number> {
    regex.lastIndex = from;
    const length = regex.exec(text)?.[0].length;
    return new Set(length === undefined ? [] : [from + length]);
  }

  function repeatedEnds(node: Node, least: number, most: number, from: number): ReadonlySet<number> {
    const found = new Set<number>(least === 0 ? [from] : []);
    let places: ReadonlySet<number> = new Set([from]);
    const seen = new Set<number>();
    for (let count = 1; count <= most && places.size > 0; count++) {
      places = new Set([...allEnds(node, places)].filter((place) => count <= least || !seen.has(place)));
      for (const place of places) {
        seen.add(place);
        if (count >= least) found.add(place);
      }
    }
    return found;
  }

  function nameEnds(name: string, from: number): ReadonlySet<number> {
    const key = `${from} ${name}`;
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    // A rule that begins with itself would never end; what it would add, no grammar of ours needs.
    if (pending.has(key)) return new Set();
    const node = rules.get(name);
    if (node === undefined) return new Set();
    pending.add(key);
    const found = ends(node, from);
    pending.delete(key);
    known.set(key, found);
    return found;
  }

  return nameEnds('start', 0).has(text.length);
}

/** A line that does not begin a statement goes on with the one above it. */
function statementsOf(definition: string): readonly string[] {
  const statements: string[] = [];
  for (const line of definition.split(/\r?\n/)) {
    const bare = withoutComment(line);
    if (bare.trim() === '') continue;
    const goesOn = /^\s*\|/.test(bare) || (/^\s/.test(bare) && statements.length > 0);
    if (goesOn) statements.push(`${statements.pop() ?? ''} ${bare.trim()}`);
    else statements.push(bare.trim());
  }
  return statements;
}

function withoutComment(line: string): string {
  const token = /"(?:[^"\\]|\\.)*"i?|\/(?![/*])(?:[^/\\]|\\.)+\/[imslux]*|\/\/.*/g;
  return line.replaceAll(token, (found) => (found.startsWith('//') ? '' : found));
}

function readStatement(statement: string): { readonly name: string; readonly node: Node } {
  const imported = /^%import\s+common\.([A-Z_]+)(?:\s*->\s*([A-Z_]\w*))?$/.exec(statement);
  if (imported !== null) {
    const [, name = '', alias = name] = imported;
    const source = common[name];
    if (source === undefined) throw new Unreadable(`%import: common.${name} is not known`);
    return { name: alias, node: { kind: 'regex', regex: new RegExp(source, 'y') } };
  }
  const head = /^[?!]*(_?[a-z]\w*|_?[A-Z]\w*)(?:\.-?\d+)?\s*:\s*/.exec(statement);
  if (head === null) throw new Unreadable(`is not a rule: ${JSON.stringify(statement)}`);
  const [whole, name = ''] = head;
  const tokens = tokensOf(name, statement.slice(whole.length));
  const node = readChoice(name, tokens);
  if (tokens.length > 0) throw new Unreadable(`${name}: ${tokens[0]} is not expected there`);
  return { name, node };
}

function tokensOf(name: string, text: string): string[] {
  const token =
    /\s*("(?:[^"\\]|\\.)*"i?|\/(?![/*])(?:[^/\\]|\\.)+\/[imslux]*|->\s*\w+|~\s*\d+(?:\s*\.\.\s*\d+)?|\.\.|\w+|[()[\]|*+?])\s*/y;
  const tokens: string[] = [];
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text)?.[1];
    if (found === undefined)
      throw new Unreadable(`${name}: is unreadable at ${JSON.stringify(text.slice(at))}`);
    tokens.push(found);
  }
  return tokens;
}

function readChoice(name: string, tokens: string[]): Node {
  const nodes = [readSequence(name, tokens)];
  while (tokens[0] === '|') {
    tokens.shift();
    nodes.push(readSequence(name, tokens));
  }
  return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: 'choice', nodes };
}

function readSequence(name: string, tokens: string[]): Node {
  const nodes: Node[] = [];
  for (;;) {
    const token = tokens[0];
    if (token === undefined || token === '|' || token === ')' || token === ']') break;
    // An alias names the branch and says nothing about the text.
    if (token.startsWith('->')) tokens.shift();
    else nodes.push(readRepeated(name, tokens));
  }
  return { kind: 'sequence', nodes };
}

function readRepeated(name: string, tokens: string[]): Node {
  const node = readAtom(name, tokens);
  const times: Readonly<Record<string, readonly [number, number]>> = {
    '*': [0, Infinity],
    '+': [1, Infinity],
    '?': [0, 1],
  };
  const token = tokens[0] ?? '';
  const counted = /^~\s*(\d+)(?:\s*\.\.\s*(\d+))?$/.exec(token);
  const range = counted ? [Number(counted[1]), Number(counted[2] ?? counted[1])] : times[token];
  if (range === undefined) return node;
  tokens.shift();
  return { kind: 'repeated', node, least: range[0] ?? 0, most: range[1] ?? 0 };
}

function readAtom(name: string, tokens: string[]): Node {
  const token = tokens.shift() ?? '';
  if (token === '(' || token === '[') {
    const node = readChoice(name, tokens);
    const end = token === '(' ? ')' : ']';
    if (tokens.shift() !== end) throw new Unreadable(`${name}: ${token} has no ${end}`);
    return token === '(' ? node : { kind: 'repeated', node, least: 0, most: 1 };
  }
  if (token.startsWith('"')) return readText(name, token);
  if (token.startsWith('/')) return readRegex(name, token);
  if (/^\w+$/.test(token)) return { kind: 'name', name: token };
  throw new Unreadable(`${name}: ${token} is not expected there`);
}

function readText(name: string, token: string): Node {
  const ignoringCase = token.endsWith('i');
  const quoted = ignoringCase ? token.slice(0, -1) : token;
  let text: unknown;
  try {
    text = JSON.parse(quoted);
  } catch {
    throw new Unreadable(`${name}: ${token} is not a string`);
  }
  if (typeof text !== 'string' || text === '') throw new Unreadable(`${name}: ${token} is empty`);
  if (!ignoringCase) return { kind: 'text', text };
  return { kind: 'regex', regex: new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iy') };
}

function readRegex(name: string, token: string): Node {
  const end = token.lastIndexOf('/');
  const flags = token.slice(end + 1).replaceAll(/[lux]/g, '');
  try {
    const regex = new RegExp(token.slice(1, end), `${flags}uy`);
    if (new RegExp(`^(?:${regex.source})$`, regex.flags.replace('y', '')).test('')) {
      throw new Unreadable(`${name}: ${token} may match nothing at all`);
    }
    return { kind: 'regex', regex };
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`${name}: ${token} is not a regular expression`);
  }
}

function* namesIn(node: Node): Generator<string, void, void> {
  if (node.kind === 'name') yield node.name;
  else if (node.kind === 'repeated') yield* namesIn(node.node);
  else if ('nodes' in node) for (const each of node.nodes) yield* namesIn(each);
}

function isTerminal(name: string): boolean {
  return /^_?[A-Z]/.test(name);
}
