/** Going back to a turn: another text, another model, a conversation of its own, deleted turns; and what was there before stays. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import type { ProposalSummary } from '../../src/core/conversation/conversation.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { historyItem } from '../../src/host/history/historyItems.ts';
import { HistoryList } from '../../src/host/history/historyList.ts';
import type { ChatSession } from '../../src/host/sessions/session.ts';
import { Sessions } from '../../src/host/sessions/sessions.ts';
import type { ToWebview, TurnVersions } from '../../src/protocol/toWebview.ts';
import {
  answer,
  applyPatch,
  gate,
  incomplete,
  refuse,
  startSimulator,
  text,
  type Reply,
} from '../simulator/main.ts';
import {
  ChatStage,
  chip,
  choice,
  clientAt,
  lastTurn,
  newLog,
  noKeys,
  parts,
  sessionPorts,
  familiesAsked,
} from './chatStage.ts';

describe('branches', () => {
  let stage: ChatStage;
  beforeEach(async () => {
    stage = await ChatStage.open();
    await stage.connect();
    stage.panel.show();
  });
  afterEach(async () => {
    assert.deepEqual(stage.simulator.violations, []);
    await stage.close();
  });

  const idle = async (): Promise<void> => {
    await stage.dealtWith();
    await stage.sessions.current.whenIdle();
  };
  const ask = async (question: string, ...replies: readonly Reply[]): Promise<string> => {
    stage.simulator.reply(...replies);
    stage.panel.ask(question);
    await idle();
    return lastTurn(stage.sessions.current).id;
  };
  const edit = (turn: string, words: string, id = 'edit', attachments: string[] = []): void =>
    stage.panel.tell({ kind: 'edit', id, turn, text: words, attachments });
  const again = (turn: string, id = 'again', effort = 'max'): void =>
    stage.panel.tell({ kind: 'answerAgain', id, turn, model: 'kimi-k3', effort });
  const shownAnswers = (): readonly string[] =>
    stage.sessions.current.conversation.turns.map((turn) => parts(turn).join());
  /** What the service was sent last, item by item. */
  const lastInput = (): readonly string[] => inputOf(stage.simulator.requests.at(-1)?.body);
  const versions = (): readonly TurnVersions[] => stage.panel.state.mirror?.versions ?? [];
  const posted = <K extends ToWebview['kind']>(kind: K): Extract<ToWebview, { kind: K }>[] =>
    stage.panel.posts.filter((post): post is Extract<ToWebview, { kind: K }> => post.kind === kind);

  describe('an edited question', () => {
    it('is asked with its chips in a branch, and the turns before it are sent as they were', async () => {
      const { draft, sessions, panel } = stage;
      await ask('First?', answer(text('One.')));
      draft.attach([chip('a'), chip('b')].map((one) => ({ ...one, uri: `untitled:${one.path}` })));
      const second = await ask('Secnd?', answer(text('What?')));
      const before = sessions.current;
      const kept = before.conversation;
      stage.simulator.reply(answer(text('Two.')));
      edit(second, '  Second?\n', 'edit', ['b']);
      await idle();
      assert.notEqual(sessions.current, before);
      assert.equal(before.conversation, kept);
      assert.deepEqual(shownAnswers(), ['answer: One.', 'answer: Two.']);
      const { question } = lastTurn(sessions.current);
      assert.equal(question.text, 'Second?');
      assert.deepEqual(
        question.attachments.map(({ path }) => path),
        ['b.ts'],
      );
      const input = lastInput();
      assert.deepEqual(input.slice(0, 2), ['user: First?', 'assistant: One.']);
      assert.match(input[2] ?? '', /^user: b\.ts \(typescript\):[^]*const b = 1;[^]*\|Second\?$/);
      assert.equal(input.length, 3);
      // It begins as what was sent before: the service finds it in its cache.
      assert.deepEqual(lastTurn(sessions.current).requests[0]?.beginning, { kind: 'grown' });
      assert.deepEqual(panel.notices, []);
      assert.equal(posted('editTaken').length, 1);
    });

    it('leaves a running answer running, and is a version of its turn', async () => {
      const { simulator, sessions, panel } = stage;
      simulator.reply(answer(text('Slow', gate('slow'), '.')), answer(text('Quick.')));
      panel.ask('Why?');
      await stage.dealtWith();
      await simulator.reached('slow');
      const before = sessions.current;
      const turn = lastTurn(before).id;
      edit(turn, 'Why not?');
      await idle();
      assert.ok(before.running);
      const both = versions()[0];
      assert.deepEqual(
        both?.versions.map(({ end }) => end),
        [undefined, 'completed'],
      );
      assert.equal(both?.turn, lastTurn(sessions.current).id);
      simulator.open('slow');
      await before.whenIdle();
      assert.deepEqual(parts(lastTurn(before)), ['answer: Slow.']);
      await panel.until(() => versions()[0]?.versions[0]?.end === 'completed');
      assert.ok((versions()[0]?.versions[0]?.requests[0]?.usage?.output ?? 0) > 0);
    });

    it('can be of a turn of which only a failed question is there', async () => {
      const turn = await ask('Why', refuse(400, { message: 'No', type: 'invalid_request_error' }));
      stage.simulator.reply(answer(text('Because.')));
      edit(turn, 'Why?');
      await idle();
      assert.deepEqual(lastInput(), ['user: Why?']);
      assert.deepEqual(shownAnswers(), ['answer: Because.']);
    });

    it('is asked in a branch of its own, though a new chat is begun while it is being prepared', async () => {
      const { changes, sessions, panel, simulator } = stage;
      const turn = await ask('Why?', answer(text('Because.')));
      const looking = Promise.withResolvers<undefined>();
      const looked = Promise.withResolvers<undefined>();
      const look = changes.look.bind(changes);
      changes.look = async (...about) => {
        looking.resolve(undefined);
        await looked.promise;
        await look(...about);
      };
      edit(turn, 'Why not?');
      await looking.promise;
      panel.tell({ kind: 'newChat' });
      await panel.until(() => panel.state.mirror?.conversation.turns.length === 0);
      const fresh = sessions.current;
      simulator.reply(answer(text('So.')));
      looked.resolve(undefined);
      await stage.dealtWith();
      assert.equal(sessions.current, fresh);
      assert.deepEqual(fresh.conversation.turns, []);
      const branch = sessions.window.all.find(({ parent }) => parent?.turn === turn);
      await branch?.whenIdle();
      assert.deepEqual(branch?.conversation.turns.map(parts), [['answer: So.']]);
    });

    it('is asked once, however often it is sent; and again when it could not be asked', async () => {
      const { simulator, panel, written } = stage;
      const turn = await ask('Why?', answer(text('Because.')));
      await written.set('kimiChat.baseUrl', 'not an address');
      edit(turn, 'Why not?');
      await idle();
      assert.equal(panel.notices.length, 1);
      await written.set('kimiChat.baseUrl', simulator.url);
      simulator.reply(answer(text('So.')));
      edit(turn, 'Why not?');
      edit(turn, 'Why not?');
      await idle();
      edit(turn, 'Why not?');
      await idle();
      assert.equal(simulator.requests.length, 2);
      assert.equal(panel.notices.length, 1);
      assert.equal(familiesAsked(stage.sessions).flat().length, 2);
    });

    it('is not asked without a text, nor of what is not there', async () => {
      const turn = await ask('Why?', answer(text('Because.')));
      edit(turn, ' \n');
      await idle();
      assert.deepEqual(stage.panel.notices, []);
      edit('nowhere', 'Why not?');
      await idle();
      assert.equal(familiesAsked(stage.sessions).flat().length, 1);
      assert.deepEqual(stage.panel.notices, ['This question is no longer known.']);
    });
  });

  describe('a turn that is answered again', () => {
    it('is asked the same with the model and effort that were chosen, which the settings keep', async () => {
      const { settings, sessions, simulator } = stage;
      const { model, effort } = settings.choice;
      const turn = await ask('Why?', answer(text('Because.')));
      simulator.reply(answer(text('For this reason.')));
      again(turn);
      await idle();
      const body = simulator.requests.at(-1)?.body;
      assert.equal(body?.['model'], 'kimi-k3');
      assert.deepEqual(lastInput(), ['user: Why?']);
      assert.deepEqual(
        versions()[0]?.versions.map((one) => [one.model, one.end]),
        [
          [model, 'completed'],
          ['kimi-k3', 'completed'],
        ],
      );
      assert.deepEqual([settings.choice.model, settings.choice.effort], [model, effort]);
      assert.equal(familiesAsked(sessions).length, 1);
      assert.equal(familiesAsked(sessions)[0]?.length, 2);
    });

    it('is not asked of a model that is none, or at an effort that it does not have', async () => {
      const turn = await ask('Why?', answer(text('Because.')));
      stage.panel.tell({ kind: 'answerAgain', id: '1', turn, model: 'gpt', effort: 'max' });
      again(turn, '2', 'extreme');
      await idle();
      assert.equal(stage.simulator.requests.length, 1);
    });

    it('can be gone through, from branches of branches too; what is not shown as a version can’t', async () => {
      const { simulator, sessions, panel } = stage;
      await ask('First?', answer(text('1a')));
      const second = await ask('Second?', answer(text('2a')));
      const old = sessions.current;
      simulator.reply(answer(text('2b')), answer(text('2c')), answer(text('1b')));
      again(second, 'b');
      await idle();
      again(lastTurn(sessions.current).id, 'c');
      await idle();
      // Of a turn that was taken along.
      again(sessions.current.conversation.turns[0]?.id ?? '', 'd');
      await idle();
      assert.deepEqual(shownAnswers(), ['answer: 1b']);
      const [one] = versions()[0]?.versions ?? [];
      assert.equal(versions()[0]?.versions.length, 2);
      assert.ok(one);
      // The branch that was shown last has it.
      panel.tell({ kind: 'showVersion', conversation: one.conversation, turn: one.turn });
      await idle();
      assert.deepEqual(shownAnswers(), ['answer: 1a', 'answer: 2c']);
      assert.deepEqual(
        versions().map((each) => each.versions.length),
        [2, 3],
      );
      const oldest = versions()[1]?.versions[0];
      assert.equal(oldest?.turn, second);
      panel.tell({ kind: 'showVersion', conversation: oldest.conversation, turn: 'another' });
      await idle();
      assert.notEqual(sessions.current, old);
      panel.tell({ kind: 'showVersion', conversation: oldest.conversation, turn: oldest.turn });
      await idle();
      assert.equal(sessions.current, old);
      assert.equal(panel.state.mirror?.conversation.id, old.conversation.id);
    });

    it('is asked about first when it is dear', async () => {
      const { written, panel, simulator } = stage;
      const turn = await ask('Why?', answer(text('Because.')));
      const asked = stage.sessions.current;
      await written.set('kimiChat.confirmAbove', 0.000001);
      again(turn);
      edit(turn, 'Why not?');
      await idle();
      assert.deepEqual(
        posted('confirm').map((post) => post.asked.kind),
        ['answerAgain', 'edit'],
      );
      assert.equal(simulator.requests.length, 1);
      simulator.reply(answer(text('So.')), answer(text('And so.')));
      const [first, second] = posted('confirm');
      assert.ok(first && second);
      panel.tell({ ...first.asked, agreed: first.next.money.likely });
      await idle();
      assert.equal(lastTurn(stage.sessions.current).model, 'kimi-k3');
      assert.equal(simulator.requests.length, 2);
      stage.sessions.show(asked);
      panel.tell({ ...second.asked, agreed: second.next.money.likely });
      await idle();
      assert.equal(lastTurn(stage.sessions.current).question.text, 'Why not?');
    });

    it('is weighed before', async () => {
      const { panel } = stage;
      await ask('First?', answer(text('One.')));
      const turn = await ask('Why?', answer(text('Because.')));
      const { model, effort } = stage.settings.choice;
      panel.tell({ kind: 'weigh', turn, model: 'kimi-k3', effort: 'max' });
      panel.tell({ kind: 'weigh', turn, model, effort });
      panel.tell({ kind: 'weigh', turn, model, effort, edit: { text: 'x '.repeat(9000), attachments: [] } });
      panel.tell({ kind: 'weigh', turn: 'nowhere', model, effort });
      panel.tell({ kind: 'weigh', turn, model: 'none', effort });
      await idle();
      const [other, same, long, ...more] = posted('weighed');
      assert.ok(other && same && long);
      assert.deepEqual([more.length, other.model, other.turn], [0, 'kimi-k3', turn]);
      assert.equal(other.next.cached, 0);
      assert.ok(long.next.input > same.next.input + 5000);
      assert.ok(same.next.input > 10);
      assert.deepEqual(panel.state.weighed, [
        { turn, model, effort, edited: false, next: same.next },
        { turn, model, effort, edited: true, next: long.next },
      ]);
    });
  });

  describe('versions', () => {
    it('are told to a panel that comes back, and not while text comes', async () => {
      const { panel, simulator, sessions } = stage;
      const turn = await ask('Why?', answer(text('Because.')));
      assert.equal(posted('versions').length, 0);
      simulator.reply(answer(text(...'abcdefgh'.split(''), gate('half'), ...'ijklmnop'.split(''))));
      again(turn);
      await stage.dealtWith();
      await simulator.reached('half');
      const told = posted('versions').length;
      simulator.open('half');
      await sessions.current.whenIdle();
      const last = posted('versions').slice(told);
      assert.ok(last.length <= 2, `${last.length} posts for one end`);
      assert.deepEqual(last.at(-1)?.turns, sessions.versions);
      const before = versions();
      panel.hide();
      panel.show();
      assert.deepEqual(versions(), before);
      panel.tell({ kind: 'newChat' });
      await idle();
      assert.deepEqual(versions(), []);
    });

    it('are compared in the diff editor, without a file', async () => {
      const { panel, simulator } = stage;
      const turn = await ask('Why?', answer(text('Because.\n\n- a')));
      simulator.reply(answer(text('Because.\n\n- b')));
      again(turn);
      await idle();
      const own = versions()[0];
      assert.ok(own);
      panel.tell({ kind: 'compareVersions', turn, with: own.turn });
      await idle();
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
      const { original, modified } = tab.input;
      const read = async (uri: vscode.Uri): Promise<string> =>
        (await vscode.workspace.openTextDocument(uri)).getText();
      assert.equal(await read(original), 'Because.\n\n- a\n');
      assert.equal(await read(modified), 'Because.\n\n- b\n');
      assert.match(tab.label, /version 1 ↔ version 2/);
      assert.notEqual(original.scheme, 'file');
      await vscode.window.tabGroups.close(tab);
      panel.tell({ kind: 'compareVersions', turn: own.turn, with: own.turn });
      panel.tell({ kind: 'compareVersions', turn: 'nowhere', with: own.turn });
      await idle();
      assert.equal(panel.notices.length, 2);
    });
  });

  describe('a fork', () => {
    it('is a conversation of its own with everything up to there', async () => {
      const { panel, simulator, sessions } = stage;
      const first = await ask('First?', answer(text('One.')));
      await ask('Second?', answer(text('Two.')));
      const old = sessions.current;
      panel.tell({ kind: 'fork', id: 'f', turn: first });
      panel.tell({ kind: 'fork', id: 'f', turn: first });
      await idle();
      assert.deepEqual(shownAnswers(), ['answer: One.']);
      assert.equal(familiesAsked(sessions).length, 2);
      await ask('Other?', answer(text('Three.')));
      assert.deepEqual(lastInput(), ['user: First?', 'assistant: One.', 'user: Other?']);
      assert.deepEqual(versions(), []);
      // Its versions are its own.
      simulator.reply(answer(text('1b')));
      again(first);
      await idle();
      assert.equal(versions()[0]?.versions.length, 2);
      sessions.show(old);
      assert.deepEqual(sessions.versions, []);
      assert.deepEqual(shownAnswers(), ['answer: One.', 'answer: Two.']);
    });

    it('waits for the end of the answer', async () => {
      const { panel, simulator, sessions } = stage;
      simulator.reply(answer(text('Slow', gate('slow'), '.')));
      panel.ask('Why?');
      await stage.dealtWith();
      await simulator.reached('slow');
      panel.tell({ kind: 'fork', id: 'f', turn: lastTurn(sessions.current).id });
      panel.tell({ kind: 'deleteTurn', turn: lastTurn(sessions.current).id });
      await stage.dealtWith();
      assert.equal(panel.notices.length, 2);
      assert.equal(familiesAsked(sessions).flat().length, 1);
      simulator.open('slow');
      await idle();
      panel.tell({ kind: 'fork', id: 'f', turn: lastTurn(sessions.current).id });
      await idle();
      assert.equal(familiesAsked(sessions).flat().length, 2);
    });
  });

  describe('a deleted turn', () => {
    it('is gone from what is shown and sent, stays in the bill, and can be had back', async () => {
      const { panel, sessions } = stage;
      const first = await ask('First?', answer(text('One.')));
      await ask('Second?', answer(text('Two.')));
      const { turns } = sessions.current.conversation;
      const used = (): number => panel.state.mirror?.panel.context?.used ?? assert.fail();
      const before = used();
      panel.tell({ kind: 'deleteTurn', turn: first });
      panel.tell({ kind: 'deleteTurn', turn: first });
      await idle();
      await panel.until(() => used() < before);
      await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.removed === true);
      assert.doesNotMatch(JSON.stringify(panel.state.mirror?.conversation), /First|One\./);
      assert.deepEqual(panel.state.mirror?.conversation.turns[0]?.requests, turns[0]?.requests);
      await ask('Third?', answer(text('Three.')));
      assert.deepEqual(lastInput(), ['user: Second?', 'assistant: Two.', 'user: Third?']);
      assert.equal(lastTurn(sessions.current).requests[0]?.beginning.kind, 'changed');
      panel.tell({ kind: 'restoreTurn', turn: first });
      panel.tell({ kind: 'restoreTurn', turn: first });
      await idle();
      assert.deepEqual(sessions.current.conversation.turns[0], turns[0]);
      assert.deepEqual(panel.notices, ['This question is no longer known.']);
      await ask('Fourth?', answer(text('Four.')));
      assert.equal(lastInput()[0], 'user: First?');
      assert.equal(lastInput().length, 7);
    });

    it('goes along into a branch, and can be had back there', async () => {
      const { panel, simulator, sessions } = stage;
      const first = await ask('First?', answer(text('One.')));
      const second = await ask('Second?', answer(text('Two.')));
      const old = sessions.current;
      panel.tell({ kind: 'deleteTurn', turn: first });
      simulator.reply(answer(text('2b')));
      again(second);
      await idle();
      assert.deepEqual(lastInput(), ['user: Second?']);
      panel.tell({ kind: 'restoreTurn', turn: first });
      await idle();
      assert.equal(sessions.current.conversation.turns[0]?.question.text, 'First?');
      assert.equal(old.conversation.turns[0]?.removed, true);
    });

    it('can be the last one, which then can’t be gone on with', async () => {
      const { panel, sessions } = stage;
      const turn = await ask('Why?', answer(text('Be', incomplete())));
      panel.tell({ kind: 'deleteTurn', turn });
      panel.tell({ kind: 'resume', turn });
      panel.tell({ kind: 'leaveOut', turn });
      edit(turn, 'Why not?');
      panel.tell({ kind: 'copyConversation' });
      await idle();
      assert.equal(stage.simulator.requests.length, 1);
      assert.equal(familiesAsked(sessions).flat().length, 1);
      assert.deepEqual(panel.notices, [
        'This can’t be changed while the turn goes on.',
        'There is nothing to copy yet.',
        'This question is no longer known.',
      ]);
    });
  });

  it('are listed once, with what is going on in any of them', async () => {
    const { panel, simulator, sessions, allSessions } = stage;
    const list = new HistoryList({ sessions: allSessions, clock: Date.now });
    const listed = async (): Promise<readonly string[]> => {
      const entries = await list.own(sessions.current);
      return entries.map((entry) => {
        const context = { now: Date.now(), isFiltered: false, actions: new Set<never>() };
        const { label, description } = historyItem({ kind: 'entry', entry }, context);
        return `${label} (${description?.replace(/ · [^·]*$/, '')})`;
      });
    };
    const turn = await ask('Why $(x)?', answer(text('Because.')));
    simulator.reply(answer(text('Slow', gate('slow'), '.')));
    edit(turn, 'Why not?');
    await stage.dealtWith();
    await simulator.reached('slow');
    panel.tell({ kind: 'newChat' });
    await idle();
    const other = await ask('Other $(x)?', answer(text('One.')));
    panel.tell({ kind: 'fork', id: 'f', turn: other });
    await idle();
    assert.deepEqual((await listed()).toSorted(), [
      'Other \\$(x)? (1 question)',
      'Other \\$(x)? (shown · forked · 1 question)',
      'Why not? (answering · 1 question · 2 versions)',
    ]);
    panel.tell({ kind: 'deleteTurn', turn: other });
    await idle();
    assert.ok((await listed()).some((line) => line.startsWith('All questions were deleted (shown')));
    const slow =
      familiesAsked(sessions)
        .flat()
        .find(({ running }) => running) ?? assert.fail();
    simulator.open('slow');
    await slow.whenIdle();
  });

  it('are copied as Markdown, with what was proposed', async () => {
    const { panel, commands } = stage;
    await ask('Why?', answer(text('Because ```x```.')));
    panel.tell({ kind: 'copyConversation' });
    await idle();
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^# Kimi Chat\n\n## Question\n\nWhy\?\n\n## Answer\n\nBecause ```x```\.\n\n_K3/);
    assert.match(copied, /_K3[^\n]* · high · [\d.,]+ s · \d+ tokens in, \d+ out · ≈ \$[\d.]+_\n$/);
    await vscode.env.clipboard.writeText('');
    await commands['kimiChat.copyConversation']?.();
    assert.equal(await vscode.env.clipboard.readText(), copied);
  });
});

describe('branches and what becomes of patches', () => {
  const proposal = (id: string, state: ProposalSummary['files'][number]['state']): ProposalSummary => ({
    id,
    files: [
      { index: 0, path: 'a.ts', change: 'update', added: 1, removed: 1, state, seen: true, amended: false },
    ],
  });
  /** Proposes, and leaves it to be decided later. */
  const tool: Tool = {
    declaration: {
      type: 'custom',
      name: 'apply_patch',
      description: 'd',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
    run: (call, context) => {
      context.proposal(proposal(call.id, 'pending'));
      return Promise.resolve({ kind: 'undecided', text: 'Not decided yet.' });
    },
  };
  const user = (question: string) =>
    ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] }) as const;

  it('every conversation that has the proposal is told, once each, whatever it was told before', async () => {
    const log = newLog();
    const simulator = await startSimulator({
      auth: 'optional',
      script: [
        answer(applyPatch('*** Begin Patch')),
        answer(text('Proposed.')),
        answer(text('2a')),
        answer(text('2b')),
        answer(text('2c')),
        answer(text('3')),
      ],
    });
    const sessions = new Sessions(sessionPorts(clientAt(simulator.url, noKeys, log), log, [tool]));
    const asked = async (session: ChatSession, question: string): Promise<string> => {
      assert.ok(
        session.askAs({ question: { text: question, attachments: [] }, message: user(question) }, choice),
      );
      await session.whenIdle();
      return lastTurn(session).id;
    };
    const lastInput = (): readonly string[] => inputOf(simulator.requests.at(-1)?.body);
    const one = sessions.empty();
    const first = await asked(one, 'first');
    const id = one.conversation.turns[0]?.parts.find((part) => part.kind === 'tool')?.proposal?.id ?? '';
    assert.notEqual(id, '');

    assert.equal(one.remove(first), 'waiting');
    assert.ok(sessions.tellLater(proposal(id, 'accepted'), 'It was accepted.'));
    const second = await asked(one, 'second');
    assert.ok(lastInput().includes('developer: It was accepted.'));

    // What it was told stands behind the point where the branch begins: it is told again there.
    const seed = one.seed(second, 'version');
    assert.ok(seed);
    const two = sessions.branch(JSON.parse(JSON.stringify(seed)) as typeof seed);
    await asked(two, 'second b');
    assert.equal(lastInput().filter((item) => item === 'developer: It was accepted.').length, 1);
    assert.deepEqual(
      simulator.requests.map(({ body }) => (body['tools'] as object[]).length),
      [1, 1, 1, 1],
    );

    assert.ok(sessions.tellLater(proposal(id, 'takenBack'), 'It was taken back.'));
    for (const session of [one, two]) {
      const part = session.conversation.turns[0]?.parts.find(({ kind }) => kind === 'tool');
      assert.equal(part?.kind === 'tool' && part.proposal?.files[0]?.state, 'takenBack');
    }
    // What it is about was deleted here: it is told when that is back, and the card then says the same.
    assert.equal(one.remove(first), undefined);
    assert.ok(sessions.tellLater(proposal(id, 'accepted'), 'It was accepted once more.'));
    await asked(one, 'third');
    assert.deepEqual(
      lastInput().filter((item) => item.startsWith('developer')),
      ['developer: It was accepted.'],
    );
    assert.ok(one.restore(first));
    const part = one.conversation.turns[0]?.parts.find(({ kind }) => kind === 'tool');
    assert.equal(part?.kind === 'tool' && part.proposal?.files[0]?.state, 'accepted');
    await asked(one, 'fourth');
    assert.equal(lastInput().at(-2), 'developer: It was taken back.|It was accepted once more.');
    assert.equal(sessions.tellLater(proposal('unknown', 'accepted'), 'x'), false);

    assert.deepEqual(simulator.violations, []);
    sessions.dispose();
    await simulator.close();
    log.dispose();
  });

  it('a model that goes back is told what stays in the files', async () => {
    const log = newLog();
    const simulator = await startSimulator({
      auth: 'optional',
      script: [answer(applyPatch('*** Begin Patch')), answer(text('Proposed.')), answer(text('Again.'))],
    });
    const sessions = new Sessions(sessionPorts(clientAt(simulator.url, noKeys, log), log, [tool]));
    const one = sessions.empty();
    one.ask('first', [], choice);
    await one.whenIdle();
    const { id: turn, parts: made } = lastTurn(one);
    const id = made.find((part) => part.kind === 'tool')?.proposal?.id ?? '';
    sessions.tellLater(proposal(id, 'accepted'), undefined);
    const seed = one.seed(turn, 'version');
    const question = one.asked(turn);
    assert.ok(seed && question);
    const two = sessions.branch(seed);
    two.askAs(question, choice);
    await two.whenIdle();
    assert.match(
      inputOf(simulator.requests.at(-1)?.body)[0] ?? '',
      /^developer: The user went back .* still in these files: "a\.ts"\./,
    );
    assert.deepEqual(simulator.violations, []);
    sessions.dispose();
    await simulator.close();
    log.dispose();
  });
});

/** Messages in short: `user: First?`, parts separated by bars; other items by their type. */
function inputOf(body: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const input = (body?.['input'] ?? []) as readonly {
    readonly type: string;
    readonly role?: string;
    readonly content?: readonly { readonly text: string }[];
  }[];
  return input.map(({ type, role, content = [] }) =>
    type === 'message' ? `${role}: ${content.map((part) => part.text).join('|')}` : type,
  );
}
