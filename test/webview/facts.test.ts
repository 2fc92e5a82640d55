/** What is said about turns and patches, worked out from the conversation alone. */
import assert from 'node:assert/strict';
import type {
  AnswerPart,
  Part,
  ProposedFile,
  ReasoningPart,
  RequestRecord,
  RetryWait,
  ToolPart,
  Turn,
  Usage,
} from '../../src/core/conversation/conversation.ts';
import {
  counts,
  hiddenChanges,
  hiddenText,
  hunksText,
  patchStage,
  settledText,
  stateText,
  toldFiles,
} from '../../src/webview/patchFacts.ts';
import { chipParts, pathParts } from '../../src/webview/paths.ts';
import { statusText } from '../../src/webview/statusText.ts';
import {
  activityOf,
  answerText,
  awaitsService,
  brokenWords,
  cutOffOf,
  headingOf,
  isAlone,
  isPatch,
  reasoningTokens,
  silenceOf,
} from '../../src/webview/turnFacts.ts';

const turn = (parts: readonly Part[], more: Partial<Turn> = {}): Turn => ({
  id: 't',
  question: { text: 'Why?', attachments: [] },
  model: 'kimi-k3.1-pro',
  effort: 'max',
  startedAt: 100,
  parts,
  requests: [],
  ...more,
});
const reasoning = (more: Partial<ReasoningPart> = {}): ReasoningPart => ({
  kind: 'reasoning',
  id: 'r',
  sections: ['x'],
  openedAt: 200,
  ...more,
});
const answer = (more: Partial<AnswerPart> = {}): AnswerPart => ({
  kind: 'answer',
  id: 'a',
  sections: ['Because.'],
  openedAt: 300,
  ...more,
});
const tool = (more: Partial<ToolPart> = {}): ToolPart => ({
  kind: 'tool',
  id: 'p',
  name: 'apply_patch',
  input: '',
  openedAt: 400,
  ...more,
});
const file = (state: ProposedFile['state'], more: Partial<ProposedFile> = {}): ProposedFile => ({
  index: 0,
  path: 'src/a.ts',
  change: 'update',
  added: 3,
  removed: 1,
  state,
  seen: false,
  amended: false,
  ...more,
});
const proposed = (...files: ProposedFile[]): ToolPart => tool({ askedAt: 410, proposal: { id: 'x', files } });

const usage: Usage = { input: 100, cached: 60, cacheWrite: 10, output: 20, reasoning: 5 };

/** Requests that have ended, one a round, with what each was told to have taken. */
function requests(...usage: readonly (Usage | null)[]): readonly RequestRecord[] {
  return usage.map((each, round) => ({
    round,
    model: 'kimi-k3.1-pro',
    effort: 'max',
    sentAt: 1,
    beginning: { kind: 'first' },
    endedAt: 2,
    usage: each,
  }));
}

describe('what a turn is doing', () => {
  it('waits, thinks, answers, writes, runs, is reviewed, and then nothing', () => {
    assert.deepEqual(activityOf(turn([])), { kind: 'waiting', since: 100 });
    assert.deepEqual(activityOf(turn([reasoning()])), { kind: 'thinking', since: 200 });
    assert.deepEqual(activityOf(turn([reasoning({ closedAt: 250 })])), { kind: 'waiting', since: 250 });
    assert.equal(activityOf(turn([reasoning({ closedAt: 250 }), answer()]))?.kind, 'answering');
    assert.equal(activityOf(turn([tool()]))?.kind, 'writingCall');
    assert.equal(activityOf(turn([tool({ askedAt: 410 })]))?.kind, 'runningTool');
    assert.equal(activityOf(turn([proposed(file('pending'))]))?.kind, 'reviewing');
    assert.equal(activityOf(turn([proposed(file('accepted'))]))?.kind, 'runningTool');
    assert.equal(activityOf(turn([answer()], { end: { kind: 'stopped' } })), undefined);
  });

  it('knows that a patch waits even while something else runs', () => {
    const other = tool({ id: 'q', name: 'read_file', askedAt: 500 });
    assert.equal(activityOf(turn([proposed(file('pending')), other]))?.kind, 'reviewing');
  });

  it('waits to be sent again, whatever else there is', () => {
    const retry: RetryWait = {
      failure: { kind: 'overloaded', message: '', status: 503 },
      attempt: 2,
      of: 4,
      since: 1000,
      until: 13_000,
    };
    const retrying = turn([answer({ closedAt: 350 })], { retry });
    assert.deepEqual(activityOf(retrying), { kind: 'retrying', retry });
    const said = statusText({ id: 'c', turns: [retrying] });
    assert.equal(said?.text, 'The service is overloaded. Trying again in 12\u00a0s (2 of 4).');
    const next = turn([], { retry: { ...retry, attempt: 3, since: 13_500, until: 15_000 } });
    assert.notEqual(statusText({ id: 'c', turns: [next] })?.key, said.key);
  });

  it('expects news only while a request is on its way', () => {
    const [ended] = requests(usage);
    assert.ok(ended);
    const { endedAt: _, usage: __, ...running } = ended;
    assert.equal(awaitsService(turn([])), false);
    assert.equal(awaitsService(turn([], { requests: [running] })), true);
    assert.equal(awaitsService(turn([proposed(file('pending'))], { requests: [ended] })), false);
    assert.equal(awaitsService(turn([], { requests: [running], end: { kind: 'stopped' } })), false);
  });

  it('speaks of silence after a minute, and only of a request’s', () => {
    const [ended] = requests(usage);
    assert.ok(ended);
    const { endedAt: _, usage: __, ...running } = ended;
    const asked = turn([reasoning()], { requests: [running] });
    assert.equal(silenceOf(asked, 5000, 64_999), undefined);
    assert.equal(silenceOf(asked, 5000, 65_000), 60_000);
    const reviewed = turn([proposed(file('pending'))], { requests: [ended] });
    assert.equal(silenceOf(reviewed, 0, 1e9), undefined);
    const retry: RetryWait = {
      failure: { kind: 'overloaded', message: '', status: 503 },
      attempt: 2,
      of: 4,
      since: 0,
      until: 120_000,
    };
    assert.equal(silenceOf(turn([], { requests: [running], retry }), 0, 100_000), undefined);
  });

  it('knows where an answer was when its room was used up', () => {
    const [one] = requests(usage);
    assert.ok(one);
    const at = (part: Part, room?: number): unknown =>
      cutOffOf(turn([part], { requests: [{ ...one, ...(room !== undefined && { room }) }] }));
    assert.deepEqual(at(answer({ id: '0.1' })), { at: 'answer' });
    assert.deepEqual(at(answer({ id: '0.1', sections: [' '] })), { at: 'reasoning' });
    assert.deepEqual(at(reasoning({ id: '0.0' }), 4096), { at: 'reasoning', room: 4096 });
    assert.deepEqual(at(tool({ id: '0.1' })), { at: 'call' });
  });

  it('is alone when nothing of or before it can be left out', () => {
    const chip = { id: 'f', kind: 'file', path: 'a', uri: 'file:///a', languageId: 'plaintext' } as const;
    const first = turn([]);
    assert.equal(isAlone(first, [first]), true);
    assert.equal(isAlone({ ...first, id: 'second' }, [first]), false);
    const attached = turn([], { question: { text: 'Why?', attachments: [chip] } });
    assert.equal(isAlone(attached, [attached]), false);
    assert.equal(isAlone({ ...attached, cut: { attachments: true } }, [attached]), true);
    const called = turn([tool()]);
    assert.equal(isAlone(called, [called]), false);
    const long = turn([], { id: 'second', question: { text: 'x'.repeat(600_000), attachments: [chip] } });
    assert.equal(isAlone(long, [first, long]), true);
  });

  it('is announced once for each change', () => {
    const say = (...turns: Turn[]): ReturnType<typeof statusText> => statusText({ id: 'c', turns });
    assert.equal(say(), undefined);
    assert.equal(say(turn([reasoning()]))?.text, 'Thinking.');
    assert.equal(say(turn([reasoning()]))?.key, say(turn([reasoning({ sections: ['x', 'y'] })]))?.key);
    assert.equal(
      say(turn([proposed(file('pending'), file('pending', { index: 1 }))]))?.text,
      'A patch for 2 files waits for your decision.',
    );
    assert.equal(say(turn([answer()], { end: { kind: 'completed' } }))?.text, 'The answer is complete.');
    assert.equal(say(turn([], { end: { kind: 'stopped' } }))?.text, 'Stopped.');
    const lost = { kind: 'failed', failure: { kind: 'brokenStream', detail: '' } } as const;
    assert.match(
      say(turn([answer({ sections: ['Two words'] })], { end: lost, broken: ['a'], endedAt: 900 }))?.text ??
        '',
      /^The connection was lost after 2 words\./,
    );
    // Gone on with and ended again between two drawings.
    assert.notEqual(
      say(turn([], { end: lost, endedAt: 900 }))?.key,
      say(turn([], { end: lost, endedAt: 950 }))?.key,
    );
  });
});

describe('what a turn used', () => {
  it('knows the tokens of a block of reasoning that is alone in its response', () => {
    const first = reasoning({ id: '0.0' });
    const second = reasoning({ id: '1.0' });
    const parts = [first, answer({ id: '0.1' }), second, answer({ id: '1.1' })];
    const told = [usage, { ...usage, reasoning: 7 }];
    const tokens = (part: ReasoningPart, more: Partial<Turn>, list: readonly Part[] = parts): unknown =>
      reasoningTokens(turn(list, more), part);
    assert.equal(tokens(first, { requests: requests(...told) }), 5);
    assert.equal(tokens(second, { requests: requests(...told) }), 7);
    assert.equal(tokens(first, { requests: requests(usage) }), 5);
    assert.equal(tokens(second, { requests: requests(usage) }), undefined);
    assert.equal(tokens(first, { requests: requests(null, usage) }), undefined);
    assert.equal(tokens(first, { requests: [] }), undefined);
    assert.equal(
      tokens(first, { requests: requests(...told) }, [...parts, reasoning({ id: '0.2' })]),
      undefined,
    );
  });
});

describe('texts of a turn', () => {
  it('copies all answers of the turn', () => {
    const parts = [answer({ sections: ['One.', ''] }), reasoning(), answer({ id: 'b', sections: ['Two.'] })];
    assert.equal(answerText(turn(parts)), 'One.\n\nTwo.');
  });

  it('counts the words of what broke, in languages without spaces too', () => {
    const broken = (text: string, locale: string): number =>
      brokenWords(
        turn([answer({ id: 'x', sections: ['not these'] }), answer({ sections: [text] })], { broken: ['a'] }),
        locale,
      );
    assert.equal(broken('The loop runs too short.', 'en'), 5);
    assert.equal(broken('   ', 'en'), 0);
    assert.ok(broken('循环少跑了一次', 'zh-cn') > 1);
    assert.equal(brokenWords(turn([answer()]), 'en'), 0);
  });

  it('makes a heading of the first line that says something, cut at a whole character', () => {
    assert.equal(headingOf('\n\n  Why is\nthis wrong?'), 'Why is');
    assert.equal(headingOf('  '), '');
    assert.equal(headingOf('abcdef', 6), 'abcdef');
    assert.equal(headingOf('abcdefg', 6), 'abcdef…');
    assert.equal(headingOf('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2), '👩‍👩‍👧👩‍👩‍👧…');
  });
});

describe('a patch card', () => {
  const stage = (part: ToolPart, ended = false): string => patchStage(part, ended).kind;

  it('goes from writing to checking to a decision to what came of it', () => {
    assert.equal(stage(tool()), 'writing');
    assert.equal(stage(tool({ askedAt: 410 })), 'checking');
    assert.deepEqual(patchStage(proposed(file('pending'), file('accepted')), false), {
      kind: 'pending',
      proposal: proposed(file('pending'), file('accepted')).proposal,
      seen: false,
    });
    const seen = patchStage(proposed(file('pending', { seen: true }), file('accepted')), false);
    assert.equal(seen.kind === 'pending' && seen.seen, true);
    // A conflict decides nothing: it can be tried again, or rejected.
    assert.equal(stage(proposed(file('conflict'), file('accepted'))), 'pending');
    assert.equal(stage(proposed(file('applying'))), 'applying');
    assert.equal(stage(proposed(file('accepted'))), 'settled');
  });

  it('goes on asking after a conflict or a failure: the person may try again', () => {
    assert.equal(stage(proposed(file('conflict'), file('accepted'))), 'pending');
    assert.equal(stage(proposed(file('failed'))), 'pending');
    assert.equal(stage(proposed(file('conflict')), true), 'settled');
  });

  it('goes on asking when the person went on before they decided', () => {
    const left = { outcome: { kind: 'undecided', text: '' }, closedAt: 500 } as const;
    assert.equal(stage({ ...proposed(file('pending')), ...left }, true), 'pending');
    assert.equal(stage({ ...proposed(file('applying')), ...left }, true), 'applying');
    assert.equal(stage({ ...proposed(file('accepted')), ...left }, true), 'settled');
  });

  it('asks nothing once the turn has ended', () => {
    assert.equal(stage(proposed(file('pending')), true), 'settled');
    assert.equal(stage(tool(), true), 'cutOff');
    assert.equal(stage(tool({ askedAt: 410 }), true), 'cutOff');
  });

  it('tells a patch that fits nowhere from one that was stopped', () => {
    assert.equal(stage(tool({ outcome: { kind: 'failed', text: 'no such lines' } })), 'unfit');
    assert.equal(stage(tool({ outcome: { kind: 'cancelled', text: '' } })), 'cutOff');
  });

  it('is known by its name or by what it carries', () => {
    assert.equal(isPatch(tool()), true);
    assert.equal(isPatch(tool({ name: 'other' })), false);
    assert.equal(isPatch(tool({ name: 'other', progress: { files: [] } })), true);
  });

  it('says in one line what came of it', () => {
    const said = (...states: ProposedFile['state'][]): string =>
      settledText({ id: 'x', files: states.map((state, index) => file(state, { index })) });
    assert.equal(said('accepted'), 'Applied to 1 file');
    assert.equal(said('accepted', 'accepted'), 'Applied to 2 files');
    assert.equal(said('accepted', 'rejected', 'conflict'), 'Applied to 1 of 3 files');
    assert.equal(said('rejected', 'rejected'), 'Rejected');
    assert.equal(said('rejected', 'conflict'), 'Not applied: the files have changed');
    assert.equal(said('failed'), 'Could not be applied');
    assert.equal(said('cancelled'), 'Not applied');
    assert.equal(said('takenBack', 'takenBack'), 'Taken back');
    assert.equal(said('takenBack', 'rejected'), 'Taken back in 1 of 2 files');
    assert.equal(said('takenBack', 'accepted'), 'Applied to 1 of 2 files');
  });

  it('counts the lines of the files of which that line tells', () => {
    const told = (...states: ProposedFile['state'][]): number[] =>
      toldFiles({ id: 'x', files: states.map((state, index) => file(state, { index })) }).map(
        ({ index }) => index,
      );
    assert.deepEqual(told('accepted', 'rejected', 'accepted'), [0, 2]);
    assert.deepEqual(told('takenBack', 'accepted'), [1]);
    assert.deepEqual(told('takenBack', 'rejected'), [0]);
    assert.deepEqual(told('rejected', 'conflict'), [0, 1]);
  });

  it('has a word beside a file only where the line does not say it', () => {
    const two = (a: ProposedFile, b: ProposedFile): unknown => stateText(a, { id: 'x', files: [a, b] });
    assert.equal(two(file('accepted'), file('accepted')), undefined);
    assert.equal(two(file('accepted'), file('rejected')), 'applied');
    assert.equal(two(file('rejected'), file('accepted')), 'rejected');
    assert.equal(two(file('conflict'), file('conflict')), 'conflict');
    assert.equal(two(file('pending', { amended: true }), file('pending')), 'edited');
    assert.equal(two(file('accepted', { amended: true }), file('accepted')), 'edited');
    assert.equal(two(file('takenBack'), file('accepted')), 'taken back');
    assert.equal(two(file('takenBack'), file('takenBack')), undefined);
  });

  it('adds up lines', () => {
    assert.deepEqual(counts([file('pending'), file('pending')]), { files: 2, added: 6, removed: 2 });
  });
});

describe('the hunks of a file on a card', () => {
  const plain = { open: 3, moved: 0, conflicting: 0, hidden: 0, there: 0, accepted: 0, rejected: 0 };

  it('are not spoken of while they only wait, or are not known', () => {
    assert.equal(hunksText(file('pending')), undefined);
    assert.equal(hunksText(file('pending', { hunks: plain })), undefined);
  });

  it('are told as they stand', () => {
    const hunks = { ...plain, open: 2, moved: 1, conflicting: 1, there: 1, accepted: 3, rejected: 4 };
    assert.equal(
      hunksText(file('conflict', { hunks })),
      '2 changes left\u00a0· 3 accepted\u00a0· 4 rejected\u00a0· 1 already there\u00a0· 1 in conflict\u00a0· 1 moved',
    );
    assert.equal(
      hunksText(file('pending', { hunks: { ...plain, open: 1, moved: 1 } })),
      '1 change left\u00a0· 1 moved',
    );
  });

  it('are counted where the diff hides them', () => {
    const proposal = {
      id: 'x',
      files: [file('pending', { hunks: { ...plain, hidden: 1 } }), file('pending'), file('rejected')],
    };
    assert.equal(hiddenChanges(proposal), 1);
    assert.match(hiddenText(1), /^1 change has /);
    assert.match(hiddenText(2), /^2 changes have /);
  });

  it('name a file of which a part was accepted, and one that had all of it', () => {
    const part = file('accepted', { partly: true, amended: true });
    assert.equal(stateText(part, { id: 'x', files: [part] }), 'part accepted');
    const there = file('there');
    assert.equal(stateText(there, { id: 'x', files: [there] }), undefined);
    assert.equal(stateText(there, { id: 'x', files: [there, part] }), 'already there');
    assert.equal(settledText({ id: 'x', files: [there] }), 'Already there: nothing was written');
  });
});

describe('paths', () => {
  it('part into folder and name', () => {
    assert.deepEqual(pathParts('src/a/b.ts'), { folder: 'src/a/', name: 'b.ts' });
    assert.deepEqual(pathParts('b.ts'), { folder: '', name: 'b.ts' });
  });

  it('make the label of a chip', () => {
    assert.deepEqual(chipParts('src/cart.ts', { from: 12, to: 31 }), {
      folder: 'src/',
      name: 'cart.ts:12-31',
    });
    assert.deepEqual(chipParts('a/b/cart.ts', { from: 12, to: 12 }), { folder: 'a/b/', name: 'cart.ts:12' });
    assert.deepEqual(chipParts('cart.ts', undefined), { folder: '', name: 'cart.ts' });
  });
});
