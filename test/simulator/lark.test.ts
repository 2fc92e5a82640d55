/** Grammars are read as Lark reads them, as far as that goes, and what is wrong with one is said. */
import assert from 'node:assert/strict';
import { matches, readGrammar } from './lark.ts';

function allows(definition: string, text: string): boolean {
  const { grammar, complaints } = readGrammar(definition);
  assert.deepEqual(complaints, []);
  assert.ok(grammar);
  return matches(grammar, text);
}

describe('a grammar in the notation of Lark', () => {
  const cases: readonly (readonly [
    what: string,
    definition: string,
    good: readonly string[],
    bad: readonly string[],
  ])[] = [
    ['strings', 'start: "a" "b\\n"', ['ab\n'], ['', 'a', 'ab', 'ab\n ']],
    ['strings in any case', 'start: "ok"i', ['OK', 'ok'], ['o']],
    ['regular expressions', 'start: /[0-9]+/ "."', ['12.'], ['.', '1']],
    ['choices', 'start: "a" | "b" "c"', ['a', 'bc'], ['b', 'ac']],
    ['choices on lines of their own', 'start: "a"\n  | "b"\n\n  | "c"', ['a', 'b', 'c'], ['ab']],
    ['groups', 'start: ("a" | "b")+ "c"', ['abac'], ['c', 'ab']],
    ['what may be missing', 'start: "a"? ["b"] "c"*', ['', 'a', 'b', 'abcc'], ['ba']],
    ['counts', 'start: "a"~2 "b"~1..2', ['aab', 'aabb'], ['ab', 'aabbb']],
    ['repetitions of what may be empty', 'start: ("a"? "b"?)+', ['', 'abba'], ['c']],
    ['rules and terminals', 'start: pair+\npair: NAME "=" NAME\nNAME: /[a-z]/', ['a=bc=d'], ['a=']],
    ['modifiers, aliases, priorities', '?start: _x -> one\n_x: Y\nY.2: "y"', ['y'], ['x']],
    ['imports', 'start: DIGIT NL\n%import common.DIGIT\n%import common.NEWLINE -> NL', ['1\n\n'], ['1']],
    ['comments', '// a "b"\nstart: "a//b" // end\n', ['a//b'], ['a']],
    ['what goes back on itself further on', 'start: "(" start? ")"', ['(())'], ['(()']],
  ];
  for (const [what, definition, good, bad] of cases) {
    it(`has ${what}`, () => {
      for (const text of good) assert.equal(allows(definition, text), true, text);
      for (const text of bad) assert.equal(allows(definition, text), false, text);
    });
  }

  const faults: readonly (readonly [definition: string, complaint: string])[] = [
    ['patch: "x"', 'has no rule named start'],
    ['start: line+', 'start names line, which is not defined'],
    ['start: LF', 'start names LF, which is not defined'],
    ['start: A\nA: b\nb: "b"', 'the terminal A names the rule b'],
    ['start: "a"\nstart: "b"', 'start is defined twice'],
    ['start: /[/', 'start: /[/ is not a regular expression'],
    ['start: /(a/', 'start: /(a/ is not a regular expression'],
    ['start: /a*/', 'start: /a*/ may match nothing at all'],
    ['start: ("a"', 'start: ( has no )'],
    ['start: "a")', 'start: ) is not expected there'],
    ['start: * "a"', 'start: * is not expected there'],
    ['start: "a', 'start: is unreadable at "\\"a"'],
    ['start: ""', 'start: "" is empty'],
    ['start "a"', 'is not a rule: "start \\"a\\""'],
    ['start: A\n%import common.EMOJI -> A', '%import: common.EMOJI is not known'],
    ['start: "a"\n%ignore " "', 'is not a rule: "%ignore \\" \\""'],
  ];
  for (const [definition, complaint] of faults) {
    it(`is complained about: ${complaint}`, () => {
      const { grammar, complaints } = readGrammar(definition);
      assert.equal(grammar, undefined);
      assert.ok(complaints.includes(complaint), complaints.join('\n'));
    });
  }
});
