/** Runs git in a folder of a test, as somebody whose name and settings do not matter. Must not know what for. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];

/** `gitIn(folder)('commit', '-q', '-m', 'first')`, done when it returns. Throws with what git says when that fails. */
export function gitIn(folder: string): (...args: readonly string[]) => void {
  return (...args) => {
    const { status, stderr, error } = spawnSync('git', [...identity, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.ifError(error);
    assert.equal(status, 0, stderr);
  };
}

/** A repository with one commit of all that is in the folder; returns what runs git there. */
export function newRepository(folder: string): (...args: readonly string[]) => void {
  const git = gitIn(folder);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  return git;
}
