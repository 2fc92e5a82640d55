/** A conversation over the real client and real sockets: what is asked, what is kept, what goes back with the next request. */
import assert from 'node:assert/strict';

import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { ChatSession } from '../../src/host/sessions/session.ts';
import { PanelSessions } from '../../src/host/sessions/panelSessions.ts';
import { Sessions } from '../../src/host/sessions/sessions.ts';
import { turnTools } from '../../src/host/sessions/turnTools.ts';
import type { Log } from '../../src/host/log.ts';
import type { Attachment } from '../../src/core/conversation/userMessage.ts';
import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import {
  answer,
  applyPatch,
  cutSocket,
  gate,
  incomplete,
  reasoning,
  refuse,
  startSimulator,
  text,
  type Script,
  type Simulator,
} from '../simulator/main.ts';
import {
  familiesAsked,
  choice,
  clientAt,
  lastTurn,
  newLog,
  noKeys,
  parts,
  sessionPorts,
} from './chatStage.ts';

describe('a conversation', () => {
  let simulator: Simulator;
  let log: Log;
  before(() => {
    log = newLog();
  });
  after(() => log.dispose());
  afterEach(async () => {
    assert.deepEqual(simulator.violations, []);
    assert.equal(simulator.repliesLeft, 0, 'replies that no request has used');
    await simulator.close();
  });

  const open = async (...script: Script): Promise<ChatSession> => {
    simulator = await startSimulator({ auth: 'optional', script });
    return new ChatSession(sessionPorts(clientAt(simulator.url, noKeys, log), log));
  };

  it('asks, streams reasoning and answer apart, and ends', async () => {
    const session = await open(
      answer(reasoning('Look at ', 'the loop.'), text('It is ', gate('half'), 'wrong.')),
    );
    const events: ShownEvent[] = [];
    const listener = session.onDidHappen((event) => {
      events.push(event);
      // Whoever hears of an event finds it in the conversation already.
      if (event.kind === 'turnEnded') assert.equal(lastTurn(session).end?.kind, 'completed');
    });
    assert.equal(session.ask('Why?', [], choice), true);
    assert.equal(session.running, true);
    await simulator.reached('half');
    simulator.open('half');
    await session.whenIdle();
    listener.dispose();
    assert.equal(session.running, false);
    assert.deepEqual(parts(lastTurn(session)), ['reasoning: Look at |the loop.', 'answer: It is wrong.']);
    assert.equal(events[0]?.kind, 'turnStarted');
    assert.equal(events.at(-1)?.kind, 'turnEnded');
    session.dispose();
  });

  it('sends what was attached before the question, and shows chips without their text', async () => {
    const session = await open(answer(text('Fine.')));
    const attachment: Attachment = {
      id: 'a',
      kind: 'selection',
      path: 'src/cart.ts',
      uri: 'file:///src/cart.ts',
      range: { from: 3, to: 4 },
      languageId: 'typescript',
      tokens: 12,
      text: 'let sum = 0;\nsum += 1;',
    };
    session.ask('Is this right?', [attachment], choice);
    await session.whenIdle();
    const { body } = await simulator.nextRequest();
    assert.deepEqual(body['input'], [
      {
        type: 'message',
        role: 'user',
        content: [
          {
            type: 'input_text',
            text: 'src/cart.ts, lines 3-4 (typescript):\n```typescript\nlet sum = 0;\nsum += 1;\n```',
          },
          { type: 'input_text', text: 'Is this right?' },
        ],
      },
    ]);
    const { text: _, ...chip } = attachment;
    assert.deepEqual(lastTurn(session).question, { text: 'Is this right?', attachments: [chip] });
    session.dispose();
  });

  it('takes no second question and no resuming while a turn runs', async () => {
    const session = await open(answer(text('One', gate('wait'))), answer(text('Two')));
    session.ask('First?', [], choice);
    await simulator.reached('wait');
    assert.equal(session.ask('Second?', [], choice), false);
    assert.equal(session.resume(lastTurn(session).id, choice), false);
    assert.equal(session.conversation.turns.length, 1);
    simulator.open('wait');
    await session.whenIdle();
    assert.equal(session.resume(lastTurn(session).id, choice), false, 'it is complete');
    assert.equal(session.ask('Second?', [], choice), true);
    await session.whenIdle();
    assert.equal(simulator.requests.length, 2);
    session.dispose();
  });

  it('can be asked the next question by whoever hears of the end', async () => {
    const session = await open(answer(text('One')), answer(text('Two')));
    const second = new Promise<void>((resolve) => {
      const listener = session.onDidHappen((event) => {
        if (event.kind !== 'turnEnded') return;
        listener.dispose();
        assert.equal(session.ask('Second?', [], choice), true);
        resolve();
      });
    });
    session.ask('First?', [], choice);
    await second;
    await session.whenIdle();
    assert.deepEqual(
      session.conversation.turns.map((turn) => [turn.question.text, turn.end?.kind]),
      [
        ['First?', 'completed'],
        ['Second?', 'completed'],
      ],
    );
    session.dispose();
  });

  it('stops at once, keeps what came, and goes on from there', async () => {
    const session = await open(
      answer(reasoning('Hm.'), text('Half of ', gate('wait'), 'it.')),
      answer(text('All of it.')),
    );
    session.ask('Why?', [], choice);
    await simulator.reached('wait');
    const request = await simulator.nextRequest();
    await textShown(session, 'Half of ');
    session.stop();
    await session.whenIdle();
    assert.equal(await request.closed, 'clientLeft');
    assert.equal(lastTurn(session).end?.kind, 'stopped');
    assert.deepEqual(parts(lastTurn(session)), ['reasoning: Hm.', 'answer: Half of ']);
    assert.equal(session.running, false);

    assert.equal(session.resume(lastTurn(session).id, choice), true);
    await session.whenIdle();
    assert.equal(session.conversation.turns.length, 1);
    assert.equal(lastTurn(session).end?.kind, 'completed');
    assert.equal(parts(lastTurn(session)).at(-1), 'answer: All of it.');
    session.dispose();
  });

  it('goes on after a failure: what broke off is asked for again, and nothing is said twice', async () => {
    const session = await open(
      answer(text('Broken ', cutSocket)),
      refuse(500, { message: 'Failed', type: 'server_error', code: null }),
      answer(text('Whole.')),
      answer(text('More.')),
    );
    session.ask('Why?', [], choice);
    await session.whenIdle();
    assert.equal(lastTurn(session).end?.kind, 'failed');
    session.resume(lastTurn(session).id, choice);
    await session.whenIdle();
    assert.equal(lastTurn(session).end?.kind, 'failed');
    session.resume(lastTurn(session).id, choice);
    await session.whenIdle();
    assert.equal(lastTurn(session).end?.kind, 'completed');
    assert.deepEqual(parts(lastTurn(session)), ['answer: Whole.']);
    session.ask('And?', [], choice);
    await session.whenIdle();
    assert.deepEqual(said(await simulator.request(3)), ['user: Why?', 'assistant: Whole.', 'user: And?']);
    session.dispose();
  });

  it('goes on behind what was said when the rest was cut off, tells the model so, and gives it more room', async () => {
    for (const [reason, said, room] of [
      ['max_output_tokens', /reached its length limit.*has not run\. Go on from there\.$/, 4000],
      ['steered', /ended your last response early.*has not run\. Go on from there\.$/, 2000],
    ] as const) {
      const session = await open(
        answer(text('First this.'), reasoning('And ', ['then', incomplete(reason)])),
        answer(text('Then that.')),
      );
      session.ask('How?', [], { ...choice, maxOutputTokens: 2000 });
      await session.whenIdle();
      assert.deepEqual(lastTurn(session).end, { kind: 'incomplete', reason });
      assert.ok(session.resume(lastTurn(session).id, { ...choice, maxOutputTokens: 2000 }));
      await session.whenIdle();
      const { body } = simulator.requests[1] ?? assert.fail();
      assert.equal(body['max_output_tokens'], room);
      const input = body['input'] as readonly {
        readonly role: string;
        readonly content: readonly { readonly text: string }[];
      }[];
      assert.deepEqual(
        input.map(({ role }) => role),
        ['user', 'assistant', 'developer'],
      );
      assert.match(input.at(-1)?.content[0]?.text ?? '', said);
      assert.deepEqual(lastTurn(session).end, { kind: 'completed' });
      assert.ok(parts(lastTurn(session)).includes('answer: Then that.'));
      assert.deepEqual(simulator.violations, []);
      session.dispose();
      if (reason === 'max_output_tokens') await simulator.close();
    }
  });

  it('resumes the last turn only', async () => {
    const session = await open(
      refuse(500, { message: 'No', type: 'server_error', code: null }),
      answer(text('Fine.')),
    );
    session.ask('First?', [], choice);
    await session.whenIdle();
    const first = lastTurn(session).id;
    session.ask('Second?', [], choice);
    await session.whenIdle();
    assert.equal(session.resume(first, choice), false);
    assert.equal(session.resume('no such turn', choice), false);
    session.dispose();
  });

  it('sends the same bytes again, and the server finds them in its cache', async () => {
    const long = 'All of this stands in every request. '.repeat(200);
    const session = await open(
      answer(reasoning('One.'), text('First “answer” — 一.')),
      answer(reasoning('Two.'), text('Second.')),
      answer(text('Third.')),
    );
    for (const question of [long, 'And?', 'And then?']) {
      session.ask(question, [], choice);
      await session.whenIdle();
    }
    const bodies = simulator.requests.map(({ bodyText }) => bodyText);
    for (const [index, later] of bodies.entries()) {
      // Without the end of the list and of the body.
      const earlier = bodies[index - 1]?.slice(0, -2) ?? '';
      assert.ok(later.startsWith(earlier), `request ${index} does not begin like the one before`);
    }
    const usage = session.conversation.turns.map((turn) => turn.requests[0]?.usage);
    assert.equal(usage[0]?.cached, 0);
    assert.ok((usage[1]?.cached ?? 0) >= 256, 'nothing was cached');
    assert.ok((usage[2]?.cached ?? 0) >= (usage[1]?.cached ?? 0));
    session.dispose();
  });

  it('offers the tools of the turn, runs the one that is called, and tells the model of it', async () => {
    simulator = await startSimulator({
      auth: 'optional',
      script: [
        answer(applyPatch('*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch')),
        answer(text('As you like.')),
      ],
    });
    const tool = applyPatchTool(
      {
        roots: () => [{ name: 'corner-shop', path: '/corner-shop', caseInsensitive: false }],
        read: () => Promise.resolve({ kind: 'missing' }),
      },
      { review: () => Promise.resolve({ files: [{ kind: 'rejected', reason: 'Not now' }] }) },
    );
    const session = new ChatSession(sessionPorts(clientAt(simulator.url, noKeys, log), log, [tool]));
    session.ask('Add a file', [], choice);
    await session.whenIdle();
    assert.deepEqual(parts(lastTurn(session)), ['tool apply_patch', 'answer: As you like.']);
    const [first, second] = simulator.requests;
    const offered = first?.body['tools'] as { name: string }[] | undefined;
    assert.deepEqual(
      offered?.map(({ name }) => name),
      ['apply_patch'],
    );
    assert.match(second?.bodyText ?? '', /custom_tool_call_output.*Not now/s);
    session.dispose();
  });

  it('asks for the tools anew each turn, and offers none where none may be used', async () => {
    simulator = await startSimulator({ auth: 'optional', mind: () => answer(text('Fine.')) });
    const tool = applyPatchTool(
      { roots: () => [], read: () => Promise.reject(new Error('not asked')) },
      { review: () => Promise.reject(new Error('not asked')) },
    );
    let trusted = false;
    const session = new ChatSession({
      ...sessionPorts(clientAt(simulator.url, noKeys, log), log),
      tools: () => turnTools({ trusted, folders: ['corner-shop'] }, [tool]),
    });
    session.ask('First?', [], choice);
    await session.whenIdle();
    trusted = true;
    session.ask('Second?', [], choice);
    await session.whenIdle();
    const [without, offered] = simulator.requests;
    assert.equal('tools' in (without?.body ?? {}), false);
    assert.doesNotMatch(without?.bodyText ?? '', /apply_patch/);
    assert.match(offered?.bodyText ?? '', /"name":"apply_patch"/);
    session.dispose();
  });

  it('goes on offering a tool that was called once, so that its calls can be sent again', async () => {
    simulator = await startSimulator({
      auth: 'optional',
      script: [
        answer(applyPatch('*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch')),
        answer(text('Done.')),
        answer(text('Fine.')),
      ],
    });
    const tool = applyPatchTool(
      { roots: () => [], read: () => Promise.resolve({ kind: 'missing' }) },
      { review: () => Promise.reject(new Error('not asked')) },
    );
    let folders: readonly string[] = ['corner-shop'];
    const session = new ChatSession({
      ...sessionPorts(clientAt(simulator.url, noKeys, log), log),
      tools: () => turnTools({ trusted: true, folders }, [tool]),
    });
    session.ask('Add a file', [], choice);
    await session.whenIdle();
    folders = [];
    const { tools, facts } = session.nextTools();
    assert.deepEqual([tools.length, facts.canPatch], [1, false], 'as its cost is reckoned');
    session.ask('And now?', [], choice);
    await session.whenIdle();
    assert.deepEqual(parts(lastTurn(session)), ['answer: Fine.']);
    assert.deepEqual(simulator.violations, []);
    session.dispose();
  });

  describe('that waits before it sends again', () => {
    const busy = refuse(503, { message: 'm', type: 'server_unavailable' });
    const waiting = (session: ChatSession): Promise<void> =>
      new Promise((resolve) => {
        const listener = session.onDidHappen(({ kind }) => {
          if (kind !== 'retryScheduled') return;
          listener.dispose();
          // The wait begins once whoever listens has heard of it.
          setImmediate(resolve);
        });
      });

    it('goes on at once when it is told to, and once, however often that is', async () => {
      const session = await open(busy, answer(text('Hi ', gate('half'), 'there.')));
      const waits = waiting(session);
      session.ask('Hello?', [], choice);
      await waits;
      session.retryNow();
      session.retryNow();
      await simulator.reached('half');
      session.retryNow();
      simulator.open('half');
      await session.whenIdle();
      assert.equal(simulator.requests.length, 2);
      assert.deepEqual(parts(lastTurn(session)), ['answer: Hi there.']);
      session.dispose();
    });

    it('sends nothing more when it is stopped, in whatever order that is pressed with going on at once', async () => {
      for (const [first, second] of [
        ['stop', 'retryNow'],
        ['retryNow', 'stop'],
      ] as const) {
        const session = await open(busy);
        const waits = waiting(session);
        session.ask('Hello?', [], choice);
        await waits;
        session[first]();
        session[second]();
        await session.whenIdle();
        const { end, retry, requests } = lastTurn(session);
        assert.deepEqual([end?.kind, retry, requests[0]?.unbilled], ['stopped', undefined, true]);
        assert.equal(simulator.requests.length, 1);
        session.stop();
        session.retryNow();
        simulator.reply(answer(text('Hi.')));
        assert.ok(session.ask('Hello again?', [], choice));
        await session.whenIdle();
        assert.deepEqual(parts(lastTurn(session)), ['answer: Hi.']);
        session.dispose();
        await simulator.close();
      }
    });

    it('sends nothing more when the window ends', async () => {
      const session = await open(busy);
      const waits = waiting(session);
      session.ask('Hello?', [], choice);
      await waits;
      session.dispose();
      session.retryNow();
      session.stop();
      await session.whenIdle();
      assert.equal(session.running, false);
      assert.equal(simulator.requests.length, 1);
    });
  });

  it('lets go of everything when disposed of in the middle of an answer', async () => {
    const session = await open(answer(text('Half ', gate('wait'), 'of it.')));
    let heard = 0;
    session.onDidHappen(() => {
      heard += 1;
    });
    session.ask('Why?', [], choice);
    await simulator.reached('wait');
    session.dispose();
    const atDisposal = heard;
    await session.whenIdle();
    await simulator.allSocketsClosed();
    assert.equal(heard, atDisposal);
    assert.equal(session.running, false);
    assert.equal(session.ask('More?', [], choice), false);
    assert.equal(session.resume(lastTurn(session).id, choice), false);
    assert.equal(simulator.requests.length, 1);
  });
});

describe('the conversations of a window', () => {
  let simulator: Simulator;
  let log: Log;
  let sessions: PanelSessions;
  beforeEach(async () => {
    simulator = await startSimulator({ auth: 'optional' });
    log = newLog();
    sessions = new PanelSessions(new Sessions(sessionPorts(clientAt(simulator.url, noKeys, log), log)));
  });
  afterEach(async () => {
    sessions.window.dispose();
    log.dispose();
    assert.deepEqual(simulator.violations, []);
    await simulator.close();
  });

  it('leaves the old one running when a new one is started', async () => {
    simulator.reply(answer(text('One ', gate('first'), 'done.')), answer(text('Two.')));
    const first = sessions.current;
    const shown: string[] = [];
    sessions.onDidChangeCurrent(({ conversation }) => shown.push(conversation.id));
    first.ask('First?', [], choice);
    await simulator.reached('first');
    sessions.startNew();
    const second = sessions.current;
    assert.notEqual(second, first);
    assert.deepEqual(shown, [second.conversation.id]);
    assert.deepEqual(second.conversation.turns, []);
    assert.equal(first.running, true);
    second.ask('Second?', [], choice);
    await second.whenIdle();
    assert.equal(first.running, true);
    simulator.open('first');
    await first.whenIdle();
    assert.deepEqual(parts(lastTurn(first)), ['answer: One done.']);
    assert.deepEqual(parts(lastTurn(second)), ['answer: Two.']);
    assert.deepEqual(said(await simulator.request(1)), ['user: Second?']);
    assert.deepEqual(familiesAsked(sessions).flat(), [first, second]);
  });

  it('starts no second empty one, and goes back to an empty one that is there', async () => {
    simulator.reply(answer(text('One.')));
    const first = sessions.current;
    let changes = 0;
    sessions.onDidChangeCurrent(() => {
      changes += 1;
    });
    sessions.startNew();
    assert.equal(sessions.current, first);
    assert.equal(changes, 0);
    assert.deepEqual(familiesAsked(sessions).flat(), []);
    first.ask('First?', [], choice);
    await first.whenIdle();
    sessions.startNew();
    const empty = sessions.current;
    sessions.show(first);
    sessions.show(first);
    sessions.startNew();
    assert.equal(sessions.current, empty);
    assert.equal(changes, 3);
    assert.deepEqual(familiesAsked(sessions).flat(), [first]);
  });

  it('stops them all at the end of the window', async () => {
    simulator.reply(answer(text('One ', gate('a'))), answer(text('Two ', gate('b'))));
    sessions.current.ask('First?', [], choice);
    await simulator.reached('a');
    sessions.startNew();
    sessions.current.ask('Second?', [], choice);
    await simulator.reached('b');
    sessions.window.dispose();
    await simulator.allSocketsClosed();
    assert.deepEqual(await Promise.all(simulator.requests.map(({ closed }) => closed)), [
      'clientLeft',
      'clientLeft',
    ]);
  });
});

/** The messages of a request, in short. */
function said({ body }: { readonly body: Readonly<Record<string, unknown>> }): readonly string[] {
  const input = body['input'] as readonly { role?: string; content?: readonly { text: string }[] }[];
  return input.flatMap(({ role, content }) =>
    role === undefined ? [] : [`${role}: ${content?.map(({ text: each }) => each).join('|') ?? ''}`],
  );
}

/** Resolves when the answer shows this much. */
async function textShown(session: ChatSession, wanted: string): Promise<void> {
  const isShown = (): boolean => parts(lastTurn(session)).includes(`answer: ${wanted}`);
  if (isShown()) return;
  await new Promise<void>((resolve) => {
    const listener = session.onDidHappen(() => {
      if (!isShown()) return;
      listener.dispose();
      resolve();
    });
  });
}
