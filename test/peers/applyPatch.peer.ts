/**
 * Our patch engine beside the Codex binary run as `apply_patch`: thousands of files and patches made at random, and our own scenarios.
 * Every difference has to be of a known kind, and ours may change nothing that the patch does not mean.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { applied, plan } from '../core/patch/texts.ts';
import { CodexPatch } from './codexPatch.ts';
import { patchCase, type Texts } from './patchCases.ts';
import { differenceKind, sameTexts, type OurResult } from './patchDifferences.ts';

/** `KIMI_CHAT_PATCH_CASES` asks for more: for whoever changes the engine or the version of Codex. */
const cases = Number(process.env['KIMI_CHAT_PATCH_CASES'] ?? 600);
/**
 * Case `n` of a run has seed `seed + n`; `FC_SEED` begins elsewhere. The same cases each time unless it does: what another program
 * makes of a patch nobody has seen yet is news, and no fault of the change at hand.
 */
const seed = Number(process.env['FC_SEED'] ?? 1);
const readme = path.join(import.meta.dirname, '../../src/core/patch/README.md');
const scenarios = path.join(import.meta.dirname, '../fixtures/patches');

/** Scenarios that Codex answers otherwise, each with the kind of the table that says why. */
const otherwise: Readonly<Record<string, string>> = {
  'add-below-a-file': 'half done',
  'add-file-blank-line-without-plus': 'loose lines',
  'add-over-existing-file': 'add over a file',
  'anchor-inside-the-hunk': 'anchor above the last hunk, or first of its kind',
  'anchor-is-a-prefix-of-the-real-line': 'beginning of an anchor',
  'anchor-must-not-end-inside-a-word': 'beginning of an anchor',
  'anchor-used-again-for-second-hunk': 'anchor above the last hunk, or first of its kind',
  'bom-first-line-edited': 'first line behind a BOM',
  'braces-on-their-own-line': 'several places, first one wrong',
  'closing-signs-in-header': 'closing @@',
  'context-lines-without-leading-space': 'context without its blank',
  'decomposed-accent-in-file': 'composed accents',
  'delete-then-add-keeps-line-ends': 'delete, then add',
  'empty-added-line-lost-its-sign': 'loose lines',
  'end-of-file-mark-before-blank-lines': 'end mark',
  'end-of-file-mark-ends-only-its-hunk': 'end mark',
  'eof-marker-but-block-is-elsewhere': 'end mark',
  'failure-in-second-file-changes-nothing': 'half done',
  'fenced-with-language-tag': 'wrapped',
  'header-without-space-before-anchor': '@@ without a blank',
  'indentation-drift-is-repaired': 'indentation',
  'inner-anchor-below-the-outer-one': 'several anchors',
  'insert-only-hunk-with-anchor-goes-after-anchor': 'added lines alone below an anchor',
  'insertions-below-their-anchors': 'added lines alone below an anchor',
  'move-over-existing-file': 'move over a file',
  'no-final-newline-untouched': 'open end',
  'no-newline-marker-of-unified-diff': 'remark about the last newline',
  'out-of-order-hunks': 'out of order',
  'partial-success-is-none': 'half done',
  'patch-indented-too-deep': 'indentation',
  'patch-spaces-file-tabs': 'indentation',
  'patch-tabs-file-spaces': 'indentation',
  'prose-around-the-envelope': 'wrapped',
  'quoted-path': 'spelling of paths',
  'remark-behind-line-numbers': 'line numbers',
  'rename-only': 'move without hunks',
  'rename-to-itself': 'move to itself',
  'single-anchor-missing-but-context-unique': 'missing anchor',
  'stacked-anchors': 'several anchors',
  'stale-context-of-an-earlier-section': 'half done',
  'swap-two-files': 'move without hunks',
  'tolerant-pass-finds-two-places': 'several places, first one wrong',
  'two-equal-blocks': 'several places, first one wrong',
  'two-equal-hunks-three-places': 'several places, first one wrong',
  'two-matches-inside-the-anchored-scope': 'several places, first one wrong',
  'unchanged-lines-in-a-run-keep-their-bytes': 'lines put back',
  'unified-diff-line-numbers-in-header': 'line numbers',
  'windows-separators': 'spelling of paths',
  'wrapped-in-json': 'wrapped',
};

describe('the patch engine beside Codex', function () {
  this.timeout(900_000);
  let codex: CodexPatch;
  before(async () => {
    codex = await CodexPatch.open();
  });
  after(() => codex.close());

  it(`makes only what was meant of ${cases} patches made at random, and differs in known ways (seed ${seed})`, async () => {
    const counts = new Map<string, number>();
    const faults: string[] = [];
    let next = seed;
    const work = async (): Promise<void> => {
      while (next < seed + cases) {
        const made = patchCase(next);
        next += 1;
        const ours = ourResult(made.before, made.patch);
        // The edit was made first, so this needs no engine: whatever is there now and was not meant, nobody named.
        if (ours.ok && (made.meant === undefined || !sameTexts(ours.after, made.meant))) {
          faults.push(describeCase('something else was changed', made.seed));
        }
        const kind = differenceKind({ made, ours, codex: await codex.apply(made.before, made.patch) });
        if (kind === undefined) faults.push(describeCase('a difference of no known kind', made.seed));
        else counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 2 * cpus().length }, work));

    for (const [kind, count] of [...counts].toSorted((one, other) => other[1] - one[1])) {
      console.log(`      ${String(count).padStart(5)}  ${kind}`);
    }
    assert.deepEqual(faults, []);
    // Had one side failed throughout, the comparison would say nothing.
    assert.ok((counts.get('planned') ?? 0) > cases / 3, 'too few are planned alike');
    assert.ok((counts.get('refused') ?? 0) > cases / 30, 'too few are refused alike');
    assertExplained([...counts.keys()].filter((kind) => kind !== 'planned' && kind !== 'refused'));
  });

  it('has scenarios whose answers Codex gives too, but for those that are meant to differ', async () => {
    const differing: string[] = [];
    for (const name of readdirSync(scenarios).toSorted()) {
      const folder = path.join(scenarios, name);
      const refused = path.join(folder, 'error.txt');
      const isRefused = existsSync(refused);
      // Codex as a program writes wherever a path leads.
      if (isRefused && readFileSync(refused, 'utf8').trim() === 'path-outside-workspace') continue;
      const texts = readTexts(path.join(folder, 'before'));
      const wanted = isRefused ? texts : readTexts(path.join(folder, 'after'));
      const { ok, after } = await codex.apply(texts, readFileSync(path.join(folder, 'patch.txt'), 'utf8'));
      if (ok === isRefused || !sameTexts(after, wanted)) differing.push(name);
    }
    assert.deepEqual(differing, Object.keys(otherwise).toSorted());
    assertExplained(Object.values(otherwise));
  });
});

function ourResult(before: Texts, patch: string): OurResult {
  const planned = plan(before, patch);
  return planned.ok
    ? { ok: true, after: applied(before, planned.value) }
    : { ok: false, problems: planned.error.problems.map(({ kind }) => kind) };
}

function describeCase(what: string, at: number): string {
  const { before, patch, meant, traits } = patchCase(at);
  return `${what}; FC_SEED=${at} begins with it: ${JSON.stringify({ traits: [...traits], before, patch, meant }, undefined, 1)}`;
}

/** The table gives the reason of every kind. */
function assertExplained(kinds: readonly string[]): void {
  const table = readFileSync(readme, 'utf8');
  for (const kind of new Set(kinds)) assert.ok(table.includes(`| ${kind} `), `the table lacks "${kind}"`);
}

function readTexts(root: string): Texts {
  if (!existsSync(root)) return {};
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(root, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')];
    }),
  );
}
