/** Character references in text (`&amp;`, `&#x2014;`) as the characters they name. Pure. Names beyond the usual ones stay as written. */

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', shy: '\u00ad' },
  ...{ ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', zwnj: '\u200c', zwj: '\u200d' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
  ...{ laquo: '«', raquo: '»', lsaquo: '‹', rsaquo: '›', hellip: '…', bull: '•', middot: '·', dagger: '†' },
  ...{ copy: '©', reg: '®', trade: '™', sect: '§', para: '¶', deg: '°', micro: 'µ', permil: '‰' },
  ...{ cent: '¢', pound: '£', yen: '¥', euro: '€', curren: '¤', brvbar: '¦', ordf: 'ª', ordm: 'º' },
  ...{ larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', lArr: '⇐', rArr: '⇒', hArr: '⇔' },
  ...{ times: '×', divide: '÷', plusmn: '±', minus: '−', ne: '≠', le: '≤', ge: '≥', asymp: '≈', equiv: '≡' },
  ...{ infin: '∞', radic: '√', sum: '∑', prod: '∏', int: '∫', part: '∂', nabla: '∇', isin: '∈', notin: '∉' },
  ...{
    cap: '∩',
    cup: '∪',
    sub: '⊂',
    sup: '⊃',
    sube: '⊆',
    supe: '⊇',
    and: '∧',
    or: '∨',
    not: '¬',
    forall: '∀',
  },
  ...{ exist: '∃', empty: '∅', alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', theta: 'θ' },
  ...{
    lambda: 'λ',
    mu: 'μ',
    pi: 'π',
    sigma: 'σ',
    tau: 'τ',
    phi: 'φ',
    omega: 'ω',
    Delta: 'Δ',
    Sigma: 'Σ',
    Omega: 'Ω',
  },
  ...{ frac12: '½', frac14: '¼', frac34: '¾', sup1: '¹', sup2: '²', sup3: '³', check: '✓', cross: '✗' },
  ...{ lbrace: '{', rbrace: '}', lbrack: '[', rbrack: ']', lpar: '(', rpar: ')', ast: '*', num: '#' },
  ...{ dollar: '$', percnt: '%', lowbar: '_', grave: '`', vert: '|', verbar: '|', bsol: '\\', sol: '/' },
};

/** Every reference that is known is replaced once; `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,30}));/g,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
      return fromCode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
    },
  );
}

/** What is no character becomes the replacement character, as CommonMark asks for. */
function fromCode(code: number): string {
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return code === 0 || code > 0x10ffff || surrogate ? '\ufffd' : String.fromCodePoint(code);
}
