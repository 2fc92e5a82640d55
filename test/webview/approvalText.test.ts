/** What is said of a question of a tool and of its answer. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import type {
  Approval,
  ApprovalAnswer,
  ApprovalRequest,
  ToolPart,
} from '../../src/core/conversation/conversation.ts';
import {
  answerReason,
  answerText,
  approvalNote,
  approvalPieces,
  approvalSentence,
  approvalSubject,
  approvalTitle,
  secretName,
} from '../../src/webview/approvalText.ts';
import { TurnReader } from '../../src/webview/find/fields.ts';
import { groupsOf } from '../../src/webview/partGroups.ts';
import { statusText } from '../../src/webview/statusText.ts';
import { activityOf } from '../../src/webview/turnFacts.ts';
import { openTurn, turnOf } from './approvalTurns.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());
console.log(`FC_SEED=${seed}`);

const command: ApprovalRequest = { kind: 'command', command: 'npm test', folder: '/shop', seconds: 60 };
const file: ApprovalRequest = { kind: 'read', why: 'outside', path: '/etc/hosts' };
const folder: ApprovalRequest = { kind: 'read', why: 'ignored', path: 'dist', folder: true };
const link: ApprovalRequest = { kind: 'read', why: 'leadsOut', path: 'data', target: '/srv' };
const foreign: ApprovalRequest = {
  ...{ kind: 'foreignTool', owner: 'Own\u202eer', name: 'query', description: '', input: '{"sql":"select"}' },
};
const secrets: ApprovalRequest = { kind: 'secrets', from: 'a.ts', found: [] };
const all = [command, file, folder, link, foreign, secrets];

const asked = (request: ApprovalRequest, answer?: ApprovalAnswer): Approval => ({
  ...{ id: 'x', request, askedAt: 0 },
  ...(answer && { answer }),
});

describe('a question of a tool', () => {
  it('has a title, a subject and a sentence that is read out, each for its kind', () => {
    for (const words of [approvalTitle, approvalSubject, approvalSentence])
      assert.equal(new Set(all.map(words)).size, words === approvalSentence ? 6 : 5);
    assert.equal(approvalSentence(command), 'The model asks to run a command: npm test');
    assert.equal(approvalSentence({ ...command, command: `rm \u202e${'x'.repeat(500)}` }).length < 200, true);
  });

  it('says why it is asked, and for how long an answer holds', () => {
    assert.equal(
      approvalNote(folder),
      'An ignore file or the setting “files.exclude” leaves it out. Allowing it covers all that is in it, until this conversation ends.',
    );
    assert.match(approvalNote(file) ?? '', /^It is outside the workspace\. Allowing it covers this file/);
    assert.match(approvalNote(link) ?? '', /^It is a link that leads out/);
    assert.match(approvalNote(foreign) ?? '', /^It belongs to Own‹U\+202E›er, which decides/);
    assert.match(approvalNote(secrets) ?? '', /Masked/);
    assert.equal(approvalNote(command), undefined);
  });

  it('tells what was answered, in its own words for each kind', () => {
    const said = (request: ApprovalRequest, answer?: ApprovalAnswer): string =>
      answerText(asked(request, answer));
    assert.equal(said(command), 'Not answered');
    assert.equal(said(command, { kind: 'allow' }), 'Allowed');
    assert.equal(said(command, { kind: 'allow', remember: true }), 'Allowed, always in this workspace');
    assert.equal(said(file, { kind: 'allow' }), 'Allowed in this conversation');
    assert.equal(said(secrets, { kind: 'allow' }), 'Sent as it is');
    assert.equal(said(secrets, { kind: 'mask' }), 'Masked');
    assert.equal(said(secrets, { kind: 'deny' }), 'Kept back');
    assert.equal(said(file, { kind: 'deny' }), 'Denied');
    assert.equal(said(file, { kind: 'later' }), 'Not answered: another question was asked');
    assert.equal(said(file, { kind: 'cancelled' }), 'Not answered: stopped');
    assert.equal(answerReason({ kind: 'deny', reason: 'No.' }), 'No.');
    assert.equal(answerReason({ kind: 'allow' }), undefined);
  });

  it('calls what it does not know as it is called', () => {
    assert.equal(secretName({ what: 'new\u200bKind' }), 'new‹U+200B›Kind');
  });

  it('names what is invisible and emptiness that hides what follows', () => {
    const labels = (text: string): readonly string[] =>
      approvalPieces(text).flatMap((piece) => (piece.kind === 'hidden' ? [piece.label] : []));
    assert.deepEqual(labels(`a${' '.repeat(39)}b\n\n\n\nc`), []);
    assert.deepEqual(labels(`a${' '.repeat(40)}b${'\n \t'.repeat(5)}c\u00a0d\u202e`), [
      '40 blanks',
      '5 line breaks',
      'U+00A0',
      'U+202E',
    ]);
    // Only what can't be seen is called invisible.
    const others = approvalPieces(`${' '.repeat(40)}a\u0456\u202e`).flatMap((piece) =>
      piece.kind === 'hidden' ? [piece.other === true] : [],
    );
    assert.deepEqual(others, [true, true, false]);
  });

  it('names blanks that are letters, and letters that look like Latin ones', () => {
    const drawn = (text: string): string =>
      approvalPieces(text)
        .map((piece) => (piece.kind === 'hidden' ? `‹${piece.label}›` : piece.text))
        .join('');
    assert.equal(drawn('ls \u2800rm'), 'ls ‹U+2800›rm');
    assert.equal(drawn('curl https://g\u0456thub.com'), 'curl https://g‹U+0456›thub.com');
    assert.equal(drawn('\u0440\u0430ypal \u039fpen'), '‹U+0440›‹U+0430›ypal ‹U+039F›pen');
    // Words of one alphabet are what they seem.
    for (const text of ['echo Привет, мир', 'echo naïve größe', 'ls проект/src', 'grep α β']) {
      assert.equal(drawn(text), text);
    }
  });

  it('is whole, whatever is asked', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        ' '.repeat(50),
        '\n'.repeat(9),
        '\u202e',
        '\u00a0',
        '\r\n',
        '\t',
        'a\u0430',
        '\u0430'.repeat(60),
        '\u2800',
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        assert.equal(
          approvalPieces(text)
            .map((piece) => piece.text)
            .join(''),
          text,
        );
      }),
      { seed },
    );
    // In one pass: a command of megabytes does not hold the panel up.
    assert.ok(approvalPieces(' \n'.repeat(1_000_000)).length < 10);
    assert.equal(approvalPieces('\u0430'.repeat(300_000)).length, 1);
  });
});

describe('a turn in which tools ask', () => {
  const call = (id: string, more: Partial<ToolPart> = {}): ToolPart => ({
    ...{ kind: 'tool', id, name: 'read_file', input: '{"path":"a"}', openedAt: 0, askedAt: 0 },
    ...more,
  });
  const open = asked(file);
  const denied = asked(file, { kind: 'deny' });

  it('waits for the person before anything else, and says how often', () => {
    const one = openTurn([call('0'), call('1', { approvals: [denied, open] })]);
    assert.deepEqual(activityOf(one), { kind: 'asking', approval: open, count: 1 });
    const two = openTurn([call('0', { approvals: [open] }), call('1', { approvals: [asked(command)] })]);
    const [first, second] = [one, two].map((turn) => statusText({ id: 'c', turns: [turn] }));
    assert.equal(first?.text, 'The model asks to read a file: /etc/hosts');
    assert.equal(
      second?.text,
      'The model asks to read a file: /etc/hosts 2 questions wait for your permission.',
    );
    assert.notEqual(first.key, second.key);
  });

  it('shows each question apart from the lines around it, and with them afterwards', () => {
    const kinds = (parts: readonly ToolPart[], ended = false): readonly string[] =>
      groupsOf(parts, ended).map((group) =>
        group.kind === 'calls' ? `calls ${group.calls.length}` : group.kind,
      );
    const asking = call('1', { approvals: [open] });
    assert.deepEqual(kinds([call('0'), asking, call('2')]), ['calls 1', 'asking', 'calls 1']);
    assert.deepEqual(kinds([call('0'), call('1', { approvals: [denied] }), call('2')]), ['calls 3']);
    assert.deepEqual(kinds([call('0'), asking], true), ['calls 2']);
    assert.deepEqual(kinds([call('0', { name: 'apply_patch', approvals: [open] })]), ['patch', 'asking']);
  });

  it('is searched for what is asked, as it stands on the screen', () => {
    const texts = (part: ToolPart): readonly string[] => {
      const reading = new TurnReader().read(turnOf([part]));
      for (;;) {
        const { done, value } = reading.next();
        if (done === true) return value.slice(1).map(({ text }) => text);
      }
    };
    assert.deepEqual(texts(call('0', { approvals: [asked(command)] })), ['npm test']);
    const outcome = { kind: 'done', text: 'Out.' } as const;
    // What was asked whole is not said twice.
    assert.deepEqual(texts(call('0', { approvals: [denied, asked(foreign, { kind: 'allow' })], outcome })), [
      '/etc/hosts',
      '{\n  "sql": "select"\n}',
      'Out.',
    ]);
    const progress = { files: [{ path: 'a', change: 'add', added: 0, removed: 0 }] } as const;
    assert.deepEqual(texts(call('0', { progress, approvals: [asked(secrets)] })), ['a', '']);
  });
});
