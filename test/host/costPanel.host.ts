/** What the panel is told of money and of the context window, and what its buttons do about them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { leftOut } from '../../src/core/conversation/history.ts';
import type { Attachment } from '../../src/core/conversation/userMessage.ts';
import type { RoomKind } from '../../src/protocol/toWebview.ts';
import type { DearStep, State } from '../../src/webview/store.ts';
import { answer, applyPatch, gate, reasoning, refuse, text } from '../simulator/main.ts';
import { ChatStage, lastTurn } from './chatStage.ts';

const file: Attachment = {
  id: 'chip',
  kind: 'file',
  path: 'long.txt',
  uri: 'file:///long.txt',
  languageId: 'plaintext',
  text: 'A long file that takes up room. '.repeat(200),
};

function confirmOf({ confirm }: State): DearStep {
  assert.ok(confirm, 'nothing is asked');
  return confirm;
}

describe('the panel and what a conversation costs', () => {
  let stage: ChatStage;
  beforeEach(async () => {
    stage = await ChatStage.open();
    await stage.connect();
    stage.panel.show();
  });
  afterEach(async () => {
    await stage.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function ask(question: string, attachments: readonly Attachment[] = []): Promise<void> {
    const session = stage.sessions.current;
    assert.ok(session.ask(question, attachments, stage.settings.choice));
    await session.whenIdle();
  }

  function inputOf(index: number): string {
    return JSON.stringify(stage.simulator.requests[index]?.body);
  }

  it('is told how full the window is and what the question being written will cost', async () => {
    const { panel } = stage;
    await panel.until(({ mirror }) => mirror?.panel.context !== undefined);
    const before = panel.state.mirror?.panel.spending?.next.input ?? 0;
    panel.type('How much is it? '.repeat(500));
    await panel.until(({ mirror }) => (mirror?.panel.spending?.next.input ?? 0) > before + 1500);
    const shown = panel.state.mirror?.panel;
    assert.equal(shown?.context?.level, 'fine');
    assert.equal(shown.silenceSeconds, 900);
    assert.deepEqual(shown.room, []);
  });

  it('is asked about a dear question, keeps what was typed, and sends it at that price alone', async () => {
    const { panel, simulator } = stage;
    await stage.written.set('kimiChat.confirmAbove', 0.000_1);
    panel.ask('How much is it?');
    await stage.dealtWith();
    const held = panel.state.confirm;
    assert.ok(held?.asked.kind === 'send');
    assert.equal(held.asked.text, 'How much is it?');
    assert.equal(panel.state.draft, 'How much is it?');
    assert.equal(simulator.requests.length, 0);
    const { asked, next } = held;

    // Less than it costs: asked again.
    panel.tell({ ...asked, agreed: next.money.likely / 2 });
    await stage.dealtWith();
    assert.equal(simulator.requests.length, 0);

    simulator.reply(answer(text('Little.')));
    panel.tell({ ...asked, agreed: next.money.likely });
    await stage.dealtWith();
    await stage.sessions.current.whenIdle();
    assert.equal(simulator.requests.length, 1);
    assert.equal(panel.state.draft, '');
    assert.equal(panel.state.confirm, undefined);

    await stage.written.set('kimiChat.confirmAbove', 1000);
    simulator.reply(answer(text('Little.')));
    panel.ask('And now?');
    await stage.dealtWith();
    await stage.sessions.current.whenIdle();
    assert.equal(simulator.requests.length, 2);
  });

  it('is asked about going on with a turn, and about a summary, when they are dear', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('One.')), refuse(500, { message: 'no' }), answer(text('Two.')));
    await ask('First');
    await ask('Second');
    await stage.written.set('kimiChat.confirmAbove', 0.000_1);
    const turn = lastTurn(sessions.current).id;
    panel.tell({ kind: 'resume', turn });
    await stage.dealtWith();
    const confirm = confirmOf(panel.state);
    assert.deepEqual(confirm.asked, { kind: 'resume', turn });
    assert.equal(simulator.requests.length, 2);
    panel.tell({ ...confirm.asked, agreed: confirm.next.money.likely * 1.01 });
    await stage.dealtWith();
    await sessions.current.whenIdle();
    assert.equal(simulator.requests.length, 3);
    await panel.until(({ confirm: asked }) => asked === undefined);
    // Nothing is left to go on with: nobody is asked for nothing.
    panel.tell({ kind: 'resume', turn });
    await stage.dealtWith();
    assert.equal(panel.state.confirm, undefined);

    const before = sessions.current.conversation;
    panel.tell({ kind: 'summarize' });
    await stage.dealtWith();
    const again = confirmOf(panel.state);
    assert.deepEqual(again.asked, { kind: 'summarize' });
    assert.equal(sessions.current.conversation, before);
    simulator.reply(answer(text('A summary.')));
    panel.tell({ kind: 'summarize', agreed: again.next.money.likely * 1.01 });
    await stage.dealtWith();
    assert.equal(stage.draft.attachments[0]?.text, 'A summary.');
    assert.equal(simulator.requests.length, 4);
    assert.equal(panel.state.confirm, undefined);
  });

  it('leaves attachments out of a question that was too long, and asks it again', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(
      refuse(400, { message: 'too long', code: 'context_length_exceeded' }),
      answer(text('One.')),
    );
    await ask('First', [file]);
    const turn = lastTurn(sessions.current);
    assert.equal(turn.end?.kind === 'failed' && turn.end.failure.kind, 'contextTooLong');
    await panel.until(({ mirror }) => mirror?.panel.room?.[0]?.what === 'attachments');
    panel.tell({ kind: 'makeRoom', what: 'attachments' });
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.cut?.attachments === true);
    panel.tell({ kind: 'resume', turn: turn.id });
    await stage.dealtWith();
    await sessions.current.whenIdle();
    assert.doesNotMatch(inputOf(1), /takes up room/);
    assert.equal(lastTurn(sessions.current).end?.kind, 'completed');
  });

  it('leaves single attachments out, tells what that does to the next question, and takes all of it back', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('One.')), answer(text('Two.')));
    await ask('First', [file]);
    const { id } = lastTurn(sessions.current);
    await panel.until(({ mirror }) => mirror?.panel.room?.[0]?.files?.length === 1);
    const [offer] = panel.state.mirror?.panel.room ?? [];
    const [attached] = offer?.files ?? [];
    assert.deepEqual([attached?.turn, attached?.index], [id, 0]);
    assert.ok(offer?.effect && attached?.effect);
    // Less is sent, so it costs less once the cache has run out.
    assert.ok(offer.effect.moreLater < 0 && attached.effect.anew > 0);
    panel.tell({ kind: 'leaveOutFile', turn: id, file: 7 });
    panel.tell({ kind: 'leaveOutFile', turn: id, file: 0 });
    await panel.until(({ mirror }) => mirror?.panel.leftOut?.turns === 1);
    assert.deepEqual(lastTurn(sessions.current).cut, { files: [0] });
    await ask('Second');
    assert.doesNotMatch(inputOf(1), /takes up room/);
    panel.tell({ kind: 'takeBackCuts' });
    await panel.until(({ mirror }) => mirror !== undefined && mirror.panel.leftOut === undefined);
    assert.equal(sessions.current.conversation.turns[0]?.cut, undefined);
  });

  it('leaves a question out that was too long itself, so that the next one fits', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(
      answer(text('One.')),
      refuse(400, { message: 'too long', code: 'context_length_exceeded' }),
      answer(text('Two.')),
    );
    await ask('First');
    await ask('Much too long');
    const { id } = lastTurn(sessions.current);
    panel.tell({ kind: 'leaveOut', turn: id });
    await stage.dealtWith();
    assert.deepEqual(lastTurn(sessions.current).cut, { whole: true });
    panel.tell({ kind: 'resume', turn: id });
    await stage.dealtWith();
    assert.equal(simulator.requests.length, 2, 'what is left out is not gone on with');
    await ask('Shorter');
    assert.match(inputOf(2), /First/);
    assert.doesNotMatch(inputOf(2), /Much too long/);
    panel.tell({ kind: 'takeBackCut', turn: id });
    await stage.dealtWith();
    assert.deepEqual(panel.notices, []);
    assert.equal(sessions.current.conversation.turns[1]?.cut, undefined);
  });

  it('is not told what it knows, and is gathered for no panel that is away', async () => {
    const { panel, facts } = stage;
    await panel.until(({ mirror }) => mirror?.panel.context !== undefined);
    const told = (): number => panel.posts.filter(({ kind }) => kind === 'panel').length;
    const before = told();
    for (let time = 0; time < 3; time++) await facts.readKey();
    assert.equal(told(), before);
    panel.hide();
    let gathered = 0;
    const { current } = facts;
    Object.defineProperty(facts, 'current', {
      get: () => {
        gathered += 1;
        return current;
      },
    });
    await facts.readKey();
    stage.draft.attach([file]);
    assert.equal(gathered, 0);
    panel.show();
    assert.equal(gathered, 1);
  });

  it('is told of money and of the window when a request begins or ends, and not with each piece of an answer', async () => {
    const { panel, simulator } = stage;
    await panel.until(({ mirror }) => mirror?.panel.context !== undefined);
    const pieces = Array.from({ length: 3_000 }, (_, index) => `piece ${index} of a long answer, `);
    simulator.reply(answer(reasoning('Hm. '.repeat(500)), text('A', gate('a'), ...pieces, gate('b'), '.')));
    const session = stage.sessions.current;
    assert.ok(session.ask('How much is it?', [], stage.settings.choice));
    await simulator.reached('a');
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.parts.length === 2);
    const before = panel.posts.length;
    simulator.open('a');
    await simulator.reached('b');
    const whole = pieces.join('');
    await panel.until(({ mirror }) => {
      const part = mirror?.conversation.turns[0]?.parts[1];
      return part?.kind === 'answer' && part.sections.join('').endsWith(whole.slice(-40));
    });
    const streamed = panel.posts.slice(before);
    assert.deepEqual([...new Set(streamed.map(({ kind }) => kind))], ['events']);
    const bytes = streamed.reduce((sum, post) => sum + Buffer.byteLength(JSON.stringify(post)), 0);
    const most = 1.2 * Buffer.byteLength(whole) + 300 * streamed.length;
    assert.ok(bytes <= most, `${bytes} bytes in ${streamed.length} posts, ${most} at most`);
    simulator.open('b');
    await session.whenIdle();
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    const around = panel.posts.slice(before).filter(({ kind }) => kind === 'panel');
    assert.ok(around.length > 0 && around.length <= 3, `${around.length} posts around one answer`);
  });

  it('opens what was sent with a request of any turn', async () => {
    const { panel, simulator } = stage;
    simulator.reply(answer(text('One.')), answer(text('Two.')));
    await ask('First');
    await ask('Second');
    panel.tell({ kind: 'showSent', turn: lastTurn(stage.sessions.current).id, request: 0 });
    await stage.dealtWith();
    const shown = vscode.window.activeTextEditor?.document;
    assert.equal(shown?.uri.scheme, `${stage.schemes.proposal}-sent`);
    const { body } = (JSON.parse(shown.getText()) as { request: { body: unknown } }).request;
    assert.deepEqual(body, simulator.requests[1]?.body);
    panel.tell({ kind: 'showSent', turn: 'nobody', request: 0 });
    await stage.dealtWith();
    assert.deepEqual(panel.notices, ['What was sent is no longer known.']);
  });

  it('makes room by leaving out attachments, and takes that back', async () => {
    const { panel, simulator } = stage;
    simulator.reply(answer(text('One.')), answer(text('Two.')), answer(text('Three.')));
    await ask('First', [file]);
    await panel.until(({ mirror }) => (mirror?.panel.room?.length ?? 0) > 0);
    const [offer] = panel.state.mirror?.panel.room ?? [];
    assert.deepEqual([offer?.what, offer?.turns], ['attachments', 1]);
    const used = panel.state.mirror?.panel.context?.used ?? 0;

    panel.tell({ kind: 'makeRoom', what: 'attachments' });
    await panel.until(({ mirror }) => (mirror?.panel.context?.used ?? used) < used);
    const now = panel.state.mirror?.panel.context?.used ?? 0;
    const said = offer?.tokens ?? 0;
    assert.ok(Math.abs(used - now - said) < said * 0.2, `${used} to ${now}, ${said} were promised`);
    assert.deepEqual(panel.state.mirror?.conversation.turns[0]?.cut, { attachments: true });
    await ask('Second');
    assert.doesNotMatch(inputOf(1), /takes up room/);

    const { id } = stage.sessions.current.conversation.turns[0]!;
    panel.tell({ kind: 'takeBackCut', turn: id });
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.cut === undefined);
    await ask('Third');
    assert.match(inputOf(2), /takes up room/);
  });

  it('leaves out reasoning, results of tools and the oldest turn, and the next request has none of it', async () => {
    const { panel, simulator } = stage;
    simulator.reply(
      answer(reasoning('A thought of its own.'), text('One.')),
      answer(
        reasoning('It led to a call.'),
        applyPatch('*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch\n'),
      ),
      answer(text('Two.')),
    );
    await ask('First');
    await ask('Second');
    const outputs = (index: number): unknown[] =>
      (simulator.requests[index]!.body['input'] as { type: string; output?: unknown }[])
        .filter(({ type }) => type.endsWith('call_output'))
        .map(({ output }) => output);
    const next = async (what: RoomKind | undefined, question: string): Promise<number> => {
      if (what !== undefined) panel.tell({ kind: 'makeRoom', what });
      await stage.dealtWith();
      simulator.reply(answer(text('More.')));
      await ask(question);
      return simulator.requests.length - 1;
    };
    const whole = await next(undefined, 'Third');
    assert.match(inputOf(whole), /A thought of its own/);
    const [output] = outputs(whole);
    assert.ok(typeof output === 'string' && output.length > leftOut.length, String(output));

    const unreasoned = await next('reasoning', 'Fourth');
    assert.doesNotMatch(inputOf(unreasoned), /A thought of its own/);
    // Without what led to a call, the service refuses the call.
    assert.match(inputOf(unreasoned), /First.*One\..*Second.*It led to a call.*Two\..*Third/);
    assert.deepEqual(outputs(unreasoned), [output]);

    const short = await next('toolOutputs', 'Fifth');
    assert.deepEqual(outputs(short), [leftOut]);
    assert.doesNotMatch(inputOf(short), /A thought of its own/);

    const young = await next('oldestTurns', 'Sixth');
    assert.doesNotMatch(inputOf(young), /First|One\./);
    assert.match(inputOf(young), /Second.*Two\..*Fifth/);
    assert.deepEqual(outputs(young), [leftOut]);
    assert.deepEqual(simulator.violations, []);
  });

  describe('starts a new chat with a summary', () => {
    it('as a chip that can be looked at, and is sent with the next question', async () => {
      const { panel, simulator, sessions } = stage;
      simulator.reply(answer(text('One.')), answer(text('We counted ', 'to one.')), answer(text('Two.')));
      await ask('First');
      const old = sessions.current;
      panel.tell({ kind: 'summarize' });
      await stage.dealtWith();
      assert.equal(old.conversation.turns.length, 2);
      assert.match(lastTurn(old).question.text, /^Summarize this conversation/);
      assert.notEqual(sessions.current, old);
      assert.equal(sessions.current.conversation.turns.length, 0);
      await panel.until(({ mirror }) => mirror?.panel.attachments.length === 1);
      const [chip] = panel.state.mirror?.panel.attachments ?? [];
      assert.deepEqual([chip?.kind, chip?.path], ['summary', 'Summary of the last chat']);

      panel.tell({ kind: 'openAttachment', attachment: chip?.id ?? '' });
      await stage.dealtWith();
      assert.equal(vscode.window.activeTextEditor?.document.getText(), 'We counted to one.');
      assert.deepEqual(panel.notices, []);

      panel.ask('Go on');
      await stage.dealtWith();
      await sessions.current.whenIdle();
      assert.match(inputOf(2), /Summary of the conversation before this one:\\n\\nWe counted to one\./);
      assert.doesNotMatch(inputOf(2), /First/);
    });

    it('not when it fails or is stopped: everything is as before', async () => {
      const { panel, simulator, sessions } = stage;
      simulator.reply(
        answer(text('One.')),
        refuse(400, { message: 'no' }),
        answer(text('We ', gate('a'), 'c')),
      );
      await ask('First', [file]);
      const old = sessions.current;
      panel.tell({ kind: 'summarize' });
      await stage.dealtWith();
      assert.equal(lastTurn(old).end?.kind, 'failed');
      panel.tell({ kind: 'summarize' });
      await simulator.reached('a');
      panel.tell({ kind: 'stop' });
      simulator.open('a');
      await stage.dealtWith();
      assert.equal(lastTurn(old).end?.kind, 'stopped');
      assert.equal(sessions.current, old);
      assert.deepEqual(stage.draft.attachments, []);
      assert.equal(old.conversation.turns[0]?.cut, undefined);
    });

    it('not while an answer is coming', async () => {
      const { panel, simulator, sessions } = stage;
      simulator.reply(answer(text('One ', gate('a'), 'done.')));
      assert.ok(sessions.current.ask('First', [], stage.settings.choice));
      await simulator.reached('a');
      panel.tell({ kind: 'summarize' });
      await stage.dealtWith();
      assert.match(panel.notices[0] ?? '', /^An answer is still coming/);
      simulator.open('a');
      await sessions.current.whenIdle();
      assert.equal(simulator.requests.length, 1);
    });
  });
});
