/** From the panel to the model and back: questions are asked once and never lost, whatever happens around them. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';

import { maxTextLength } from '../../src/protocol/toHost.ts';
import { answer, gate, refuse, text } from '../simulator/main.ts';
import { familiesAsked, ChatStage, chip, lastTurn, parts } from './chatStage.ts';

describe('a question from the panel', () => {
  let stage: ChatStage;
  let lookUp: HeldLookUp;
  beforeEach(async () => {
    lookUp = new HeldLookUp();
    stage = await ChatStage.open({ secrets: (real) => lookUp.over(real) });
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

  it('is asked with its chips, and leaves the composer', async () => {
    const { panel, simulator, sessions, draft } = stage;
    simulator.reply(answer(text('Because.')));
    draft.attach([chip('a')]);
    panel.ask('  Why?\n');
    await idle();
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    assert.deepEqual(panel.state.mirror?.conversation, sessions.current.conversation);
    assert.equal(lastTurn(sessions.current).question.text, 'Why?');
    assert.deepEqual(
      lastTurn(sessions.current).question.attachments.map(({ id }) => id),
      ['a'],
    );
    assert.equal(panel.state.draft, '');
    assert.equal(draft.text, '');
    assert.deepEqual(panel.state.mirror.panel.attachments, []);
    assert.deepEqual(panel.notices, []);
  });

  it('is asked once when Enter is pressed twice while the key is looked up', async () => {
    const { panel, simulator } = stage;
    simulator.reply(answer(text('Because.')), answer(text('Twice.')));
    lookUp.hold();
    panel.ask('Why?');
    panel.send();
    lookUp.letGo();
    await idle();
    panel.send();
    await idle();
    assert.equal(simulator.requests.length, 1);
    assert.deepEqual(panel.notices, []);
    assert.equal(panel.state.draft, '');
  });

  it('can be asked again, in the same words, once it was answered', async () => {
    const { panel, simulator } = stage;
    simulator.reply(answer(text('Because.')), answer(text('As I said.')));
    panel.ask('Why?');
    await idle();
    panel.ask('Why?');
    await idle();
    assert.equal(simulator.requests.length, 2);
  });

  it('is queued when another one is quicker', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('Because ', gate('wait'))), answer(text('Why indeed.')));
    lookUp.hold();
    panel.ask('Why?');
    panel.ask('Why not?');
    lookUp.letGo();
    await stage.dealtWith();
    assert.equal(panel.state.draft, '');
    assert.deepEqual(
      panel.state.mirror?.queue.questions.map(({ text: queued }) => queued),
      ['Why not?'],
    );
    assert.equal(sessions.current.conversation.turns.length, 1);
    await simulator.reached('wait');
    simulator.open('wait');
    await idle();
  });

  it('goes to the conversation in which it was sent, also when another is shown by then', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('One.')), answer(text('Two.')));
    panel.ask('First?');
    await idle();
    const first = sessions.current;
    lookUp.hold();
    panel.ask('Second?');
    panel.tell({ kind: 'newChat' });
    lookUp.letGo();
    await stage.dealtWith();
    await first.whenIdle();
    assert.notEqual(sessions.current, first);
    assert.deepEqual(sessions.current.conversation.turns, []);
    assert.deepEqual(
      first.conversation.turns.map(({ question }) => question.text),
      ['First?', 'Second?'],
    );
    assert.equal(panel.state.draft, '');
  });

  it('goes to a new conversation when it is sent right after that was asked for', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('One.')), answer(text('Two.')));
    panel.ask('First?');
    await idle();
    panel.tell({ kind: 'newChat' });
    panel.ask('Second?');
    await idle();
    assert.deepEqual(parts(lastTurn(sessions.current)), ['answer: Two.']);
    assert.equal(sessions.current.conversation.turns.length, 1);
    assert.equal(familiesAsked(sessions).flat().length, 2);
  });

  it('has the chips, the model and the effort of the moment in which it was sent', async () => {
    const { panel, simulator, draft, written } = stage;
    written.remember('kimiChat.model');
    simulator.reply(answer(text('Because.')));
    draft.attach([chip('a')]);
    // Not saved yet when the question is sent.
    panel.tell({ kind: 'setModel', model: 'kimi-k3' });
    lookUp.hold();
    panel.ask('Why?');
    draft.attach([chip('b')]);
    panel.tell({ kind: 'setModel', model: 'kimi-k3.1-pro' });
    lookUp.letGo();
    await idle();
    const { body, bodyText } = await simulator.nextRequest();
    assert.equal(body['model'], 'kimi-k3');
    assert.match(bodyText, /const a = 1/);
    assert.doesNotMatch(bodyText, /const b = 1/);
    assert.deepEqual(
      draft.attachments.map(({ id }) => id),
      ['b'],
    );
  });

  it('keeps the model that it was asked with when another one is picked meanwhile', async () => {
    const { panel, simulator, sessions, written } = stage;
    written.remember('kimiChat.model');
    simulator.reply(answer(text('One ', gate('wait'))), answer(text('Two.')));
    panel.ask('First?');
    await simulator.reached('wait');
    panel.tell({ kind: 'setModel', model: 'kimi-k3' });
    await stage.dealtWith();
    simulator.open('wait');
    await idle();
    panel.ask('Second?');
    await idle();
    assert.deepEqual(
      sessions.current.conversation.turns.map(({ model }) => model),
      ['kimi-k3.1-pro', 'kimi-k3'],
    );
  });

  it('is kept when its address is wrong, and the sentence says how', async () => {
    const { panel, written, sessions } = stage;
    await written.set('kimiChat.baseUrl', 'http://gateway.example');
    panel.ask('Why?');
    await stage.dealtWith();
    assert.deepEqual(panel.notices, [
      'The base URL in the settings must start with https: http://gateway.example',
    ]);
    assert.equal(panel.state.draft, 'Why?');
    assert.deepEqual(sessions.current.conversation.turns, []);
  });

  it('is kept when there is no key for its address, or when that can’t be read', async () => {
    const { panel, written, sessions, facts } = stage;
    await written.set('kimiChat.baseUrl', 'https://gateway.example');
    panel.ask('Why?');
    await stage.dealtWith();
    assert.match(panel.notices.at(-1) ?? '', /Set an API key first/);
    assert.equal(facts.current.key, 'missing');
    lookUp.fail();
    panel.send();
    await stage.dealtWith();
    assert.match(panel.notices.at(-1) ?? '', /could not be read/);
    assert.equal(panel.state.mirror?.panel.key, 'unreadable');
    assert.equal(panel.state.draft, 'Why?');
    assert.deepEqual(sessions.current.conversation.turns, []);
  });

  it('is nothing when it is blank', async () => {
    stage.panel.ask(' \n\t');
    await idle();
    assert.deepEqual(stage.panel.notices, []);
    assert.deepEqual(stage.sessions.current.conversation.turns, []);
  });

  it('may be long, and is refused with a sentence when it is longer than any window', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('Because.')));
    const long = `Why? ${'x'.repeat(200_000)}`;
    panel.ask(long);
    await idle();
    assert.equal(lastTurn(sessions.current).question.text, long);
    const longer = 'x'.repeat(maxTextLength + 1);
    panel.ask(longer);
    await idle();
    assert.match(panel.notices.join(), /too long to send/);
    assert.equal(panel.state.draft, longer);
    assert.equal(sessions.current.conversation.turns.length, 1);
  });

  it('is not shown as a draft again when the panel went away before it was taken', async () => {
    const { panel, simulator, sessions, draft } = stage;
    simulator.reply(answer(text('Because.')));
    lookUp.hold();
    panel.ask('Why?');
    panel.hide();
    lookUp.letGo();
    await idle();
    panel.show();
    assert.equal(panel.state.draft, '');
    assert.equal(draft.text, '');
    assert.deepEqual(panel.state.mirror?.conversation, sessions.current.conversation);
  });

  it('is not shown as a draft again in another conversation either', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('Because.')));
    lookUp.hold();
    panel.ask('Why?');
    panel.hide();
    lookUp.letGo();
    await idle();
    sessions.startNew();
    panel.show();
    assert.equal(panel.state.draft, '');
    assert.deepEqual(panel.state.mirror?.conversation.turns, []);
  });

  it('is still there when the panel went away and it could not be taken, though it was asked before', async () => {
    const { panel, simulator, written, draft } = stage;
    simulator.reply(answer(text('Because.')));
    panel.ask('Why?');
    await idle();
    await written.set('kimiChat.baseUrl', 'https://gateway.example');
    lookUp.hold();
    panel.ask('Why?');
    panel.hide();
    lookUp.letGo();
    await stage.dealtWith();
    panel.show();
    assert.equal(panel.state.draft, 'Why?');
    assert.equal(draft.text, 'Why?');
    assert.match(panel.state.notice ?? '', /Set an API key first/, 'what was told meanwhile is lost');
  });

  it('is taken when the panel was shown again in between', async () => {
    const { panel, simulator } = stage;
    simulator.reply(answer(text('Because.')));
    lookUp.hold();
    panel.ask('Why?');
    panel.hide();
    panel.show();
    assert.equal(panel.state.draft, 'Why?');
    lookUp.letGo();
    await idle();
    assert.equal(panel.state.draft, '');
  });

  it('can be gone on with, once, from the button that its failure offers', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(
      refuse(500, { message: 'No', type: 'server_error', code: null }),
      answer(text('Because.')),
    );
    panel.ask('Why?');
    await idle();
    const { id, end } = lastTurn(sessions.current);
    assert.equal(end?.kind, 'failed');
    panel.tell({ kind: 'resume', turn: id });
    panel.tell({ kind: 'resume', turn: id });
    await idle();
    assert.equal(simulator.requests.length, 2);
    assert.equal(lastTurn(sessions.current).end?.kind, 'completed');
    assert.deepEqual(panel.notices, []);
  });
});

/** The look-up of a key, held up or failing as a keyring can. */
class HeldLookUp {
  #held: Promise<void> = Promise.resolve();
  #release: () => void = () => {};
  #fails = false;

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  letGo(): void {
    this.#release();
  }

  fail(): void {
    this.#fails = true;
  }

  over(real: vscode.SecretStorage): vscode.SecretStorage {
    return {
      keys: () => real.keys(),
      get: async (key) => {
        await this.#held;
        if (this.#fails) throw new Error('locked');
        return real.get(key);
      },
      store: (key, value) => real.store(key, value),
      delete: (key) => real.delete(key),
      onDidChange: real.onDidChange,
    };
  }
}
