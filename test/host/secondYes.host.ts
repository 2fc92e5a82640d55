/** The yes of its own that a protected file takes: who is asked, what is said, and what no other yes can do. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  deafFor,
  SecondYes,
  type SecondAnswer,
  type SecondQuestion,
} from '../../src/host/edits/review/secondYes.ts';
import { edit, ourTabs, Stage } from './editsStage.ts';

describe('a file that takes a yes of its own', () => {
  let stage: Stage;
  let asked: SecondQuestion[];
  /** What is answered, each after so many milliseconds. */
  let answers: [SecondAnswer, number][];
  let now: number;
  const secondYes = new SecondYes(
    (question) => {
      asked.push(question);
      const [answer, after] = answers.shift() ?? ['leave', deafFor];
      now += after;
      return Promise.resolve(answer);
    },
    () => now,
  );
  const tasks = '.vscode/tasks.json';

  beforeEach(async () => {
    asked = [];
    answers = [];
    now = 0;
    stage = await Stage.open({ secondYes });
  });
  afterEach(() => stage.close());

  it('is told of, asked about with the reason, and written after that yes', async () => {
    const shown = stage.propose(stage.add(tasks, '{}\n'));
    await shown.until(({ takesSecondYes }) => takesSecondYes === true);
    assert.match(shown.file().note ?? '', /^Accepting asks once more\. An editor obeys/);
    await shown.accept();
    assert.deepEqual([shown.states, await stage.disk(tasks)], [['pending'], undefined]);
    answers.push(['accept', deafFor]);
    await shown.accept(0);
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk(tasks), '{}\n');
    assert.equal(shown.file().takesSecondYes, undefined);
    assert.equal(asked.length, 2);
    assert.match(asked[0]?.text ?? '', /^Accept the new file .*tasks\.json\?$/);
    assert.match(asked[0]?.detail ?? '', /^An editor obeys this file/);
  });

  it('is never accepted along with others', async () => {
    await stage.write('cart.ts', 'one\n');
    const shown = stage.propose(
      stage.update('cart.ts', 'one\n', 'ONE\n'),
      stage.add(tasks, '{}\n'),
      stage.add('.husky/pre-commit', 'exit 0\n'),
    );
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted', 'pending', 'pending']);
    assert.deepEqual(
      [asked.length, await stage.disk('cart.ts'), await stage.disk(tasks)],
      [0, 'ONE\n', undefined],
    );

    // With none but such files left, each is asked about, until one is not answered with yes.
    answers.push(['accept', deafFor], ['leave', deafFor]);
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted', 'accepted', 'pending']);
    assert.equal(asked.length, 2);
    assert.match(asked[1]?.detail ?? '', /^Git may run programs[^]*not looked at the change yet/);
    await shown.reject();
    assert.equal(await stage.disk('.husky/pre-commit'), undefined);
  });

  it('takes no yes that comes at once, and shows the change instead where that is wanted', async () => {
    const shown = stage.propose(stage.add(tasks, '{}\n'));
    answers.push(['accept', deafFor - 1], ['accept', 10], ['show', 0]);
    await shown.accept();
    assert.deepEqual([asked.length, shown.states], [3, ['pending']]);
    assert.equal(ourTabs().length, 1);
    await shown.until(({ seen }) => seen);
    answers.push(['accept', deafFor]);
    await shown.accept();
    assert.doesNotMatch(asked[3]?.detail ?? '', /not looked at/);
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
  });

  it('is not written by accepting its changes one by one either, and asked about once for the same text', async () => {
    const lines = (a: string, b: string): string => `${a}\n${'same\n'.repeat(10)}${b}\n`;
    await stage.write(tasks, lines('one', 'two'));
    const shown = stage.propose(stage.update(tasks, lines('one', 'two'), lines('ONE', 'TWO')));
    await shown.up();
    const proposal = stage.review.board.waiting.find(({ id }) => id === shown.id);
    const file = proposal?.files[0];
    assert.ok(proposal && file);
    const acceptFirst = (): Promise<unknown> =>
      stage.review.board.acceptHunk({ proposal, file }, (hunks) => hunks[0]);
    await acceptFirst();
    assert.equal(await stage.disk(tasks), lines('one', 'two'));
    answers.push(['accept', deafFor]);
    await acceptFirst();
    assert.equal(await stage.disk(tasks), lines('ONE', 'two'));
    await acceptFirst();
    assert.equal(await stage.disk(tasks), lines('ONE', 'TWO'));
    assert.equal(asked.length, 2);
  });

  it('is one of which a part does what the whole does not', async () => {
    const lines = (first: string, last: string): string => `{${first}\n${' \n'.repeat(10)}"a": 1${last}\n}\n`;
    const scripts = '"scripts": {"test": "true"}';
    await stage.write('package.json', lines(`${scripts},`, ''));
    // Of two entries of one name the last one counts.
    const after = lines('"scripts": {"postinstall": "true"},', `, ${scripts}`);
    const shown = stage.propose(stage.update('package.json', lines(`${scripts},`, ''), after));
    await shown.up();
    const proposal = stage.review.board.waiting.find(({ id }) => id === shown.id);
    const file = proposal?.files[0];
    assert.ok(proposal && file);
    await stage.review.board.acceptHunk({ proposal, file }, (hunks) => hunks[0]);
    assert.match(asked[0]?.detail ?? '', /run by their name/);
    assert.equal(await stage.disk('package.json'), lines(`${scripts},`, ''));
    await shown.reject();
  });

  it('does not get by taking back what was written while it had another name', async () => {
    await stage.write(tasks, '{\n}\n');
    const away = stage.propose(stage.update(tasks, '{\n}\n', '{\n}\n', 'notes.json'));
    answers.push(['accept', deafFor]);
    await away.accept();
    const worse = stage.propose(stage.update('notes.json', '{\n}\n', '{\n"run": 1\n}\n'));
    await worse.accept();
    assert.deepEqual(await stage.review.board.takeBack(away.id), { done: 0, left: 1 });
    assert.deepEqual([await stage.disk(tasks), asked.length], [undefined, 1]);
    assert.deepEqual(await stage.review.board.takeBack(worse.id), { done: 1, left: 0 });
    assert.deepEqual(await stage.review.board.takeBack(away.id), { done: 1, left: 0 });
    assert.equal(await stage.disk(tasks), '{\n}\n');
  });

  it('is one that Git includes, one of a repository of its own below, and a script of a package', async () => {
    await stage.write('deep/.git/config', '[include]\npath = ../more.conf\n');
    await stage.write('deep/more.conf', '[core]\nhooksPath = run\n');
    for (const add of [
      stage.add('deep/run/pre-commit', 'x\n'),
      stage.update('deep/more.conf', '[core]\nhooksPath = run\n', '[core]\nhooksPath = .\n'),
      stage.add('composer.json', '{"scripts":{"post-install-cmd":"x"}}\n'),
      stage.add('deep/HEAD', 'x\n'),
    ]) {
      const shown = stage.propose(add);
      await shown.accept();
      assert.deepEqual(shown.states, ['pending'], add.path.display);
      await shown.reject();
    }
    assert.equal(asked.length, 4);
  });

  it('is one that was moved, deleted or changed by the person into one', async () => {
    await stage.write('notes.json', '{}\n');
    const moved = stage.propose(stage.update('notes.json', '{}\n', '{}\n', tasks));
    await moved.accept();
    await stage.write('.envrc', 'x\n');
    const removed = stage.propose(stage.remove('.envrc', 'x\n'));
    await removed.accept();
    assert.match(asked[0]?.text ?? '', /^Accept that .*notes\.json becomes .*tasks\.json\?$/);
    assert.match(asked[1]?.text ?? '', /^Accept that .*\.envrc is deleted\?$/);
    await stage.write('package.json', '{"name":"a"}\n');
    const typed = stage.propose(stage.update('package.json', '{"name":"a"}\n', '{"name":"b"}\n'));
    const { document } = await typed.openRight();
    await edit(document, '{"name":"b","scripts":{"test":"true"}}\n');
    await typed.accept();
    assert.equal(asked.length, 3);
    assert.match(asked[2]?.detail ?? '', /run by their name/);
    assert.deepEqual(
      [await stage.disk('notes.json'), await stage.disk('.envrc'), await stage.disk('package.json')],
      ['{}\n', 'x\n', '{"name":"a"}\n'],
    );
    for (const each of [moved, removed, typed]) await each.reject();
  });

  it('is still one in the next window', async () => {
    await stage.close();
    const storage = await mkdtemp(join(tmpdir(), 'kimi-chat-second-'));
    stage = await Stage.open({ secondYes, storage });
    const shown = stage.propose(stage.add(tasks, '{}\n'));
    await shown.up();
    await stage.review.whenKept();
    await stage.reload();
    await stage.review.board.ready;
    const [again] = stage.review.board.waiting;
    assert.equal(again?.summary.files[0]?.takesSecondYes, true);
    await stage.review.board.accept(again.id);
    assert.equal(await stage.disk(tasks), undefined);
    assert.equal(asked.length, 1);
    await stage.review.board.reject(again.id);
    await stage.review.whenKept();
    await rm(storage, { recursive: true, force: true, maxRetries: 5 });
  });
});
