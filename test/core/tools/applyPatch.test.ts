/** The tool from call to outcome, with a workspace of texts and a person who decides by script. */
import assert from 'node:assert/strict';
import type { ProposalSummary } from '../../../src/core/conversation/conversation.ts';
import type { FileState } from '../../../src/core/patch/editPlan.ts';
import { applyPatchTool } from '../../../src/core/tools/applyPatch.ts';
import type {
  FileOutcome,
  FilesPort,
  Proposal,
  ReviewContext,
  ReviewPort,
  Root,
} from '../../../src/core/tools/applyPatchPorts.ts';
import { maxPaths } from '../../../src/core/tools/patchFiles.ts';
import type { Tool, ToolCall, ToolOutcome } from '../../../src/core/tools/tool.ts';
import { enveloped } from '../patch/texts.ts';
import { nobodyIsAsked } from '../../support/contents.ts';

const app: Root = { name: 'app', path: '/app', caseInsensitive: false };
const web: Root = { name: 'web', path: '/web', caseInsensitive: false };

interface Setting {
  readonly roots?: readonly Root[];
  /** By `root:relative`. */
  readonly files?: Readonly<Record<string, string | FileState>>;
  readonly decide?: (proposal: Proposal, context: ReviewContext) => readonly FileOutcome[];
}

interface World {
  readonly tool: Tool;
  readonly read: string[];
  readonly proposals: Proposal[];
}

function world({ roots = [app], files = {}, decide = accept }: Setting = {}): World {
  const read: string[] = [];
  const proposals: Proposal[] = [];
  const filesPort: FilesPort = {
    roots: () => roots,
    read: async (path) => {
      read.push(`${path.root}:${path.relative}`);
      const state = files[`${path.root}:${path.relative}`];
      if (state === undefined) return { kind: 'missing' };
      return typeof state === 'string' ? { kind: 'text', text: state } : state;
    },
  };
  const review: ReviewPort = {
    review: async (proposal, context) => {
      proposals.push(proposal);
      return { files: decide(proposal, context) };
    },
  };
  return { tool: applyPatchTool(filesPort, review), read, proposals };
}

function accept({ plan }: Proposal): readonly FileOutcome[] {
  return plan.files.map(() => ({ kind: 'accepted' }));
}

function call(
  tool: Tool,
  input: string,
  more: Partial<ToolCall> & { aborted?: boolean } = {},
): Promise<ToolOutcome> {
  const { aborted = false, ...fields } = more;
  const controller = new AbortController();
  if (aborted) controller.abort();
  return tool.run(
    { id: 'call-1', name: 'apply_patch', input, complete: true, ...fields },
    { signal: controller.signal, proposal: () => undefined, ask: nobodyIsAsked },
  );
}

const update = enveloped('*** Update File: a.txt', '-a', '+b');

describe('apply_patch', () => {
  it('takes paths that lead to one file for one', async () => {
    const { tool, proposals } = world({
      files: {
        '0:link.txt': { kind: 'text', text: 'a\nb\n', linkedTo: 'real/a.txt' },
        '0:real/a.txt': 'a\nb\n',
      },
    });
    const sections = [
      '*** Update File: link.txt',
      '-a',
      '+A',
      '*** Update File: real/a.txt',
      ' A',
      '-b',
      '+B',
    ];
    assert.equal((await call(tool, enveloped(...sections))).kind, 'done');
    const edits = proposals[0]?.plan.files.map((edit) => [
      edit.path.relative,
      edit.kind === 'update' && edit.after,
    ]);
    assert.deepEqual(edits, [['link.txt', 'A\nB\n']]);
  });

  it('declares a custom tool with a grammar', () => {
    const { declaration } = world().tool;
    assert.ok(declaration.type === 'custom');
    assert.deepEqual(
      [declaration.name, declaration.format.type, declaration.format.syntax],
      ['apply_patch', 'grammar', 'lark'],
    );
    assert.match(declaration.format.definition, /^start: /);
    assert.match(declaration.description, /\*\*\* Begin Patch/);
  });

  it('proposes the plan under the id of the call and tells what was accepted', async () => {
    const { tool, proposals, read } = world({ files: { '0:a.txt': 'a\n' } });
    assert.deepEqual(await call(tool, update), {
      kind: 'done',
      text: 'Applied: 1 file changed.\nM a.txt +1 -1\n  hunk 1: now line 1',
    });
    assert.equal(proposals[0]?.id, 'call-1');
    assert.equal(proposals[0]?.plan.files[0]?.path.display, 'a.txt');
    assert.deepEqual(read, ['0:a.txt']);
  });

  it('takes the same patch as the argument of a function', async () => {
    const { tool } = world({ files: { '0:a.txt': 'a\n' } });
    for (const field of ['input', 'patch', 'patchText']) {
      const outcome = await call(tool, JSON.stringify({ [field]: update }));
      assert.equal(outcome.kind, 'done');
      assert.match(outcome.text, /\nNote: The patch came inside a JSON object/);
    }
  });

  it('hands the review what it needs to report and to stop', async () => {
    const summaries: ProposalSummary[] = [];
    const { tool } = world({
      files: { '0:a.txt': 'a\n' },
      decide: (proposal, context) => {
        assert.equal(context.signal.aborted, false);
        context.proposal({ id: proposal.id, files: [] });
        return [{ kind: 'cancelled' }];
      },
    });
    const outcome = await tool.run(
      { id: 'x', name: 'apply_patch', input: update, complete: true },
      {
        signal: new AbortController().signal,
        proposal: (summary) => summaries.push(summary),
        ask: nobodyIsAsked,
      },
    );
    assert.deepEqual(outcome.kind, 'cancelled');
    assert.deepEqual(summaries, [{ id: 'x', files: [] }]);
  });

  it('acts on no call that did not arrive complete', async () => {
    const { tool, read } = world({ files: { '0:a.txt': 'a\n' } });
    const outcome = await call(tool, update, { complete: false });
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.text, /^Nothing was changed: the call did not arrive complete/);
    assert.deepEqual(read, []);
  });

  it('reads and proposes nothing of a text that is no patch', async () => {
    const { tool, read, proposals } = world();
    const outcome = await call(tool, 'hello');
    assert.equal(outcome.kind, 'failed');
    assert.match(
      outcome.text,
      /^Nothing was changed\. .*\nbad-format at patch line 1: there is no line "\*\*\* Begin Patch"/,
    );
    assert.deepEqual([read, proposals], [[], []]);
  });

  it('reads nothing outside of the workspace', async () => {
    const { tool, read } = world();
    const outcome = await call(tool, enveloped('*** Update File: ../a.txt', '-a', '+b'));
    assert.match(outcome.text, /path-outside-workspace/);
    assert.deepEqual(read, []);
  });

  it('passes on why a file was refused', async () => {
    const { tool } = world({ files: { '0:a.txt': { kind: 'refused', reason: 'binary' } } });
    assert.match((await call(tool, update)).text, /file-refused: "a.txt" \(patch line 2\) is a binary file/);
  });

  it('does not ask about a patch that changes nothing', async () => {
    const { tool, proposals } = world({ files: { '0:a.txt': 'a\n' } });
    const outcome = await call(tool, enveloped('*** Update File: a.txt', ' a'));
    assert.deepEqual(outcome, {
      kind: 'done',
      text: 'Nothing was changed: the patch fits, but every file already is as it would leave it.\nNote: a.txt: the patch changes nothing in it.',
    });
    assert.deepEqual(proposals, []);
  });

  it('does not propose what was stopped while it was read', async () => {
    const { tool, proposals } = world({ files: { '0:a.txt': 'a\n' } });
    const outcome = await call(tool, update, { aborted: true });
    assert.equal(outcome.kind, 'cancelled');
    assert.match(outcome.text, /^Nothing was changed/);
    assert.deepEqual(proposals, []);
  });

  it('reads each file once, and no more than hundreds', async () => {
    const { tool, read } = world({ files: { '0:a.txt': 'a\n' } });
    await call(tool, enveloped('*** Update File: a.txt', '-a', '+b', '*** Update File: ./a.txt', '-b', '+c'));
    assert.deepEqual(read, ['0:a.txt']);
    const many = enveloped(...Array.from({ length: maxPaths + 1 }, (_, index) => `*** Add File: f${index}`));
    const outcome = await call(tool, many);
    assert.match(outcome.text, /too-large: the patch is too long/);
    assert.equal(read.length, 1);
  });

  describe('outcome', () => {
    const table: readonly (readonly [ToolOutcome['kind'], readonly FileOutcome['kind'][]])[] = [
      ['done', ['accepted', 'rejected']],
      ['done', ['conflict', 'acceptedAmended']],
      ['failed', ['conflict', 'rejected']],
      ['failed', ['cancelled', 'failed']],
      ['rejected', ['rejected', 'rejected']],
      ['rejected', ['cancelled', 'rejected']],
      ['cancelled', ['cancelled', 'cancelled']],
      ['undecided', ['undecided', 'undecided']],
      ['undecided', ['conflict', 'undecided']],
    ];
    const make = (kind: FileOutcome['kind']): FileOutcome => {
      switch (kind) {
        case 'acceptedAmended':
          return { kind, text: 'mine\n' };
        case 'conflict':
        case 'failed':
          return { kind, detail: 'Because.' };
        case 'accepted':
        case 'rejected':
        case 'cancelled':
        case 'undecided':
          return { kind };
      }
    };
    for (const [kind, outcomes] of table) {
      it(`is ${kind} for ${outcomes.join(' and ')}`, async () => {
        const { tool } = world({ decide: () => outcomes.map(make) });
        const outcome = await call(tool, enveloped('*** Add File: a', '+a', '*** Add File: b', '+b'));
        assert.equal(outcome.kind, kind);
        assert.equal(outcome.text.startsWith('Nothing was changed'), kind !== 'done');
      });
    }
  });

  it('is undecided while a file still waits, whatever became of the others', async () => {
    const { tool } = world({ decide: () => [{ kind: 'accepted' }, { kind: 'undecided' }] });
    const outcome = await call(tool, enveloped('*** Add File: a', '+a', '*** Add File: b', '+b'));
    assert.equal(outcome.kind, 'undecided');
    assert.match(outcome.text, /^Applied in part: 1 of 2 files changed\.[^]*"b": not decided yet/);
  });

  describe('remembers', () => {
    it('on which files the last patch failed', async () => {
      const { tool } = world({ files: { '0:a.txt': 'a\n', '0:b.txt': 'b\n' } });
      const wrong = enveloped('*** Update File: a.txt', '-x');
      assert.doesNotMatch((await call(tool, wrong)).text, /smaller hunk/);
      assert.match((await call(tool, wrong)).text, /smaller hunk/);
      await call(tool, 'no patch at all');
      assert.match((await call(tool, wrong)).text, /smaller hunk/);
      await call(tool, enveloped('*** Update File: b.txt', '-b'));
      assert.doesNotMatch((await call(tool, wrong)).text, /smaller hunk/);
    });

    it('which files were changed before', async () => {
      const { tool } = world({
        files: { '0:a.txt': 'a\n', '0:b.txt': 'b\n', '0:c.txt': 'c\n' },
        decide: () => [{ kind: 'accepted' }, { kind: 'rejected' }],
      });
      await call(
        tool,
        enveloped('*** Update File: a.txt', '*** Move to: d.txt', '-a', '+A', '*** Update File: b.txt', '-b'),
      );
      const said = async (path: string) =>
        (await call(tool, enveloped(`*** Update File: ${path}`, '-x'))).text;
      assert.match(await said('a.txt'), /"a.txt" has been changed by an earlier patch/);
      assert.doesNotMatch(await said('b.txt'), /earlier patch/);
      assert.doesNotMatch(await said('c.txt'), /earlier patch/);
    });
  });

  describe('with several folders', () => {
    const files = { '0:a.txt': 'a\n', '1:b.txt': 'a\n', '0:c.txt': 'a\n', '1:c.txt': 'a\n' };

    it('takes the one folder that has the file', async () => {
      const { tool, proposals } = world({ roots: [app, web], files });
      assert.equal((await call(tool, enveloped('*** Update File: b.txt', '-a', '+b'))).kind, 'done');
      assert.equal(proposals[0]?.plan.files[0]?.path.display, 'web/b.txt');
    });

    it('asks for its name where several have it or none', async () => {
      const { tool } = world({ roots: [app, web], files });
      for (const path of ['c.txt', 'd.txt']) {
        assert.match(
          (await call(tool, enveloped(`*** Update File: ${path}`, '-a'))).text,
          /could be in any of several workspace folders/,
        );
      }
      assert.equal(
        (await call(tool, enveloped('*** Update File: web/c.txt', '-a', '+b', '*** Add File: app/n', '+n')))
          .kind,
        'done',
      );
    });

    it('has no place where no folder is open', async () => {
      const { tool } = world({ roots: [] });
      assert.match((await call(tool, update)).text, /no folder is open/);
    });
  });

  it('tells what is certain while the input arrives', () => {
    const watcher = world().tool.watch?.();
    assert.equal(watcher?.feed('*** Begin Patch\n*** Add File: a'), undefined);
    assert.deepEqual(watcher?.feed('\n+x\n'), [{ index: 0, path: 'a', change: 'add', added: 1, removed: 0 }]);
  });
});
