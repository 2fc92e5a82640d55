/**
 * Runs the host tests in the extension host of a real VS Code: `hostTests.ts [--vscode 1.139|1.106] [--floor] [--short] [--grep PATTERN]
 * [--parts N]`, or with `--again` once more the files of which a test failed in the last run.
 */
import { access, mkdtemp, realpath, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { recordedResult, recordResult } from '../support/countingReporter.ts';
import { joinRecords } from '../support/testRecords.ts';
import { launchBrowser } from './browser.ts';
import { failedFiles } from './failedBefore.ts';
import { hostFiles } from './hostFiles.ts';
import { extensionLink } from './extensionLink.ts';
import { openHostTestChannel, type Ended } from './hostTestChannel.ts';
import { extensionBundle, hostTestBundle, hostTestExtension, repository } from './places.ts';
import { ProblemForPerson, tellAndFail } from './problem.ts';
import { startServer } from './server.ts';
import { vsCodePins, vsCodeVersions } from './versions.ts';
import type { VsCodeVersion } from './versions.ts';
import { copySample } from './workspace.ts';

interface Options {
  readonly version: VsCodeVersion;
  readonly grep: string | undefined;
  /** Without what an older VS Code can't do differently; all the same where tests are named by a pattern. */
  readonly short: boolean;
  /** So many VS Codes share the tests. */
  readonly parts: number;
  /** Only what failed in the last run. */
  readonly again: boolean;
}

/** Nobody looks at this workbench: what it draws beside the text takes time from the tests. */
const plainWorkbench = {
  'security.workspace.trust.enabled': false,
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.colorDecorators': false,
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.stickyScroll.enabled': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.reduceMotion': 'on',
  'workbench.statusBar.visible': false,
} as const;

/** All tests together; each has its own limit inside VS Code. */
const overallLimit = 10 * 60_000;

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      vscode: { type: 'string' },
      floor: { type: 'boolean' },
      short: { type: 'boolean' },
      grep: { type: 'string' },
      parts: { type: 'string' },
      again: { type: 'boolean' },
    },
  });
  const wanted = values.vscode ?? (values.floor === true ? '1.106' : '1.139');
  const version = vsCodeVersions.find((one) => one === wanted);
  if (!version) throw new ProblemForPerson(`--vscode is one of ${vsCodeVersions.join(', ')}, not ${wanted}.`);
  // One is enough for a few tests, and shows each as it goes.
  const again = values.again === true;
  const isFew = again || values.grep !== undefined;
  const parts = Number(values.parts ?? (isFew ? 1 : Math.min(2, availableParallelism())));
  if (!Number.isInteger(parts) || parts < 1) throw new ProblemForPerson('--parts is a number from 1.');
  return { version, grep: values.grep, short: values.short === true, parts, again };
}

async function main(): Promise<void> {
  const options = readOptions();
  const suite = options.version === '1.139' ? 'host' : 'host-floor';
  if (options.again) return await runAgain(suite, options);
  recordResult({ suite, passed: 0, failed: 1, skipped: 0 }, repository);
  for (const file of [extensionBundle, hostTestBundle]) {
    await access(file).catch(() => {
      throw new ProblemForPerson(
        `${path.relative(repository, file)} is missing: run \`npm run build\` first.`,
      );
    });
  }
  const { parts } = options;
  const shares = await hostFiles(options.short, parts);
  const all = await Promise.all(
    shares.map((share, index) => {
      // What is named by a pattern is found in whatever file.
      const files = options.grep === undefined ? share : undefined;
      return runPart(index, options, files);
    }),
  );
  const passed = all.reduce((sum, part) => sum + part.passed, 0);
  const failed = all.reduce((sum, part) => sum + part.failed, 0);
  recordResult(
    { suite, passed, failed: passed + failed === 0 ? 1 : failed, skipped: 0, ...joinRecords(all) },
    repository,
  );
  if (passed + failed === 0) throw new ProblemForPerson('No host test ran.');
  console.log(
    `Host tests in VS Code ${vsCodePins[options.version].vscode}: ${passed} passed, ${failed} failed`,
  );
  if (failed > 0) process.exitCode = 1;
}

/** Corrects what the last run left. */
async function runAgain(suite: string, options: Options): Promise<void> {
  const before = recordedResult(suite, repository);
  const files = failedFiles(before);
  if (files === undefined) throw new ProblemForPerson('Too much failed, or not by name: nothing runs again.');
  console.log(`\n== Again, with nothing beside them: ${files.join(', ')}`);
  const { failed, failures } = await runPart(0, options, files);
  const passed = before.passed + before.failed - failed;
  const result = { ...before, passed, failed, failures };
  recordResult(failed > 0 ? result : { ...result, unsteady: before.failures ?? [] }, repository);
  if (failed > 0) process.exitCode = 1;
}

/** In a VS Code of its own. Of several parts, each one's output is printed whole when it ends. */
async function runPart(
  index: number,
  { version, grep, parts }: Options,
  files: readonly string[] | undefined,
): Promise<Ended> {
  const lines: string[] = [];
  const print = (text: string): void => void (parts === 1 ? console.log(text) : lines.push(text));
  const channel = await openHostTestChannel(print);
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'kimi-chat-host-tests-')));
  const folder = path.join(parent, 'corner-shop');
  await copySample(folder);
  const server = await startServer({
    version,
    settings: plainWorkbench,
    builtIn: index === 0 ? 'all' : 'plain',
    install: [hostTestExtension],
    env: {
      EXTENSIONS_GALLERY: '{}',
      ...channel.env,
      KIMI_CHAT_TEST_VSCODE: vsCodePins[version].vscode,
      ...(files && { KIMI_CHAT_TEST_FILES: files.join(',') }),
      ...(grep !== undefined && { KIMI_CHAT_TEST_GREP: grep }),
    },
  });
  try {
    const browser = await launchBrowser();
    try {
      print(
        `Host tests in VS Code ${server.exactVersion}${parts === 1 ? '' : `, part ${index + 1} of ${parts}`}`,
      );
      const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
      await page.goto(server.address({ folder, extension: await extensionLink(), tests: hostTestBundle }));
      return await Promise.race([
        channel.ended,
        rejectAfter(overallLimit),
        new Promise<never>((_, reject) => {
          const fail = (why: string): void =>
            reject(new ProblemForPerson(`${why}\n${server.output().slice(-4000)}`));
          void server.exited.then(() => fail('The VS Code server ended during the tests.'));
          server.onHostCrash((how) => fail(`The extension host crashed during the tests: ${how}`));
          page.on('crash', () => fail('The page with the workbench crashed during the tests.'));
        }),
      ]);
    } finally {
      await browser.close();
    }
  } finally {
    if (lines.length > 0) console.log(lines.join('\n'));
    channel.close();
    await server.stop();
    await rm(parent, { recursive: true, force: true, maxRetries: 3 });
  }
}

function rejectAfter(limit: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => {
      reject(new ProblemForPerson(`The host tests were not done after ${limit / 60_000} minutes.`));
    }, limit).unref();
  });
}

await main().catch(tellAndFail);
