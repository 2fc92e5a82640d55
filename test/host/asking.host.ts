/** Questions of running tools in the host: who may answer them, how long an answer holds, and who is told that they wait. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import type { ApprovalRequest } from '../../src/core/conversation/approval.ts';
import { openApproval } from '../../src/core/conversation/waiting.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { ApprovalNotice } from '../../src/host/chat/approvalNotice.ts';
import { deafFor } from '../../src/host/sessions/approvals.ts';
import type { ChatSession } from '../../src/host/sessions/session.ts';
import { ChatPanels } from '../../src/host/chat/chatPanels.ts';
import { ComposerStore } from '../../src/host/composer/composerStore.ts';
import { Draft } from '../../src/host/composer/draft.ts';
import { PanelSessions } from '../../src/host/sessions/panelSessions.ts';
import { Sessions } from '../../src/host/sessions/sessions.ts';
import { OwnStorage } from '../../src/host/ownStorage.ts';
import type { Log } from '../../src/host/log.ts';
import { answer, functionCall, parallel, startSimulator, text, type Simulator } from '../simulator/main.ts';
import { choice, clientAt, lastTurn, newLog, noKeys, sessionPorts } from './chatStage.ts';

const look = (path: string): ReturnType<typeof functionCall> => functionCall('look', { path });

/** Reads nothing, and says what it was answered. */
const asking: Tool = {
  declaration: {
    ...{ type: 'function', name: 'look', description: 'Looks.', strict: true },
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  async run({ input }, context) {
    const { path } = JSON.parse(input) as { readonly path: string };
    const { kind } = await context.ask({ kind: 'read', why: 'ignored', path });
    return { kind: 'done', text: `${path}: ${kind}` };
  },
};

describe('questions of running tools', () => {
  let simulator: Simulator;
  let log: Log;
  let now: number;
  let sessions: PanelSessions;

  beforeEach(async () => {
    simulator = await startSimulator({ auth: 'optional' });
    log = newLog();
    now = 1_000_000;
    sessions = new PanelSessions(
      new Sessions({
        ...sessionPorts(clientAt(simulator.url, noKeys, log), log, [asking]),
        clock: () => now,
      }),
    );
  });
  afterEach(async () => {
    sessions.window.dispose();
    log.dispose();
    assert.deepEqual(simulator.violations, []);
    assert.equal(simulator.repliesLeft, 0, 'replies that no request has used');
    await simulator.close();
  });

  const openIn = (
    session: ChatSession,
  ): readonly { readonly id: string; readonly request: ApprovalRequest }[] =>
    lastTurn(session).parts.flatMap((part) => (part.kind === 'tool' ? (openApproval(part) ?? []) : []));

  /** Resolves as soon as so many questions are open. */
  const untilAsked = (session: ChatSession, count: number): Promise<void> =>
    new Promise((resolve) => {
      const listener = session.onDidHappen(() => {
        if (openIn(session).length !== count) return;
        listener.dispose();
        resolve();
      });
    });

  const outcomes = (session: ChatSession): readonly (string | undefined)[] =>
    lastTurn(session).parts.flatMap((part) => (part.kind === 'tool' ? [part.outcome?.text] : []));

  it('are answered once, not at once, and not again in the conversation', async () => {
    const session = sessions.current;
    simulator.reply(
      answer(parallel(look('a'), look('a'), look('b'))),
      answer(look('a')),
      answer(text('Seen.')),
    );
    const asked = untilAsked(session, 3);
    session.ask('Look.', [], choice);
    await asked;
    const [first, , third] = openIn(session);
    assert.ok(first && third);
    assert.equal(session.answer(first.id, { kind: 'allow' }), false, 'nobody has read it');
    now += deafFor;
    assert.equal(session.answer('made up', { kind: 'allow' }), false);
    assert.equal(session.answer(third.id, { kind: 'mask' }), false);
    assert.equal(session.answer(first.id, { kind: 'allow' }), true);
    assert.equal(session.answer(first.id, { kind: 'deny' }), false);
    assert.equal(session.answer(third.id, { kind: 'deny' }), true);
    await session.whenIdle();
    assert.deepEqual(outcomes(session), ['a: allow', 'a: allow', 'b: deny', 'a: allow']);

    simulator.reply(answer(parallel(look('a'), look('b'))), answer(text('Seen.')));
    const again = untilAsked(session, 1);
    session.ask('Once more.', [], choice);
    await again;
    const [open] = openIn(session);
    assert.ok(
      open?.request.kind === 'read' && open.request.path === 'b',
      'what was denied may be thought over',
    );
    session.stop();
    await session.whenIdle();
    assert.deepEqual(outcomes(session), ['a: allow', 'b: cancelled']);
    simulator.dropReplies();

    // Another conversation knows nothing of it.
    sessions.startNew();
    simulator.reply(answer(look('a')), answer(text('Seen.')));
    const anew = untilAsked(sessions.current, 1);
    sessions.current.ask('Look.', [], choice);
    await anew;
    now += deafFor;
    sessions.current.answer(openIn(sessions.current)[0]?.id ?? '', { kind: 'allow' });
    await sessions.current.whenIdle();
  });

  it('are told of where nobody sees them, once, and lead there', async () => {
    const badges: string[] = [];
    const messages: string[] = [];
    const focused: string[] = [];
    let press: ((button: string | undefined) => void) | undefined;
    const view = {
      visible: true,
      post: () => undefined,
      find: () => Promise.resolve(),
      setBadge: (value: number, tooltip: string) => void badges.push(`${value} ${tooltip}`),
      focus: (wanted?: { readonly kind: string }) => {
        focused.push(wanted?.kind ?? '');
        return Promise.resolve();
      },
    };
    const draft = new Draft(new ComposerStore(new OwnStorage(undefined, log)));
    const panels = new ChatPanels({ sessions, draft, view });
    const notice = new ApprovalNotice(sessions.window, panels, (message) => {
      messages.push(message);
      return new Promise((resolve) => {
        press = resolve;
      });
    });
    assert.equal(await notice.show(), false);
    const session = sessions.current;
    simulator.reply(answer(parallel(look('a'), look('b'))), answer(text('Seen.')));
    const asked = untilAsked(session, 2);
    session.ask('Look.', [], choice);
    await asked;
    assert.deepEqual(messages, [], 'they are in sight');
    assert.match(badges.at(-1) ?? '', /^2 /);

    // In a conversation that is not shown.
    sessions.startNew();
    const shown = sessions.current;
    now += deafFor;
    session.answer(openIn(session)[0]?.id ?? '', { kind: 'allow' });
    session.answer(openIn(session)[1]?.id ?? '', { kind: 'deny' });
    await session.whenIdle();
    assert.match(badges.at(-1) ?? '', /^0 /);
    simulator.reply(answer(parallel(look('c'), look('d'))), answer(text('Seen.')));
    const more = untilAsked(session, 2);
    session.ask('Look again.', [], choice);
    await more;
    assert.equal(messages.length, 1);
    assert.doesNotMatch(messages[0] ?? '', /look|\bc\b/);
    assert.equal(sessions.current, shown);
    press?.(vscode.l10n.t('Show'));
    await new Promise(setImmediate);
    assert.equal(sessions.current, session);
    assert.deepEqual(focused, ['focusApproval']);
    session.stop();
    await session.whenIdle();
    simulator.dropReplies();
    notice.dispose();
  });
});
