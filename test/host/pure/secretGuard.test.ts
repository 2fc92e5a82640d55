/** The guard: what it asks about, what it remembers of the answer, and what never leaves. */
import assert from 'node:assert/strict';

import type { ApprovalAnswer, ApprovalRequest } from '../../../src/core/conversation/approval.ts';
import { userMessage, type Attachment } from '../../../src/core/conversation/userMessage.ts';
import type { Tool, ToolCall, ToolOutcome } from '../../../src/core/tools/tool.ts';
import { toolGuard } from '../../../src/host/secretGuard/guardedTool.ts';
import { heldBack, QuestionGuard } from '../../../src/host/secretGuard/questionGuard.ts';
import { SecretGuard } from '../../../src/host/secretGuard/secretGuard.ts';

const random = 'q7Zb2XvK9mTf4RwYc8JdP3sLhG6nAeUoB5iDxWkM';
const token = `ghp_${random.slice(0, 36)}`;
const masked = `ghp_${'*'.repeat(48)}`;
const other = `hf_${random.slice(4, 38)}`;
const own = `evo-${random.slice(2, 30)}`;

function newGuard(): { guard: SecretGuard; switched: { on: boolean } } {
  const switched = { on: true };
  return { guard: new SecretGuard({ isOn: () => switched.on, ownKeys: () => [own] }), switched };
}

function newQuestions(guard: SecretGuard): QuestionGuard {
  let count = 0;
  return new QuestionGuard(guard, () => `check ${(count += 1)}`);
}

function chip(text: string, more: Partial<Attachment> = {}): Attachment {
  return { id: 'c1', kind: 'file', path: '.env', uri: 'file:///.env', languageId: 'ini', text, ...more };
}

function checkOf(questions: QuestionGuard, question: Parameters<QuestionGuard['check']>[0]) {
  const checked = questions.check(question);
  assert.equal(checked.kind, 'secrets');
  return checked.check;
}

function clearOf(questions: QuestionGuard, question: Parameters<QuestionGuard['check']>[0]) {
  const checked = questions.check(question);
  assert.equal(checked.kind, 'clear');
  return checked.question;
}

describe('the guard of questions', () => {
  it('lets a question without secrets through as it is', () => {
    const questions = newQuestions(newGuard().guard);
    const question = { text: 'Why?', attachments: [chip('PORT=3000\n')] };
    assert.equal(clearOf(questions, question), question);
  });

  it('tells where in the text and in which chip something stands, by the lines of its file', () => {
    const questions = newQuestions(newGuard().guard);
    const file = chip(`A=1\nTOKEN=${token}`, { range: { from: 10, to: 11 } });
    const check = checkOf(questions, { text: `What is ${other}?`, attachments: [chip('fine'), file] });
    const { text: _, ...summary } = file;
    assert.deepEqual(check, {
      id: 'check 1',
      places: [
        { found: [{ what: 'token', service: 'Hugging Face', line: 1, hint: 'hf_2XvK…', length: 34 }] },
        {
          chip: summary,
          found: [{ what: 'token', service: 'GitHub', line: 11, hint: 'ghp_q7Zb…', length: 36 }],
        },
      ],
      more: 0,
    });
    const asked = { kind: 'send', id: 'q', text: 'x' } as const;
    const { id, ...rest } = check;
    assert.deepEqual(heldBack(asked, check), { kind: 'secrets', check: id, asked, ...rest });
  });

  it('masks what the person wants masked, in chips and text, and weighs the chips anew', () => {
    const questions = newQuestions(newGuard().guard);
    const question = {
      text: `What is ${token}?`,
      attachments: [chip('PORT=1'), chip(`TOKEN=${token}\nB=2`, { tokens: 12_345 })],
    };
    const { id } = checkOf(questions, question);
    assert.ok(questions.decide(id, 'mask'));
    const { text, attachments } = clearOf(questions, question);
    assert.equal(text, `What is ${masked}?`);
    assert.equal(attachments[0], question.attachments[0]);
    assert.equal(attachments[1]?.text, `TOKEN=${masked}\nB=2`);
    assert.notEqual(attachments[1]?.tokens, 12_345);
  });

  it('asks about the name under which a chip is sent, and masks it', () => {
    const questions = newQuestions(newGuard().guard);
    for (const named of [{ path: `${token}.txt` }, { heading: `Selection in the terminal mysql ${token}` }]) {
      const file = chip('PORT=1', { ...named, range: { from: 3, to: 4 } });
      const question = { text: 'Why?', attachments: [file] };
      const { id, places } = checkOf(questions, question);
      assert.deepEqual(
        places.map(({ chip: at, found }) => [at?.id, found.map(({ what, line }) => [what, line])]),
        [['c1', [['token', 3]]]],
      );
      assert.ok(questions.decide(id, 'mask'));
      const { text, attachments } = clearOf(questions, question);
      const sent = JSON.stringify(userMessage(text, attachments));
      assert.ok(sent.includes(masked) && !sent.includes(token), sent);
      assert.equal(attachments[0]?.text, 'PORT=1');
    }
  });

  it('says nothing of names that are not sent', () => {
    const questions = newQuestions(newGuard().guard);
    const path = `${token}.png`;
    const image = chip('', { path, kind: 'image', image: 'data:image/png;base64,AAAA' });
    const attachments = [image, chip('All was well.', { path, kind: 'summary' })];
    clearOf(questions, { text: 'Why?', attachments });
  });

  it('sends as it is what the person wants sent, then and later, and asks about what is new', () => {
    const questions = newQuestions(newGuard().guard);
    const question = { text: `What is ${token}?`, attachments: [] };
    assert.ok(questions.decide(checkOf(questions, question).id, 'send'));
    assert.equal(clearOf(questions, question), question);
    const later = { text: `And ${token} and ${other}?`, attachments: [] };
    const { places, id } = checkOf(questions, later);
    assert.deepEqual(
      places.map(({ found }) => found.map(({ service }) => service)),
      [['Hugging Face']],
    );
    assert.ok(questions.decide(id, 'mask'));
    assert.equal(clearOf(questions, later).text, `And ${token} and hf_${'*'.repeat(48)}?`);
  });

  it('asks anew about another text that holds what was masked', () => {
    const questions = newQuestions(newGuard().guard);
    const question = { text: token, attachments: [] };
    questions.decide(checkOf(questions, question).id, 'mask');
    assert.equal(clearOf(questions, question).text, masked);
    checkOf(questions, { text: `Then ${token}`, attachments: [] });
  });

  it('decides about nothing but what was asked about last, once', () => {
    const questions = newQuestions(newGuard().guard);
    const question = { text: token, attachments: [] };
    const first = checkOf(questions, question);
    const second = checkOf(questions, question);
    assert.equal(questions.decide(first.id, 'send'), false);
    checkOf(questions, question);
    assert.equal(questions.decide(second.id, 'send'), false);
    const third = checkOf(questions, question);
    assert.ok(questions.decide(third.id, 'send'));
    assert.equal(questions.decide(third.id, 'send'), false);
  });

  it('never lets the own key through, whatever is decided and when it is off', () => {
    const { guard, switched } = newGuard();
    const questions = newQuestions(guard);
    const question = { text: `${own} and ${token}`, attachments: [] };
    const { id, places } = checkOf(questions, question);
    assert.deepEqual(
      places[0]?.found.map(({ what }) => what),
      ['ownKey', 'token'],
    );
    questions.decide(id, 'send');
    assert.equal(clearOf(questions, question).text, `${'*'.repeat(32)} and ${token}`);
    switched.on = false;
    const another = { text: `Off: ${own} and ${other}`, attachments: [] };
    assert.equal(clearOf(questions, another).text, `Off: ${'*'.repeat(32)} and ${other}`);
  });

  it('asks about nothing when it is off', () => {
    const { guard, switched } = newGuard();
    switched.on = false;
    const question = { text: token, attachments: [chip(`TOKEN=${token}`)] };
    assert.equal(clearOf(newQuestions(guard), question), question);
  });

  it('lists no more than a person would read, and counts the rest', () => {
    const questions = newQuestions(newGuard().guard);
    const lines = Array.from({ length: 150 }, (_, line) => `A${line}_TOKEN=${token}`).join('\n');
    const check = checkOf(questions, {
      text: 'x',
      attachments: [chip(lines), chip(`${lines}\n`), chip(`${lines}\n\n`)],
    });
    assert.deepEqual(
      check.places.map(({ found }) => found.length),
      [150, 50],
    );
    assert.equal(check.more, 250);
  });
});

describe('the guard of questions that are asked anew', () => {
  const asked = (text: string, attachments: readonly Attachment[]) => ({
    question: { text, attachments: attachments.map(({ text: _, ...summary }) => summary) },
    message: userMessage(text, attachments),
  });
  const env = chip(`A=1\nTOKEN=${token}`, { range: { from: 5, to: 6 } });

  it('does not look again at what went out before', () => {
    const questions = newQuestions(newGuard().guard);
    const after = asked('Why then?', [env]);
    assert.deepEqual(questions.checkAnew(after, asked('Why?', [env])), { kind: 'clear', question: after });
  });

  it('asks about a new text and a new chip, and masks both in what the model reads and the person sees', () => {
    const questions = newQuestions(newGuard().guard);
    const before = asked('Why?', []);
    const after = asked(`Why ${other}?`, [env]);
    const checked = questions.checkAnew(after, before);
    assert.equal(checked.kind, 'secrets');
    assert.deepEqual(
      checked.check.places.map(({ chip: of, found }) => [of?.id, found.map(({ line }) => line)]),
      [
        ['c1', [6]],
        [undefined, [1]],
      ],
    );
    questions.decide(checked.check.id, 'mask');
    const clear = questions.checkAnew(after, before);
    assert.equal(clear.kind, 'clear');
    const text = `Why hf_${'*'.repeat(48)}?`;
    assert.deepEqual(clear.question, asked(text, [{ ...env, text: `A=1\nTOKEN=${masked}` }]));
  });

  it('keeps the text where only a chip is masked, and images as they are', () => {
    const questions = newQuestions(newGuard().guard);
    const image = chip('', { id: 'i', kind: 'image', image: 'data:image/png;base64,AAAA' });
    const before = asked('Why?', []);
    const after = asked('Why?', [image, env]);
    const checked = questions.checkAnew(after, before);
    assert.equal(checked.kind, 'secrets');
    questions.decide(checked.check.id, 'mask');
    const clear = questions.checkAnew(after, before);
    assert.equal(clear.kind, 'clear');
    assert.deepEqual(clear.question, asked('Why?', [image, { ...env, text: `A=1\nTOKEN=${masked}` }]));
  });
});

describe('the guard of what tools return', () => {
  const call: ToolCall = { id: '1', name: 'read_file', input: '{"path":"config/.env"}', complete: true };

  function toolOf(text: string, kind: ToolOutcome['kind'] = 'done'): Tool {
    return {
      declaration: { type: 'function', name: 'read_file', description: '', parameters: {}, strict: true },
      run: () => Promise.resolve({ kind, text }),
    };
  }

  async function run(
    tool: Tool,
    answer: ApprovalAnswer = { kind: 'cancelled' },
    called: ToolCall = call,
  ): Promise<{ outcome: ToolOutcome; asked: readonly ApprovalRequest[] }> {
    const asked: ApprovalRequest[] = [];
    const outcome = await tool.run(called, {
      signal: new AbortController().signal,
      proposal: () => undefined,
      ask: (request) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    });
    return { outcome, asked };
  }

  const secret = `config/.env, lines 7 to 8 of 9:\n7|A=1\n8|TOKEN=${token}`;

  it('passes on what holds none, and the tool as it is', async () => {
    const guarded = toolGuard(newGuard().guard);
    const tool = { ...toolOf('7|A=1'), inOrder: true, namespace: { name: 'n', description: 'd' } } as const;
    const made = guarded(tool);
    assert.equal(guarded(tool), made);
    assert.equal(made.declaration, tool.declaration);
    assert.equal(made.inOrder, true);
    assert.deepEqual(made.namespace, tool.namespace);
    assert.equal(made.watch, undefined);
    assert.deepEqual(await run(made), { outcome: { kind: 'done', text: '7|A=1' }, asked: [] });
    const watched = guarded({ ...tool, watch: () => ({ feed: () => undefined }) });
    assert.equal(watched.watch?.().feed('x'), undefined);
  });

  it('asks with the place and the lines of the file', async () => {
    const { asked } = await run(toolGuard(newGuard().guard)(toolOf(secret)));
    assert.deepEqual(asked, [
      {
        kind: 'secrets',
        from: 'config/.env (read_file)',
        found: [{ what: 'token', service: 'GitHub', line: 8, hint: 'ghp_q7Zb…', length: 36 }],
      },
    ]);
  });

  it('names the tool where the call names no place', async () => {
    for (const [input, namespace, from] of [
      ['*** Begin Patch', undefined, 'read_file'],
      ['null', undefined, 'read_file'],
      ['{"path":""}', 'server', 'server.read_file'],
      ['{"command":"cat x"}', undefined, 'cat x (read_file)'],
    ] as const) {
      const called = { ...call, input, ...(namespace !== undefined && { namespace }) };
      const { asked } = await run(toolGuard(newGuard().guard)(toolOf(secret)), { kind: 'deny' }, called);
      assert.equal(asked[0]?.kind === 'secrets' && asked[0].from, from);
    }
  });

  it('passes on what is allowed, and does not ask about it again', async () => {
    const tool = toolGuard(newGuard().guard)(toolOf(secret));
    assert.equal((await run(tool, { kind: 'allow' })).outcome.text, secret);
    const again = await run(tool, { kind: 'deny' });
    assert.deepEqual([again.outcome.text, again.asked], [secret, []]);
  });

  it('masks, and masks the same again wherever it is read, and says so', async () => {
    const guarded = toolGuard(newGuard().guard);
    const { outcome } = await run(guarded(toolOf(secret)), { kind: 'mask' });
    assert.ok(outcome.text.startsWith(secret.replace(token, masked)));
    assert.match(outcome.text, /replaced by asterisks/);
    const elsewhere = await run(guarded(toolOf(`other: ${token}`)), { kind: 'allow' });
    assert.ok(elsewhere.outcome.text.startsWith(`other: ${masked}\n[`));
    assert.deepEqual(elsewhere.asked, []);
  });

  it('keeps back what is denied or not decided, says that the call was made, and leaves its kind', async () => {
    for (const [answer, says] of [
      [{ kind: 'deny' }, /The user kept it back\. Do not/],
      [{ kind: 'deny', reason: ' Use the sample. ' }, /kept it back\. They say: Use the sample\. Do not/],
      [{ kind: 'later' }, /went on without deciding/],
      [{ kind: 'cancelled' }, /was stopped before/],
    ] as const) {
      const { outcome } = await run(toolGuard(newGuard().guard)(toolOf(secret, 'failed')), answer);
      assert.equal(outcome.kind, 'failed');
      assert.match(outcome.text, /^The call was made and failed, but what it returned is not shown to you/);
      assert.match(outcome.text, says);
      assert.ok(!outcome.text.includes(token));
    }
  });

  it('says what became of a call whose result is kept back, and masks what is said with it', async () => {
    for (const [kind, says] of [
      ['done', /^The call was carried out,/],
      ['rejected', /^The user did not agree to the call,/],
      ['cancelled', /^The call was cancelled,/],
      ['undecided', /^The user has not decided about the call yet,/],
    ] as const) {
      const tool = toolGuard(newGuard().guard)(toolOf(secret, kind));
      const { outcome } = await run(tool, { kind: 'deny', reason: `It is ${other}` });
      assert.equal(outcome.kind, kind);
      assert.match(outcome.text, says);
      assert.ok(outcome.text.includes('They say: It is hf_*') && !outcome.text.includes(other));
    }
  });

  it('masks what a tool throws', async () => {
    for (const [thrown, said] of [
      [new TypeError(`no ${token}`), `no ${masked}`],
      [`no ${own}`, /^no \*+$/],
    ] as const) {
      const tool = { ...toolOf(''), run: () => Promise.reject(thrown) };
      await assert.rejects(run(toolGuard(newGuard().guard)(tool)), { message: said });
    }
  });

  it('asks again about what was kept back', async () => {
    const tool = toolGuard(newGuard().guard)(toolOf(secret));
    await run(tool, { kind: 'deny' });
    assert.equal((await run(tool, { kind: 'deny' })).asked.length, 1);
  });

  it('masks the own key without a question', async () => {
    const { outcome, asked } = await run(toolGuard(newGuard().guard)(toolOf(`key ${own}`)));
    assert.deepEqual(asked, []);
    assert.ok(outcome.text.startsWith(`key ${'*'.repeat(32)}\n[`));
    const both = await run(toolGuard(newGuard().guard)(toolOf(`${own} ${token}`)), { kind: 'allow' });
    assert.ok(both.outcome.text.startsWith(`${'*'.repeat(32)} ${token}\n[`));
  });

  it('follows what was decided of a question', async () => {
    const { guard } = newGuard();
    const questions = newQuestions(guard);
    questions.decide(checkOf(questions, { text: token, attachments: [] }).id, 'send');
    const { outcome, asked } = await run(toolGuard(guard)(toolOf(secret)));
    assert.deepEqual([outcome.text, asked], [secret, []]);
  });
});

describe('what nobody is asked about', () => {
  it('is masked, but for what was let through', () => {
    const { guard } = newGuard();
    assert.equal(guard.masked(`a ${token}`), `a ${masked}`);
    assert.equal(guard.masked('plain'), 'plain');
    guard.decide('plain', 'mask');
    guard.decide(token, 'send');
    assert.equal(guard.masked(`a ${token}`), `a ${token}`);
    guard.decide(`a ${other}`, 'mask');
    assert.equal(guard.masked(`b ${other}`), `b hf_${'*'.repeat(48)}`);
  });
});
