/** A block of code takes on the line ends and the indentation of where it goes, and changes nothing else. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { asWholeFile, withCode } from '../../../src/host/edits/review/codeBlockText.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());
const spaces = { insertSpaces: true, tabSize: 4 };
const tabs = { insertSpaces: false, tabSize: 4 };

/** `|` is the cursor, `[` and `]` are the ends of what is selected. */
function put(marked: string, code: string, indentation = spaces): string {
  const start = marked.search(/[|[]/);
  const end = marked.includes(']') ? marked.indexOf(']') - 1 : start;
  return withCode(marked.replace(/[|[\]]/g, ''), { start, end }, code, indentation);
}

describe('a block of code in a file', () => {
  const loop = 'for (a) {\n  b();\n}\n';

  it('goes to an empty line as deep as the cursor', () => {
    assert.equal(put('x\n    |\ny', loop), 'x\n    for (a) {\n        b();\n    }\ny');
    assert.equal(put('|\r\na\r\n', 'x();'), 'x();\r\na\r\n');
    assert.equal(put('|', loop), 'for (a) {\n    b();\n}');
    assert.equal(put('\t|\n', loop, tabs), '\tfor (a) {\n\t\tb();\n\t}\n');
  });

  it('goes above the line in front of which the cursor stands', () => {
    assert.equal(put('  |y();\n', 'x();', { insertSpaces: true, tabSize: 2 }), '  x();\n  y();\n');
    assert.equal(put('|  y();\n', 'x();'), '  x();\n  y();\n');
  });

  it('goes into the line behind its text', () => {
    assert.equal(put('  const f = |;\n', '() => {\n  a();\n}'), '  const f = () => {\n      a();\n  };\n');
  });

  it('takes the place of what is selected', () => {
    assert.equal(put('a(\n  [old,\n  older]\n)', 'new,\n'), 'a(\n  new,\n)');
    assert.equal(put('a\n[b\nc\n]d\n', 'x\ny\n'), 'a\nx\ny\nd\n');
    assert.equal(put('f([a], b)', 'c'), 'f(c, b)');
    assert.equal(put('  [old]();\n', 'fresh'), '  fresh();\n');
    assert.equal(put('a = [b;\n]c\n', 'x;\n'), 'a = x;\nc\n');
    assert.equal(put('a = [b;\r\n  c;\r\n]d\r\n', 'x;'), 'a = x;\r\nd\r\n');
  });

  it('loses what all its lines are indented by, and keeps the rest', () => {
    assert.equal(put('|', '\n    a\n\n      b\n', { insertSpaces: true, tabSize: 2 }), 'a\n\n  b');
    assert.equal(put('|', 'a\n   * odd\n  b\n    c', tabs), 'a\n\t * odd\n\tb\n\t\tc');
    assert.equal(put('|', 'a\n b', tabs), 'a\n b');
    const commented = '/**\n * Adds.\n */\nf() {\n  /*\n   * a\n   */\n  b();\n}';
    assert.equal(put('|', commented, tabs), '/**\n * Adds.\n */\nf() {\n\t/*\n\t * a\n\t */\n\tb();\n}');
  });

  it('ends its lines as the file does', () => {
    assert.equal(put('x\r\n|\r\ny\r\n', 'a\nb\n'), 'x\r\na\r\nb\r\ny\r\n');
    assert.equal(asWholeFile('x\r\n', 'a\nb'), 'a\r\nb\r\n');
    assert.equal(asWholeFile('x\ry', 'a\nb'), 'a\rb');
  });

  it('is a whole file with a last line end, unless that had none, and with its mark', () => {
    assert.equal(asWholeFile(undefined, 'a'), 'a\n');
    assert.equal(asWholeFile('', 'a\n'), 'a\n');
    assert.equal(asWholeFile('x', 'a'), 'a');
    assert.equal(asWholeFile('\uFEFFx\n', 'a'), '\uFEFFa\n');
    assert.equal(asWholeFile('\uFEFFx\n', '\uFEFFa'), '\uFEFFa\n');
    assert.equal(asWholeFile('x\n', '\uFEFFa'), 'a\n');
    assert.equal(put('x\n|', '\uFEFFa'), 'x\na');
  });

  it('leaves every other line as it was', () => {
    const line = fc.constantFrom('a', '  b', '\tc', '', '    d;', '{');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 2, maxLength: 8 }),
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        fc.nat(),
        (own, code, eol, at) => {
          const text = own.join(eol);
          const index = at % own.length;
          const start = own.slice(0, index).reduce((sum, each) => sum + each.length + eol.length, 0);
          const result = withCode(text, { start, end: start }, code.join('\n'), spaces).split(eol);
          assert.deepEqual(result.slice(0, index), own.slice(0, index));
          const rest = own.slice(index + 1);
          assert.deepEqual(result.slice(result.length - rest.length), rest);
          assert.ok(!result.some((each) => /[\r\n]/.test(each)));
        },
      ),
      { seed },
    );
  });
});
