/** What goes along with a question without being attached: standing instructions, slash commands, prompt files. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';

import type { AttachmentSummary } from '../../src/core/conversation/conversation.ts';
import type { Attachment } from '../../src/core/conversation/userMessage.ts';
import { err, ok } from '../../src/core/result.ts';
import type { AttachProblem } from '../../src/host/context/problem.ts';
import { commandCode, type CodeSources } from '../../src/host/prompts/commandCode.ts';
import { Prompts } from '../../src/host/prompts/prompts.ts';
import { standingRules, type Near } from '../../src/host/prompts/standing.ts';
import { answer, gate, text, type Reply } from '../simulator/main.ts';
import { newRepository } from '../support/gitIn.ts';
import { ChatStage, chip, inFront, lastTurn, newLog } from './chatStage.ts';

const names = (attachments: readonly AttachmentSummary[]): readonly string[] =>
  attachments.map(
    ({ path, changed, digest }) => `${path}${changed ? (digest === '' ? ' gone' : ' changed') : ''}`,
  );

describe('what goes along with a question', function () {
  this.timeout(60_000);
  let stage: ChatStage;
  let root: string;
  let folder: string;
  let place: string;
  const written = new Set<string>();
  beforeEach(async () => {
    root =
      vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('these tests need an open folder');
    folder = await mkdtemp(join(root, 'prompts-'));
    place = basename(folder);
    stage = await ChatStage.open();
    await stage.connect();
    stage.panel.show();
  });
  afterEach(async () => {
    assert.deepEqual(stage.simulator.violations, []);
    await stage.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    for (const path of written) await rm(join(root, path), { recursive: true, force: true, maxRetries: 5 });
    written.clear();
  });

  /** Below the workspace folder. */
  const write = async (path: string, words: string): Promise<void> => {
    if (!path.startsWith(place)) written.add(path.startsWith('.github') ? '.github' : path);
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), words);
  };
  const open = async (path: string, words: string): Promise<vscode.TextEditor> => {
    await write(path, words);
    return inFront(await vscode.window.showTextDocument(vscode.Uri.file(join(root, path))));
  };
  const idle = async (): Promise<void> => {
    await stage.dealtWith();
    await stage.sessions.current.whenIdle();
  };
  const ask = async (
    question: string,
    ...replies: readonly Reply[]
  ): Promise<readonly AttachmentSummary[]> => {
    stage.simulator.reply(...replies, answer(text('So.')));
    stage.panel.ask(question);
    await idle();
    return lastTurn(stage.sessions.current).question.attachments;
  };
  /** Waits until the panel shows these. */
  const shows = async (...chips: readonly string[]): Promise<void> => {
    const wanted = JSON.stringify(chips);
    await stage.panel.until(
      ({ mirror }) => JSON.stringify(names(mirror?.panel.along?.chips ?? [])) === wanted,
    );
  };
  const along = (): readonly AttachmentSummary[] => stage.panel.state.mirror?.panel.along?.chips ?? [];
  const left = (): readonly string[] => names(stage.panel.state.mirror?.panel.along?.left ?? []);
  const sent = (): string => stage.simulator.requests.at(-1)?.bodyText ?? '';

  describe('standing instructions', () => {
    it('are shown with their tokens before they are sent, once, the nearest first, and again when they changed', async () => {
      await write('AGENTS.md', 'Use pnpm.\n');
      await write(`${place}/AGENTS.md`, 'Here, use tabs.\n');
      await write('.github/copilot-instructions.md', 'Be brief.\n');
      await stage.written.set('kimiChat.instructions', 'Answer in French.');
      stage.draft.attach([{ ...chip('a'), uri: vscode.Uri.file(join(folder, 'src/a.ts')).toString() }]);
      const all = ['Your instructions', `${place}/AGENTS.md`, 'AGENTS.md', '.github/copilot-instructions.md'];
      await shows(...all);
      assert.ok(along().every(({ tokens = 0, kind }) => tokens > 0 && kind === 'instructions'));
      assert.deepEqual(names(await ask('Why?')), [...all, 'a.ts']);
      const body = sent();
      assert.match(body, /Standing instructions of the user:\\n```markdown\\nAnswer in French\./);
      assert.ok(body.includes('they count more than those of the folders around it'), body);
      assert.ok(body.indexOf('use tabs') < body.indexOf('Use pnpm'));
      await shows();
      // As they stand in an editor.
      const file = vscode.Uri.file(join(root, 'AGENTS.md'));
      const editor = await inFront(await vscode.window.showTextDocument(file));
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'New words. '));
      await shows('AGENTS.md changed');
      assert.deepEqual(names(await ask('Really?')), ['AGENTS.md changed']);
      assert.match(
        sent(),
        /these stand in the place of the earlier ones:\\n```markdown\\nNew words\. Use pnpm\./,
      );
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await rm(join(root, 'AGENTS.md'));
      await shows('AGENTS.md gone');
      assert.deepEqual(names(await ask('Still?')), ['AGENTS.md gone']);
      assert.match(sent(), /The earlier instructions from \\"AGENTS\.md\\" no longer hold/);
      await shows();
    });

    it('can be taken off for a conversation, in its branches too, and put back', async () => {
      await write('AGENTS.md', 'Use pnpm.\n');
      await shows('AGENTS.md');
      const id = along()[0]?.id ?? '';
      stage.panel.tell({ kind: 'removeAttachment', attachment: id });
      await shows();
      assert.deepEqual(left(), ['AGENTS.md']);
      assert.deepEqual(await ask('Why?'), []);
      assert.doesNotMatch(sent(), /pnpm/);
      const turn = lastTurn(stage.sessions.current).id;
      stage.simulator.reply(answer(text('Else.')));
      stage.panel.tell({ kind: 'edit', id: 'edit', turn, text: 'Why not?', attachments: [] });
      await idle();
      assert.deepEqual(lastTurn(stage.sessions.current).question.attachments, []);
      await stage.panel.until(() => left().length === 1);
      stage.panel.tell({ kind: 'putBackInstructions', attachment: id });
      await shows('AGENTS.md');
      assert.deepEqual(names(await ask('Now?')), ['AGENTS.md']);
      stage.panel.tell({ kind: 'newChat' });
      await shows('AGENTS.md');
    });

    it('stay taken off when the window is loaded anew before anything was asked', async () => {
      const composerFolder = await mkdtemp(join(tmpdir(), 'composer-'));
      const anew = async (): Promise<void> => {
        await stage.close();
        stage = await ChatStage.open({ composerFolder });
        await stage.connect();
        stage.panel.show();
      };
      await write('AGENTS.md', 'Use pnpm.\n');
      await anew();
      await shows('AGENTS.md');
      stage.panel.tell({ kind: 'removeAttachment', attachment: along()[0]?.id ?? '' });
      await stage.panel.until(() => left().length === 1);
      await anew();
      await stage.panel.until(() => left().length === 1);
      assert.deepEqual(await ask('Why?'), []);
      assert.doesNotMatch(sent(), /pnpm/);
      stage.panel.tell({ kind: 'newChat' });
      await shows('AGENTS.md');
      await anew();
      await shows('AGENTS.md');
      await rm(composerFolder, { recursive: true, force: true, maxRetries: 5 });
    });

    it('are left out of the window by themselves, and told again when their turn left it', async () => {
      await write('AGENTS.md', 'Use pnpm.\n');
      await ask('Why?');
      await ask('And?');
      const context = (): number => stage.facts.current.context?.breakdown.rules ?? 0;
      assert.ok(context() > 0);
      stage.panel.tell({ kind: 'makeRoom', what: 'rules' });
      await stage.panel.until(() => left().length === 1);
      assert.ok(context() < 15, 'what says that something was left out is all that is left');
      assert.deepEqual(await ask('Or?'), []);
      assert.doesNotMatch(sent(), /pnpm/);
      stage.panel.tell({ kind: 'takeBackCuts' });
      await stage.panel.until(() => left().length === 0);
      stage.panel.tell({ kind: 'makeRoom', what: 'oldestTurns' });
      await shows('AGENTS.md');
    });

    it('are as they are now when a question is asked anew', async () => {
      await write('AGENTS.md', 'Use pnpm.\n');
      await ask('Why?');
      const turn = lastTurn(stage.sessions.current);
      await write('AGENTS.md', 'Use npm.\n');
      stage.simulator.reply(answer(text('Else.')), answer(text('Again.')));
      const kept = turn.question.attachments.map(({ id }) => id);
      stage.panel.tell({ kind: 'edit', id: 'edit', turn: turn.id, text: 'Why not?', attachments: kept });
      await idle();
      assert.deepEqual(names(lastTurn(stage.sessions.current).question.attachments), ['AGENTS.md']);
      assert.ok(sent().includes('Use npm.') && !sent().includes('pnpm'));
      stage.panel.tell({
        ...{ kind: 'edit', id: 'bare', turn: lastTurn(stage.sessions.current).id },
        ...{ text: 'Bare?', attachments: [] },
      });
      await idle();
      assert.deepEqual(lastTurn(stage.sessions.current).question.attachments, []);
    });

    it('hold for one of several workspace folders, and are told with the paths that are used there', async () => {
      for (const name of ['app', 'lib']) await write(`${place}/${name}/AGENTS.md`, `About ${name}.\n`);
      await write(`${place}/app/src/AGENTS.md`, 'About its source.\n');
      await write(`${place}/lib/.github/copilot-instructions.md`, 'Be brief.\n');
      const folders = ['app', 'lib'].map((name, index) => ({
        uri: vscode.Uri.file(join(folder, name)),
        name,
        index,
      }));
      const headings = async (near: readonly Near[]): Promise<readonly (string | undefined)[]> =>
        (await standingRules(near, { own: '', folders, trusted: true })).rules.map(({ heading }) =>
          heading?.replace(/; they count.*/, ''),
        );
      const uri = vscode.Uri.file(join(folder, 'app/src/a.ts'));
      assert.deepEqual(await headings([{ uri, isFolder: false }]), [
        'Standing instructions of the user',
        'Standing instructions for what is in "app/src", from "app/src/AGENTS.md"',
        'Standing instructions for what is in "app", from "app/AGENTS.md"',
      ]);
      assert.deepEqual((await headings([])).slice(1), [
        'Standing instructions for what is in "app", from "app/AGENTS.md"',
        'Standing instructions for what is in "lib", from "lib/AGENTS.md"',
        'Standing instructions for what is in "lib", from "lib/.github/copilot-instructions.md"',
      ]);
    });

    it('that may not be read are told of before a question, and not with each of a conversation', async () => {
      await writeFile(join(folder, '.gitignore'), 'AGENTS.md\n');
      await write(`${place}/AGENTS.md`, 'Kept back.\n');
      await open(`${place}/a.ts`, 'const a = 1;\n');
      const skipped = (): string => (stage.panel.state.mirror?.panel.along?.skipped ?? []).join();
      await stage.panel.until(() => skipped() !== '');
      assert.match(skipped(), new RegExp(`^${place}/AGENTS\\.md is not sent: ignore rules .* Attach it`));
      assert.deepEqual(await ask('Why?'), []);
      await stage.panel.until(() => skipped() === '');
      await stage.along.whenShown();
      assert.equal(skipped(), '');
      stage.panel.tell({ kind: 'newChat' });
      await stage.panel.until(() => skipped() !== '');
    });

    it('that no longer hold are not sent again with a question that is asked anew', async () => {
      await write('AGENTS.md', 'Use pnpm.\n');
      await stage.written.set('kimiChat.instructions', 'Answer in French.');
      await shows('Your instructions', 'AGENTS.md');
      await ask('Why?');
      const turn = lastTurn(stage.sessions.current);
      const kept = turn.question.attachments.map(({ id }) => id);
      assert.equal(kept.length, 2);
      await rm(join(root, 'AGENTS.md'));
      await stage.written.set('kimiChat.instructions', '');
      stage.simulator.reply(answer(text('Else.')));
      stage.panel.tell({ kind: 'edit', id: 'edit', turn: turn.id, text: 'Why not?', attachments: kept });
      await idle();
      assert.deepEqual(lastTurn(stage.sessions.current).question.attachments, []);
      assert.doesNotMatch(sent(), /pnpm|French/);
    });

    it('are read from nowhere but the workspace, and from none that is not trusted', async () => {
      const outside = await mkdtemp(join(tmpdir(), 'outside-'));
      await writeFile(join(outside, 'AGENTS.md'), 'Not yours.\n');
      await writeFile(join(folder, '.gitignore'), 'hidden/\n');
      await write(`${place}/hidden/AGENTS.md`, 'Hidden.\n');
      await symlink(join(outside, 'AGENTS.md'), join(folder, 'AGENTS.md'));
      const uri = vscode.Uri.file(folder);
      const parts = { own: 'Mine.', folders: [{ uri, name: 'shop', index: 0 }], trusted: true };
      const near = (...paths: readonly string[]): readonly Near[] =>
        paths.map((path) => ({ uri: vscode.Uri.file(path), isFolder: false }));
      const found = await standingRules(near(join(folder, 'hidden/a.ts'), join(outside, 'a.ts')), parts);
      assert.deepEqual(names(found.rules), ['Your instructions']);
      assert.deepEqual(found.skipped, [
        { path: 'hidden/AGENTS.md', why: 'ignored' },
        { path: 'AGENTS.md', why: 'leadsOut' },
      ]);
      await rm(join(folder, 'AGENTS.md'));
      await writeFile(join(folder, 'AGENTS.md'), `${'x'.repeat(200_000)}\n`);
      const [, long] = (await standingRules([], parts)).rules;
      assert.match(long?.text ?? '', /^x{100000}\n\(The rest is left out: it is longer than this\.\)$/);
      await writeFile(join(folder, 'AGENTS.md'), Buffer.from([0, 1, 2, 0]));
      assert.deepEqual((await standingRules([], parts)).skipped, [{ path: 'AGENTS.md', why: 'unreadable' }]);
      const { rules, skipped } = await standingRules([], { ...parts, trusted: false });
      assert.deepEqual([names(rules), skipped], [['Your instructions'], []]);
      await rm(outside, { recursive: true });
    });
  });

  describe('a slash command', () => {
    it('brings its prompt and what is in front, as it was typed', async () => {
      const editor = await open(`${place}/a.ts`, 'const a = 1;\nconst b = 2;\n');
      editor.selection = new vscode.Selection(1, 0, 1, 12);
      stage.panel.type('/explain the second line');
      await shows(`${place}/a.ts`, '/explain');
      const chips = along().map(({ id }) => id);
      // What says the same is the same chip, however often it is looked for.
      await stage.written.set('kimiChat.instructions', 'Be brief.');
      await shows('Your instructions', `${place}/a.ts`, '/explain');
      assert.deepEqual(
        along()
          .slice(1)
          .map(({ id }) => id),
        chips,
      );
      await stage.written.set('kimiChat.instructions', '');
      await shows(`${place}/a.ts`, '/explain');
      const attached = await ask('/explain the second line');
      assert.deepEqual(
        attached.map(({ kind, range }) => [kind, range?.from]),
        [
          ['selection', 2],
          ['prompt', undefined],
        ],
      );
      assert.equal(lastTurn(stage.sessions.current).question.text, '/explain the second line');
      assert.match(sent(), /What \\"\/explain\\" asks for:\\n```markdown\\nExplain the attached code/);
      await shows();
    });

    it('is about what was attached, when something was', async () => {
      await open(`${place}/a.ts`, 'const a = 1;\n');
      stage.draft.attach([chip('mine')]);
      assert.deepEqual(names(await ask('/tests')), ['mine.ts', '/tests']);
    });

    it('brings nothing that was taken off, and without its prompt it is words', async () => {
      await open(`${place}/a.ts`, 'const a = 1;\n');
      stage.panel.type('/doc it');
      await shows(`${place}/a.ts`, '/doc');
      stage.panel.tell({ kind: 'removeAttachment', attachment: along()[0]?.id ?? '' });
      await shows('/doc');
      assert.deepEqual(names(await ask('/doc it')), ['/doc']);
      stage.panel.type('/doc it');
      await shows(`${place}/a.ts`, '/doc');
      stage.panel.tell({ kind: 'removeAttachment', attachment: 'prompt-doc' });
      await shows();
      assert.deepEqual(await ask('/doc it'), []);
    });

    it('that is none is words', async () => {
      assert.deepEqual(await ask('/etc/hosts is odd'), []);
      assert.deepEqual(await ask('/nothing of ours'), []);
    });

    it('says what it lacks, and loses nothing', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      stage.panel.ask('/explain');
      await idle();
      assert.match(stage.panel.notices.join(), /\/explain is to be about/);
      assert.equal(stage.panel.state.draft, '/explain');
      assert.deepEqual(stage.sessions.current.conversation.turns, []);
      assert.deepEqual(names(await ask('/explain how closures work')), ['/explain']);
    });

    it('is about what was in front when it was sent, also when it waits for the answer before', async () => {
      const { simulator, panel } = stage;
      await open(`${place}/a.ts`, 'const a = 1;\n');
      simulator.reply(answer(text('One ', gate('g'), 'done.')), answer(text('Two.')));
      panel.ask('First?');
      await simulator.reached('g');
      panel.ask('/explain');
      await stage.dealtWith();
      await open(`${place}/b.ts`, 'const b = 1;\n');
      await write('AGENTS.md', 'Use pnpm.\n');
      simulator.open('g');
      await panel.until(({ mirror }) => mirror?.conversation.turns[1]?.end !== undefined);
      assert.deepEqual(names(lastTurn(stage.sessions.current).question.attachments), [
        'AGENTS.md',
        `${place}/a.ts`,
        '/explain',
      ]);
    });

    it('is another when the question is changed, and stays as it was when it is not', async () => {
      await open(`${place}/a.ts`, 'const a = 1;\n');
      await ask('/explain');
      const turn = lastTurn(stage.sessions.current);
      const kept = turn.question.attachments.map(({ id }) => id);
      stage.simulator.reply(answer(text('Else.')), answer(text('Again.')));
      stage.panel.tell({ kind: 'edit', id: 'e1', turn: turn.id, text: '/tests', attachments: kept });
      await idle();
      const other = lastTurn(stage.sessions.current);
      assert.deepEqual(names(other.question.attachments), [`${place}/a.ts`, '/tests']);
      const ids = other.question.attachments.map(({ id }) => id);
      stage.panel.tell({ kind: 'edit', id: 'e2', turn: other.id, text: '/tests ', attachments: ids });
      await idle();
      assert.deepEqual(names(lastTurn(stage.sessions.current).question.attachments), [
        `${place}/a.ts`,
        '/tests',
      ]);
    });

    it('is weighed with a question that is changed, as it would be sent', async () => {
      await open(`${place}/a.ts`, 'const a = 1;\n'.repeat(500));
      await write('.github/prompts/release.prompt.md', `---\nmodel: kimi-k3\n---\n${'Notes. '.repeat(2000)}`);
      await ask('Why?');
      const turn = lastTurn(stage.sessions.current).id;
      await write('AGENTS.md', 'Use pnpm. '.repeat(1000));
      const { model, effort } = stage.settings.choice;
      const weigh = async (words: string): Promise<number> => {
        const before = stage.panel.state.weighed;
        stage.panel.tell({
          ...{ kind: 'weigh', turn, model, effort },
          edit: { text: words, attachments: [] },
        });
        await stage.panel.until(({ weighed }) => weighed !== before);
        return stage.panel.state.weighed.at(-1)?.next.input ?? 0;
      };
      const bare = await weigh('Why not?');
      assert.ok(bare > 2000, `${bare} tokens without the instructions`);
      assert.ok((await weigh('/explain')) > bare + 1500, 'with the code in front');
      stage.simulator.reply(answer(text('So.')));
      const release = await weigh('/release');
      assert.ok(release > bare + 2000, 'with the words of its prompt');
      stage.panel.tell({ kind: 'edit', id: 'edit', turn, text: '/release', attachments: [] });
      await idle();
      assert.equal(lastTurn(stage.sessions.current).requests[0]?.expectedInput, release);
    });
  });

  describe('the code that a command is about', () => {
    const uri = vscode.Uri.file('/shop/a.ts');
    const shown = chip('shown');
    const diff = (what: string): Attachment => ({ ...chip(what), kind: 'diff' });
    interface Around {
      readonly front?: readonly Attachment[] | AttachProblem;
      readonly selected?: true;
      readonly problems?: true;
      readonly changes?: readonly ('staged' | 'working')[];
      readonly git?: AttachProblem;
    }
    const found = async (name: string, around: Around, argument = ''): Promise<unknown> => {
      const { front, selected, problems, changes = [], git } = around;
      const sources: CodeSources = {
        inFront: () =>
          front === undefined
            ? undefined
            : {
                uri,
                ...(selected && { selection: new vscode.Range(0, 0, 0, 1) }),
                attach: () => (typeof front === 'string' ? err(front) : ok(front)),
              },
        problems: () =>
          Promise.resolve(
            problems ? ok([{ ...chip('problems'), kind: 'problems' as const }]) : err('noProblems'),
          ),
        diff: (what) =>
          Promise.resolve(
            changes.includes(what)
              ? ok([diff(what)])
              : err(git ?? (what === 'staged' ? ('noStaged' as const) : ('noChanges' as const))),
          ),
      };
      const code = await commandCode(name, { attached: [], argument, sources });
      return code.ok ? code.value.map(({ id }) => id) : code.error;
    };

    it('is what is in front, for a fix with the problems there', async () => {
      assert.deepEqual(await found('explain', { front: [shown], problems: true }), ['shown']);
      assert.deepEqual(await found('fix', { front: [shown], problems: true }), ['shown', 'problems']);
      assert.deepEqual(await found('fix', { front: [shown] }), ['shown']);
      assert.deepEqual(await found('fix', { front: 'empty' }, 'the build'), []);
      assert.match(String(await found('doc', { front: 'tooLong' })), /more than 1,000,000 characters/);
      assert.match(String(await found('tests', {})), /\/tests is to be about/);
      assert.deepEqual(await found('release', {}), []);
    });

    it('is the changes for a review, unless something is selected', async () => {
      const both = ['staged', 'working'] as const;
      assert.deepEqual(await found('review', { front: [shown], changes: both }), ['staged', 'working']);
      assert.deepEqual(await found('review', { front: [shown], selected: true, changes: both }), ['shown']);
      assert.deepEqual(await found('review', { front: [shown], changes: ['working'] }), ['working']);
      assert.deepEqual(await found('review', { front: [shown], git: 'noRepository' }), ['shown']);
      assert.match(String(await found('review', { git: 'noGit' })), /no changes to review/);
      assert.match(String(await found('review', { front: [shown], git: 'tooLong' })), /more than 1,000,000/);
    });

    it('is what is staged for a commit, else what is changed', async () => {
      assert.deepEqual(await found('commit', { changes: ['staged', 'working'] }), ['staged']);
      assert.deepEqual(await found('commit', { front: [shown], changes: ['working'] }), ['working']);
      assert.match(String(await found('commit', {})), /nothing to commit/);
      assert.match(String(await found('commit', { git: 'noRepository' }, 'words')), /Git repository/);
    });
  });

  describe('a prompt file', () => {
    const log = newLog();
    after(() => log.dispose());

    it('is a command of the workspace or of the person, with what was typed filled in', async () => {
      const own = await mkdtemp(join(tmpdir(), 'own-'));
      await stage.written.set('kimiChat.promptsFolder', own);
      await writeFile(join(own, 'greet.prompt.md'), '---\ndescription: Greets\n---\nGreet ${input:who}.');
      await writeFile(join(own, 'release.prompt.md'), 'Not this one.');
      await writeFile(join(own, 'broken.prompt.md'), Buffer.from([0, 1, 2, 0]));
      await writeFile(join(own, 'empty.prompt.md'), '---\ndescription: x\n---\n');
      await write(
        '.github/prompts/release.prompt.md',
        '---\nmodel: kimi-k3\nagent: agent\n---\nNotes for ${input:version:Which version?} of ${workspaceFolderBasename}.',
      );
      await write('.github/prompts/fix.prompt.md', 'Our own way to fix.');
      await write('.github/prompts/notes.md', 'No prompt.');
      const offered = (await stage.prompts.candidates()).map(
        ({ label, kind, detail }) => `${label} ${kind} ${detail}`,
      );
      assert.ok(offered.includes('/greet prompt Greets'), offered.join('\n'));
      assert.ok(offered.includes('/fix prompt .github/prompts/fix.prompt.md'), offered.join('\n'));
      assert.equal(offered.filter((one) => one.startsWith('/release ')).length, 1);
      assert.equal(
        offered.some((one) => /broken|empty|notes/.test(one)),
        false,
      );
      stage.panel.type('/release 1.2');
      await shows('.github/prompts/release.prompt.md');
      assert.match(
        stage.panel.state.mirror?.panel.along?.note ?? '',
        /asks with K3\..*not used here: agent\./,
      );
      await ask('/release 1.2');
      assert.match(sent(), /Notes for 1\.2 of corner-shop\./);
      assert.match(sent(), /^\{"model":"kimi-k3",/);
      await ask('/GREET "the world"');
      assert.match(sent(), /Greet \\"the world\\"\./);
      assert.match(sent(), /^\{"model":"kimi-k3\.1-pro",/);
      await rm(own, { recursive: true });
    });

    it('brings the files that it names, as far as they are in the workspace and may be read', async () => {
      const outside = await mkdtemp(join(tmpdir(), 'outside-'));
      await writeFile(join(outside, 'secret.md'), 'Not yours.');
      await writeFile(join(folder, '.gitignore'), 'hidden.md\n');
      await write(`${place}/hidden.md`, 'Hidden.');
      await write(`${place}/a b.md`, 'By its name.');
      await symlink(join(outside, 'secret.md'), join(folder, 'out.md'));
      await write('.github/rules.md', 'The rules.');
      await write(
        '.github/prompts/release.prompt.md',
        [
          `Follow [the rules](../rules.md#top), #file:../rules.md and #file:'${place}/a b.md'.`,
          `Not #file:${place}/hidden.md, #file:${place}/out.md, #file:../../../../etc/hosts or #file:gone.md.`,
          'Write [links](https://example.com/x.md) and [such](not/there.md).',
        ].join('\n'),
      );
      stage.panel.type('/release');
      await shows('.github/rules.md', `${place}/a b.md`, '.github/prompts/release.prompt.md');
      assert.equal(
        stage.panel.state.mirror?.panel.along?.note,
        `release.prompt.md names files that can’t be attached: ${place}/hidden.md, ${place}/out.md, ../../../../etc/hosts, gone.md.`,
      );
      assert.deepEqual(names(await ask('/release')), [
        ...['.github/rules.md', `${place}/a b.md`, '.github/prompts/release.prompt.md'],
      ]);
      assert.match(sent(), /The rules\./);
      assert.doesNotMatch(sent(), /Not yours|Hidden\./);
      await rm(outside, { recursive: true });
    });

    it('is none of a workspace that is not trusted', async () => {
      await write('.github/prompts/greet.prompt.md', 'Greet.');
      const settings = { promptsFolder: 'relative/folder' };
      const find = (trusted: boolean): Promise<unknown> =>
        new Prompts({ settings, log, trusted: () => trusted }).find('greet');
      assert.ok(await find(true));
      assert.equal(await find(false), undefined);
    });
  });

  describe('the message of a commit', () => {
    interface Repository {
      readonly rootUri: vscode.Uri;
      readonly inputBox: { value: string };
    }
    interface Git {
      readonly repositories: readonly Repository[];
      openRepository(root: vscode.Uri): Promise<Repository | null>;
      readonly onDidCloseRepository: vscode.Event<Repository>;
    }

    it('is written for what is staged and goes into the source control, over nothing that was typed there', async () => {
      await write(`${place}/a.ts`, 'one\n');
      const git = newRepository(folder);
      const extension = vscode.extensions.getExtension<{ getAPI(version: 1): Git }>('vscode.git');
      const api = (await extension?.activate())?.getAPI(1) ?? assert.fail('the git extension is there');
      const repository = (await api.openRepository(vscode.Uri.file(folder))) ?? assert.fail('no repository');
      stage.panel.ask('/commit');
      await idle();
      assert.deepEqual(stage.panel.notices, ['There is nothing to commit: no file is changed.']);
      await write(`${place}/a.ts`, 'two\n');
      git('add', '.');
      await write(`${place}/a.ts`, 'three\n');
      const reply = answer(text('```\nCount to two\n\nOne was too few.\n```'));
      assert.deepEqual(names(await ask('/commit', reply)), ['Staged changes', '/commit']);
      assert.match(sent(), /-one\\n\+two/);
      assert.doesNotMatch(sent(), /\+three/);
      const { id } = lastTurn(stage.sessions.current);
      stage.panel.tell({ kind: 'useCommitMessage', turn: id });
      await stage.dealtWith();
      assert.equal(repository.inputBox.value, 'Count to two\n\nOne was too few.');
      assert.deepEqual(stage.panel.notices.length, 1);
      const closed = new Promise<void>((resolve) => {
        const listener = api.onDidCloseRepository(() => {
          listener.dispose();
          resolve();
        });
      });
      await vscode.commands.executeCommand('git.close', repository);
      await rm(join(folder, '.git'), { recursive: true });
      await closed;
    });
  });
});
