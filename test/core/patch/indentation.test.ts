/** Which differences of indentation one rule explains, and what follows for new lines. */
import assert from 'node:assert/strict';
import {
  followIndentation,
  observeIndentation,
  type Indentation,
} from '../../../src/core/patch/indentation.ts';
import { onlyUpdate, plan, updating } from './texts.ts';

function observe(...pairs: readonly (readonly [string, string])[]): Indentation {
  return observeIndentation(pairs.map(([patch, file]) => ({ patch, file })));
}

describe('observeIndentation', () => {
  it('finds the one rule for all lines', () => {
    assert.deepEqual(observe(['  a', '  a'], ['', '   ']), { kind: 'same' });
    assert.deepEqual(observe(), { kind: 'same' });
    assert.deepEqual(observe(['a', '  a'], ['  b', '    b'], [' ', '']), { kind: 'deeper', by: '  ' });
    assert.deepEqual(observe(['a', '\ta'], ['\tb', '\t\tb']), { kind: 'deeper', by: '\t' });
    assert.deepEqual(observe(['a', '\u3000a']), { kind: 'deeper', by: '\u3000' });
    assert.deepEqual(observe(['    a', '  a'], ['  b', 'b']), { kind: 'shallower', by: '  ' });
    assert.deepEqual(observe(['a', 'a'], ['  b', '\tb'], ['    c', '\t\tc']), { kind: 'tabs', spaces: 2 });
    assert.deepEqual(observe(['a', 'a'], ['\tb', '    b']), { kind: 'spaces', spaces: 4 });
  });

  it('finds none where lines disagree', () => {
    assert.deepEqual(observe(['a', '  a'], ['b', 'b']), { kind: 'unclear' });
    assert.deepEqual(observe(['  a', 'a'], ['b', 'b']), { kind: 'unclear' });
    assert.deepEqual(observe(['  a', '\ta'], ['   b', '\tb']), { kind: 'unclear' });
    assert.deepEqual(observe(['   a', '\t\ta']), { kind: 'unclear' });
    assert.deepEqual(observe([' \ta', '\ta'], ['\tb', ' b']), { kind: 'unclear' });
    assert.deepEqual(observe(['  a', '\ta'], ['b', '\tb']), { kind: 'unclear' });
    assert.deepEqual(observe(['a', 'a'], ['\tb', 'b'], ['c', '\tc']), { kind: 'unclear' });
  });
});

describe('followIndentation', () => {
  it('follows the rule, leaves blank lines alone, and says where it can not', () => {
    assert.equal(followIndentation({ kind: 'same' }, ' a'), ' a');
    assert.equal(followIndentation({ kind: 'deeper', by: '  ' }, '\ta'), '  \ta');
    assert.equal(followIndentation({ kind: 'deeper', by: '  ' }, ' '), ' ');
    assert.equal(followIndentation({ kind: 'shallower', by: '  ' }, '   a'), ' a');
    assert.equal(followIndentation({ kind: 'shallower', by: '  ' }, ' a'), undefined);
    assert.equal(followIndentation({ kind: 'tabs', spaces: 2 }, '     a  b'), '\t\t a  b');
    assert.equal(followIndentation({ kind: 'tabs', spaces: 2 }, '\ta'), undefined);
    assert.equal(followIndentation({ kind: 'spaces', spaces: 2 }, '\t\ta\tb'), '    a\tb');
    assert.equal(followIndentation({ kind: 'unclear' }, 'a'), undefined);
  });
});

describe('new lines of a hunk found by ignoring indentation', () => {
  it('are left as written, with a note, where no rule explains the difference', () => {
    const planned = plan({ 'a.txt': '  a\n      b\n' }, updating(' a', '-b', '+  c'));
    assert.equal(onlyUpdate(planned).after, '  a\n  c\n');
    assert.ok(planned.ok);
    assert.deepEqual(planned.value.notes, [
      "a.txt: hunk 1: The indentation of the patch differs from the file's and was kept as written.",
    ]);
  });

  it('need no rule where nothing is added', () => {
    const planned = plan({ 'a.txt': '  a\n      b\n' }, updating(' a', '-b'));
    assert.ok(planned.ok);
    assert.deepEqual(planned.value.notes, []);
  });

  it('follow together or not at all', () => {
    const planned = plan({ 'a.txt': 'a\n' }, updating('-  a', '+  b', '+c'));
    assert.equal(onlyUpdate(planned).after, '  b\nc\n');
  });
});
