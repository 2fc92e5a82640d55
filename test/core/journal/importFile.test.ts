/** What may stand in a file of conversations, and what of it gets in. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { answeredBefore } from '../../../src/core/conversation/granted.ts';
import { requestBody } from '../../../src/core/conversation/requestLog.ts';
import { seenTexts } from '../../../src/core/conversation/seenFiles.ts';
import { canBeDecided } from '../../../src/core/conversation/waiting.ts';
import { readExport, type ImportProblem } from '../../../src/core/journal/importFile.ts';
import { finished, mustRead, readIn } from '../../support/exporting.ts';

/** As the first version wrote it: a question with a chip, a patch, a version of the question, a title, a deleted turn. */
const fixture = readFileSync(join(import.meta.dirname, '../../fixtures/exports/version1.json'), 'utf8');

/** Of the file, and what stands in the place of what is there. */
type Change = readonly [path: string, value: unknown];

/** The file with something else in it. A function is given what is there. */
function changed(...changes: readonly Change[]): string {
  const file: unknown = JSON.parse(fixture);
  for (const [path, value] of changes) {
    const names = path.split('.');
    const last = names.pop()!;
    const holder = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], file);
    const place = holder as Record<string, unknown>;
    place[last] = typeof value === 'function' ? (value as (before: unknown) => unknown)(place[last]) : value;
  }
  return JSON.stringify(file);
}

/** For `changed`: one more in a list. */
function more(value: unknown): (before: unknown) => unknown {
  return (before) => [...(before as readonly unknown[]), value];
}

function problem(text: string): ImportProblem | undefined {
  const read = readIn(text);
  return read.ok ? undefined : read.error;
}

const turn = 'conversations.0.turns.0';
const first = (JSON.parse(fixture) as { conversations: readonly { turns: readonly object[] }[] })
  .conversations[0]!;

describe('a file of conversations', () => {
  it('of the first version is read whole', () => {
    const { shown, conversations } = mustRead(fixture);
    const [original, version] = conversations;
    assert.ok(original !== undefined && version !== undefined);
    assert.equal(conversations.length, 2);
    assert.equal(shown, version.id);
    assert.deepEqual(original.title, { text: 'Cart total', by: 'model' });
    const { turns } = original.seed.conversation;
    assert.deepEqual(
      turns.map(({ question, parts, end }) => [question.text, parts.map(({ kind }) => kind), end?.kind]),
      [
        ['Why is the total wrong?', ['reasoning', 'tool', 'answer'], 'completed'],
        ['', [], 'completed'],
      ],
    );
    assert.deepEqual(turns[0]?.question.attachments, [
      { id: 'new-1', uri: '', kind: 'file', path: 'src/cart.ts', languageId: 'typescript' },
    ]);
    assert.equal(turns[0]?.naming?.usage?.output, 30);
    assert.deepEqual(version.parent, { conversation: original.id, turn: turns[0]?.id, kind: 'version' });
    assert.equal(original.parent, undefined);
    assert.equal(original.seed.history.groups.length, 3);
  });

  it('may begin with the mark that editors put there, and have more in it than is known', () => {
    assert.ok(readIn(`\uFEFF${fixture}`).ok);
    const longer = changed(['more', { of: 'it' }], [`${turn}.mood`, 'good']);
    assert.ok(!JSON.stringify(mustRead(longer)).includes('mood'));
  });

  it('is refused, with what is wrong, when it is something else', () => {
    assert.deepEqual(problem(''), { kind: 'notJson' });
    assert.deepEqual(problem(fixture.slice(0, -10)), { kind: 'notJson' });
    for (const text of ['[]', 'null', '3', '{}', '{"format":"chat"}'])
      assert.deepEqual(problem(text), { kind: 'foreign' }, text);
    assert.deepEqual(problem(changed(['version', 2])), { kind: 'newer' });
    for (const version of [0, '1', 1.5, null])
      assert.deepEqual(problem(changed(['version', version])), {
        kind: 'damaged',
        where: 'version',
      });
  });

  type Damage = readonly [where: string, ...change: Change];
  const damages: readonly Damage[] = [
    ['conversations', 'conversations', []],
    ['conversations', 'conversations', 'none'],
    ['conversations', 'conversations', more(first)],
    ['conversations.0', 'conversations.0', 7],
    ['conversations.0.turns', 'conversations.0.turns', []],
    ['conversations.0.turns', 'conversations.0.turns', more(first.turns[0])],
    [turn, turn, 'Why?'],
    [`${turn}.question`, `${turn}.question`, 'Why?'],
    [`${turn}.question.text`, `${turn}.question.text`, 3],
    [`${turn}.question.attachments`, `${turn}.question.attachments`, {}],
    [`${turn}.question.attachments.0`, `${turn}.question.attachments`, [1]],
    [`${turn}.parts`, `${turn}.parts.0.id`, 'NaN.0'],
    [`${turn}.parts`, `${turn}.parts.0.id`, '0.1'],
    [`${turn}.requests.0.usage.output`, `${turn}.requests.0.usage.output`, -1_000_000],
    ['conversations.0.history.groups.0.turn', 'conversations.0.history.groups.0.turn', 'x'],
    [
      'conversations.0.history.groups.0.items',
      'conversations.0.history.groups.0.items',
      more({
        ...{ type: 'message', role: 'user' },
        content: [{ type: 'input_image', image_url: 'https://example.com/seen.png' }],
      }),
    ],
    ['shown', 'shown', 'nobody'],
    ...[turn, `${turn}.parts.0`, `${turn}.parts.0.kind`].map((place): Damage => [place, place, 7]),
    ...['', '.items', '.items.0', '.partial'].map((name): Damage => {
      const place = `conversations.0.history.groups.0${name}`;
      return [place, place, 'x'];
    }),
  ];
  for (const [index, [where, ...change]] of damages.entries()) {
    it(`is refused where something is wrong in it: ${where} (${index + 1})`, () => {
      assert.deepEqual(problem(changed(change)), { kind: 'damaged', where });
    });
  }

  it('may hold pictures, as they were sent', () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
    const message = { type: 'message', role: 'user', content: [picture] };
    assert.ok(readIn(changed(['conversations.0.history.groups.0.items', more(message)])).ok);
  });

  it('is refused when it is deeper or has larger numbers than anything that is written', () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    assert.deepEqual(problem(fixture.replace('{', `{"deep":${deep},`)), { kind: 'excessive' });
    for (const number of ['1e300', '-1e17', '1e999'])
      assert.deepEqual(problem(fixture.replace(/"startedAt": \d+/, `"startedAt": ${number}`)), {
        kind: 'excessive',
      });
  });

  it('is refused when it has more values than anything that is written', () => {
    const parts = { newId: () => 'x', now: 1 };
    const read = (values: number) => finished(readExport(fixture, { ...parts, mostValues: values }));
    assert.deepEqual(read(100), { ok: false, error: { kind: 'excessive' } });
    assert.ok(read(1_000).ok);
  });

  it('is refused before it fills the memory, and texts of brackets are only texts', () => {
    const bomb = (piece: string): string => fixture.replace('{', `{"bomb":[${piece.repeat(6_000_000)}0],`);
    for (const piece of ['{},', '[],', '0,']) assert.deepEqual(problem(bomb(piece)), { kind: 'excessive' });
    assert.deepEqual(problem('['.repeat(10_000_000)), { kind: 'excessive' });
    const text = `${'[{,'.repeat(100)}"\\`.repeat(100);
    assert.ok(readIn(changed(['conversations.0.turns.0.question.text', text])).ok);
  });

  it('is refused with more conversations than anybody has of one', () => {
    const many = Array.from({ length: 1_001 }, (_, id) => ({ ...first, id: String(id) }));
    const text = changed(['conversations', many]);
    assert.deepEqual(problem(text), { kind: 'damaged', where: 'conversations' });
  });
});

describe('what comes from a file', () => {
  it('has no id that is known here, whatever it says', () => {
    const text = JSON.stringify(mustRead(fixture));
    for (const [, id = ''] of fixture.matchAll(/"id": "([a-z][\w-]*-\w+)"/g))
      assert.ok(!text.includes(`"${id}"`), id);
  });

  it('has no patch that could be written or taken back, and no permission', () => {
    const read = { kind: 'read', why: 'outside', path: '/etc', folder: true };
    const approval = { id: 'a', request: read, askedAt: 1, answer: { kind: 'allow', remember: true } };
    const files = `${turn}.parts.1.proposal.files`;
    const file = { path: 'b.ts', change: 'add', added: 1, removed: 0, seen: false, amended: false };
    const text = changed(
      [`${turn}.parts.1.approvals`, [approval]],
      [`${files}.0.state`, 'pending'],
      [files, more({ ...file, index: 1, state: 'accepted', canTakeBack: true })],
    );
    const { conversation } = mustRead(text).conversations[0]!.seed;
    const part = conversation.turns[0]?.parts[1];
    assert.ok(part?.kind === 'tool' && part.proposal !== undefined);
    assert.equal(canBeDecided(part.proposal), false);
    assert.deepEqual(
      part.proposal.files.map(({ state, canTakeBack }) => [state, canTakeBack]),
      [
        ['cancelled', undefined],
        ['accepted', undefined],
      ],
    );
    const asked = { kind: 'read', why: 'outside', path: '/etc/hosts' } as const;
    assert.equal(answeredBefore(conversation, asked), undefined);
  });

  it('has no file of this machine looked at: neither one of a chip nor one that was read', () => {
    const text = changed(
      [`${turn}.question.attachments.0.uri`, 'file:///etc/passwd'],
      [
        `${turn}.parts.1`,
        {
          ...{ kind: 'tool', id: '0.1', name: 'read_file', input: '{}', openedAt: 1, closedAt: 2 },
          outcome: { kind: 'done', text: '/etc/passwd, lines 1 to 1 of 1:\n1|root' },
        },
      ],
    );
    const { conversation, history } = mustRead(text).conversations[0]!.seed;
    assert.equal(conversation.turns[0]?.question.attachments[0]?.uri, '');
    assert.deepEqual(seenTexts(conversation, history), []);
  });

  it('keeps the numbers of its requests, and says of none that it was sent from here', () => {
    const { conversation, requests } = mustRead(fixture).conversations[0]!.seed;
    const count = conversation.turns.flatMap((one) => one.requests).length;
    assert.equal(requests.requests.length, count);
    for (let index = 0; index < count; index += 1) assert.equal(requestBody(requests, index), undefined);
  });

  it('waits for nothing, was not begun in the future, and has no title longer than a list needs', () => {
    const failure = { kind: 'bug', detail: 'x' };
    const text = changed(
      [`${turn}.retry`, { failure, attempt: 2, of: 4, since: 1, until: 2 }],
      ['conversations.0.createdAt', 8e15],
      ['conversations.0.title.text', 'a'.repeat(10_000)],
    );
    const [one] = mustRead(text).conversations;
    assert.equal(one?.seed.conversation.turns[0]?.retry, undefined);
    assert.ok((one?.createdAt ?? Infinity) <= Date.UTC(2026, 10, 30, 12));
    assert.equal(one?.title?.text.length, 200);
  });

  it('tells the model once that it comes from elsewhere', () => {
    const once = mustRead(fixture).conversations[0]!.seed.reports;
    assert.equal(once.filter(({ text }) => text.includes('another workspace')).length, 1);
    const [report, elsewhere] = once;
    const text = changed([
      'conversations.0.reports',
      [{ ...report, about: 'turn-1', told: 'turn-1' }, elsewhere],
    ]);
    const { reports, conversation } = mustRead(text).conversations[0]!.seed;
    assert.equal(reports.length, once.length);
    assert.equal(reports[0]?.told, conversation.turns[0]?.id);
  });

  it('has parents before their branches, also where these stem from each other', () => {
    const turned = mustRead(changed(['conversations', (all: unknown) => (all as object[]).toReversed()]));
    assert.equal(turned.conversations[1]?.parent?.conversation, turned.conversations[0]?.id);
    const from = (conversation: string): Change => [
      'conversations.0.parent',
      { conversation, turn: 'turn-1', kind: 'version' },
    ];
    assert.equal(mustRead(changed(from('conversation-2'))).conversations.length, 2);
    assert.equal(mustRead(changed(from('conversation-9'))).conversations[0]?.parent, undefined);
  });
});
