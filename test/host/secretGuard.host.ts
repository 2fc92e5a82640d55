/** What looks secret in questions that are sent later, asked again or written anew, and what becomes of the own key. */
import assert from 'node:assert/strict';

import type { SecretsStep, State } from '../../src/webview/store.ts';
import { answer, gate, text } from '../simulator/main.ts';
import { ChatStage, chip, lastTurn } from './chatStage.ts';

const random = 'q7Zb2XvK9mTf4RwYc8JdP3sLhG6nAeUoB5iDxWkM';
const token = `ghp_${random.slice(0, 36)}`;
const masked = `ghp_${'*'.repeat(48)}`;

function stepOf({ secrets }: State): SecretsStep {
  assert.ok(secrets, 'nothing was pointed out');
  return secrets;
}

describe('the guard against sending secrets', () => {
  let stage: ChatStage;
  beforeEach(async () => {
    stage = await ChatStage.open();
    await stage.connect();
    stage.panel.show();
  });
  afterEach(() => stage.close());

  const bodies = (): readonly string[] => stage.simulator.requests.map(({ bodyText }) => bodyText);

  const queued = (): readonly string[] =>
    (stage.panel.state.mirror?.queue.questions ?? []).map((one) => one.text);

  /** As the panel does: what was asked about is said again. */
  async function decide(choice: 'mask' | 'send'): Promise<void> {
    // Until then it is the question that is on its way already.
    await stage.dealtWith();
    const { check, asked } = stepOf(stage.panel.state);
    stage.panel.tell({ kind: 'decideSecrets', check, choice });
    stage.panel.tell(asked);
    await stage.dealtWith();
  }

  it('looks before a question is queued, and queues it masked', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('One.', gate('open'))), answer(text('Two.')));
    panel.ask('First?');
    await simulator.reached('open');
    stage.draft.attach([{ ...chip('env'), text: `const env = '${token}';\n` }]);
    panel.ask(`What is ${token}?`);
    await panel.until(({ secrets }) => secrets !== undefined);
    assert.deepEqual(
      stepOf(panel.state).places.map(({ chip: of }) => of?.path),
      [undefined, 'env.ts'],
    );
    assert.deepEqual(queued(), []);
    await decide('mask');
    await panel.until(({ mirror }) => mirror?.queue.questions.length === 1);
    assert.deepEqual(queued(), [`What is ${masked}?`]);
    assert.equal(panel.state.draft, '');
    assert.deepEqual(stage.draft.attachments, []);
    // What is kept to be recalled is kept on the disk.
    assert.deepEqual(stage.draft.askedBefore, ['First?', `What is ${masked}?`]);
    simulator.open('open');
    await panel.until(({ mirror }) => mirror?.conversation.turns.length === 2);
    await sessions.current.whenIdle();
    assert.ok(!bodies().join('').includes(token));
    assert.ok(bodies()[1]?.includes(`const env = '${masked}';`));
  });

  it('pauses a queue that an earlier version left, until the person has decided', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('One.')), answer(text('Two.')));
    stage.queue.add(sessions.current, { id: 'old', text: `Old ${token}`, attachments: [] });
    await panel.until(({ mirror }) => mirror?.queue.paused?.kind === 'secrets');
    assert.equal(bodies().length, 0);
    panel.tell({ kind: 'sendQueued', question: 'old' });
    await panel.until(({ secrets }) => secrets !== undefined);
    await decide('send');
    await sessions.current.whenIdle();
    assert.ok(bodies()[0]?.includes(`Old ${token}`));
    // It went out once: it is the same secret in any other question.
    panel.ask(`Again ${token}`);
    await stage.dealtWith();
    await sessions.current.whenIdle();
    assert.ok(bodies()[1]?.includes(`Again ${token}`));
  });

  it('looks at what is new in a changed question, and not at what was sent with it before', async () => {
    const { panel, simulator, sessions } = stage;
    simulator.reply(answer(text('One.')), answer(text('Two.')));
    const other = `hf_${random.slice(3, 37)}`;
    assert.ok(sessions.current.ask('Why?', [{ ...chip('env'), text: other }], stage.settings.choice));
    await sessions.current.whenIdle();
    const turn = lastTurn(sessions.current).id;
    const edited = `Why ${token}?`;
    // The panel asks about an edit that it shows.
    panel.tell({ kind: 'edit', id: 'e', turn, text: edited, attachments: ['env'] });
    await stage.dealtWith();
    const told = panel.posts.findLast((post) => post.kind === 'secrets');
    assert.ok(told);
    assert.deepEqual(
      told.places.map(({ chip: of, found }) => [of?.id, found.length]),
      [[undefined, 1]],
    );
    panel.tell({ kind: 'decideSecrets', check: told.check, choice: 'mask' });
    panel.tell(told.asked);
    await stage.dealtWith();
    await sessions.current.whenIdle();
    assert.equal(lastTurn(sessions.current).question.text, `Why ${masked}?`);
    assert.ok(bodies()[1]?.includes(other) && !bodies()[1]?.includes(token));
  });

  it('lets all but the own key pass when it is off', async () => {
    const { panel, simulator, sessions, settings } = stage;
    await stage.written.set('kimiChat.secretGuard', false);
    assert.ok(settings.address.ok);
    const own = `evo-${random.slice(0, 20)}`;
    stage.keys.useUntilClosed(settings.address.value.origin, own);
    simulator.reply(answer(text('One.')));
    panel.ask(`My key is ${own}, and ${token}`);
    await stage.dealtWith();
    await sessions.current.whenIdle();
    assert.equal(panel.state.secrets, undefined);
    const shown = lastTurn(sessions.current).question.text;
    assert.equal(shown, `My key is ${'*'.repeat(24)}, and ${token}`);
    assert.ok(!bodies()[0]?.includes(own));
  });
});
