/** The switch of the web search: what the panel is told, and what holds for which conversation. */
import assert from 'node:assert/strict';

import type { PanelState } from '../../src/protocol/toWebview.ts';
import { answer, refuse, text } from '../simulator/main.ts';
import { ChatStage } from './chatStage.ts';

describe('the switch of the web search', () => {
  let stage: ChatStage;
  beforeEach(async () => {
    stage = await ChatStage.open();
    await stage.connect();
    stage.panel.show();
    await stage.panel.until(({ mirror }) => mirror !== undefined);
  });
  afterEach(() => stage.close());

  const shown = async (
    wanted: (facts: NonNullable<PanelState['webSearch']>) => boolean,
  ): Promise<NonNullable<PanelState['webSearch']>> => {
    await stage.panel.until(({ mirror }) => {
      const facts = mirror?.panel.webSearch;
      return facts !== undefined && wanted(facts);
    });
    return stage.panel.state.mirror?.panel.webSearch ?? assert.fail();
  };
  const offered = (): readonly boolean[] =>
    stage.simulator.requests.map(({ bodyText }) => bodyText.includes('"type":"web_search"'));

  it('holds for its conversation, and tells that the cache is lost', async () => {
    const { panel, simulator, sessions } = stage;
    assert.deepEqual(await shown(() => true), { on: false });
    simulator.reply(answer(text('One.')), answer(text('Two.')), answer(text('Three.')));
    panel.ask('First?');
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    panel.tell({ kind: 'setWebSearch', on: true });
    assert.deepEqual(await shown(({ on }) => on), { on: true, differs: true });
    panel.ask('Second?');
    await panel.until(({ mirror }) => mirror?.conversation.turns[1]?.end !== undefined);
    assert.deepEqual(await shown(({ differs }) => differs === undefined), { on: true });
    const first = sessions.current;
    panel.tell({ kind: 'newChat' });
    assert.deepEqual(await shown(({ on }) => !on), { on: false });
    panel.ask('Other?');
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    sessions.show(first);
    assert.deepEqual(await shown(({ on }) => on), { on: true });
    assert.deepEqual(offered(), [false, true, false]);
    assert.deepEqual(simulator.violations, []);
  });

  it('can be turned off for a turn that the service refused because of it', async () => {
    const { panel, simulator } = stage;
    panel.tell({ kind: 'setWebSearch', on: true });
    const message = 'tools.0: tool type "web_search" is not supported';
    simulator.reply(refuse(400, { message, type: 'invalid_request_error' }), answer(text('Without.')));
    panel.ask('First?');
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    const [turn] = stage.sessions.current.conversation.turns;
    assert.deepEqual(turn?.end, { kind: 'failed', failure: { kind: 'noWebSearch', message } });
    panel.tell({ kind: 'setWebSearch', on: false });
    panel.tell({ kind: 'resume', turn: turn.id });
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end?.kind === 'completed');
    assert.deepEqual(offered(), [true, false]);
  });

  it('begins as the settings say, within the sites that they name', async () => {
    const { panel, simulator, written } = stage;
    await written.set('kimiChat.webSearchDomains', ['https://nodejs.org/', 'nonsense']);
    await written.set('kimiChat.webSearch', true);
    const facts = { on: true, domains: ['nodejs.org'], domainCount: 1, unread: 1 };
    assert.deepEqual(await shown(({ on }) => on), facts);
    simulator.reply(answer(text('One.')));
    panel.ask('First?');
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    assert.match(simulator.requests[0]?.bodyText ?? '', /"allowed_domains":\["nodejs\.org"\]/);
    await written.set('kimiChat.webSearchDomains', ['nonsense']);
    assert.deepEqual(await shown(({ unusable }) => unusable === true), {
      on: true,
      differs: true,
      unread: 1,
      unusable: true,
    });
    simulator.reply(answer(text('Two.')));
    panel.ask('Second?');
    await panel.until(({ mirror }) => mirror?.conversation.turns[1]?.end !== undefined);
    assert.deepEqual(offered(), [true, false]);
  });
});
