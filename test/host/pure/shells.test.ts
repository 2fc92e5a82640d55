/** Lines for shells: none may be read otherwise than it was meant. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

import {
  goToLine,
  namesHistory,
  plainHistoryLine,
  sameEndLine,
  shellName,
  typedLine,
} from '../../../src/host/terminal/shells.ts';

describe('lines for shells', () => {
  it('know a shell by its program', () => {
    for (const [program, name] of [
      ['/usr/bin/bash', 'bash'],
      [String.raw`C:\Program Files\PowerShell\7\pwsh.exe`, 'pwsh'],
      ['zsh', 'zsh'],
      ['', ''],
    ] as const)
      assert.equal(shellName(program), name);
  });

  it('go to a folder of whatever name', () => {
    const line = goToLine('bash', '/tmp');
    assert.equal(line, "cd -- '/tmp'");
    for (const path of ["/a'b", '/a b', '/$(x)`y`"z"!!', String.raw`/back\slash`, '/-n', "/''", '/ä😀']) {
      const written = goToLine('bash', path) ?? '';
      const { stdout } = spawnSync('bash', ['-c', `cd() { printf %s "$2"; }; ${written}`], {
        encoding: 'utf8',
      });
      assert.equal(stdout, path);
    }
    assert.equal(goToLine('pwsh', "C:\\it's"), "Set-Location -LiteralPath 'C:\\it''s'");
  });

  it('are not written where they could be read otherwise', () => {
    assert.equal(goToLine('cmd', 'C:\\a'), undefined);
    assert.equal(goToLine('fish', '/a\\b'), undefined);
    assert.equal(goToLine('bash', '/a\nb'), undefined);
    // PowerShell takes typographic quotes for quotes.
    assert.equal(goToLine('pwsh', '/a\u2019; rm'), undefined);
  });

  it('let ! and ^ stand for themselves where they would not', () => {
    for (const command of ['!!', 'echo "a!b"', '^old^new', ' ^old^new^'])
      assert.ok(namesHistory(command), command);
    for (const command of ['npm test', 'grep ^a b.txt']) assert.ok(!namesHistory(command), command);
    assert.equal(plainHistoryLine('bash'), 'set +H');
    assert.equal(plainHistoryLine('zsh'), 'setopt NO_BANG_HIST');
    assert.equal(plainHistoryLine('fish'), undefined);
  });

  it('begin in bash with a command, so that the end is told, and mean the same', () => {
    for (const command of [
      '(exit 3)',
      '! (exit 3)',
      '{ (exit 3); }',
      'if (true); then (exit 4); fi',
      'time (exit 2)',
      '# nothing',
      'greet() { exit 3; }',
      'greet () (exit 3)',
    ]) {
      const typed = typedLine('bash', command);
      assert.equal(typed, `: ; ${command}`);
      const run = (line: string): number | null => spawnSync('bash', ['-c', line]).status;
      assert.equal(run(typed), run(command));
    }
    for (const command of [
      'npm test',
      'iffy',
      'timeout 3 x',
      'a && (b)',
      '[ -f x ]',
      'for a in b; do c; done',
    ])
      assert.equal(typedLine('bash', command), command);
    assert.equal(typedLine('zsh', '(exit 3)'), '(exit 3)');
  });

  it('end as the one before did', () => {
    const line = sameEndLine('bash') ?? '';
    for (const code of [0, 7])
      assert.equal(spawnSync('bash', ['-c', `(exit ${code}); ${line}`]).status, code);
    assert.equal(sameEndLine('zsh'), line);
    for (const shell of ['fish', 'pwsh', 'cmd']) assert.equal(sameEndLine(shell), undefined);
  });

  it('begin in no shell with a backslash, of which the editor tells no end', () => {
    for (const shell of ['bash', 'zsh', 'fish', 'sh'])
      assert.equal(typedLine(shell, ' \\ls -l'), ': ;  \\ls -l');
    assert.equal(typedLine('pwsh', '\\a'), '\\a');
    assert.equal(typedLine('bash', 'ls \\'), 'ls \\');
  });
});
