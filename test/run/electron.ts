/** Runs the host tests in desktop VS Code: `electron.ts [--vscode VERSION] [--grep PATTERN]`. Needs internet and a display. */
import { runTests } from '@vscode/test-electron';
import { access, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { recordResult } from '../support/countingReporter.ts';
import { desktopArguments, fetchDesktop } from './desktop.ts';
import { extensionLink } from './extensionLink.ts';
import { openHostTestChannel } from './hostTestChannel.ts';
import { extensionBundle, hostTestBundle, hostTestExtension, repository } from './places.ts';
import { ProblemForPerson, tellAndFail } from './problem.ts';
import { copySample } from './workspace.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { vscode: { type: 'string' }, grep: { type: 'string' } } });
  const version = values.vscode ?? 'stable';
  const suite = 'host-desktop';
  recordResult({ suite, passed: 0, failed: 1, skipped: 0 }, repository);
  for (const file of [extensionBundle, hostTestBundle]) {
    await access(file).catch(() => {
      throw new ProblemForPerson(
        `${path.relative(repository, file)} is missing: run \`npm run build\` first.`,
      );
    });
  }
  const executable = await fetchDesktop(version);
  // Short, because the socket in the data folder may have a path of some 100 characters only.
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'kimi-')));
  const folder = path.join(parent, 'corner-shop');
  await copySample(folder);
  const channel = await openHostTestChannel((text) => console.log(text));
  try {
    console.log(`Host tests in desktop VS Code (${version})`);
    const exited = runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: [await extensionLink(), hostTestExtension],
      extensionTestsPath: hostTestBundle,
      extensionTestsEnv: {
        ...channel.env,
        ...(values.grep !== undefined && { KIMI_CHAT_TEST_GREP: values.grep }),
      },
      launchArgs: [
        folder,
        ...desktopArguments(path.join(parent, 'user'), path.join(parent, 'extensions')),
        '--disable-extensions',
        '--disable-workspace-trust',
      ],
      stdout: process.stderr,
    });
    // It rejects when a test failed; the channel knows better what happened, unless VS Code never came so far.
    const { passed, failed, failures, files } = await Promise.race([
      channel.ended,
      exited.then(
        () => channel.ended,
        () => endedOr(channel.ended, new ProblemForPerson('Desktop VS Code ended before the tests did.')),
      ),
    ]);
    await exited.catch(() => {});
    recordResult(
      { suite, passed, failed: passed + failed === 0 ? 1 : failed, skipped: 0, failures, files },
      repository,
    );
    if (passed + failed === 0) throw new ProblemForPerson('No host test ran.');
    console.log(`Host tests in desktop VS Code: ${passed} passed, ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    channel.close();
    await rm(parent, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What has ended already, or else the problem: nothing more will come. */
function endedOr<T>(ended: Promise<T>, problem: Error): Promise<T> {
  return Promise.race([
    ended,
    new Promise<never>((_, reject) => {
      setImmediate(() => reject(problem));
    }),
  ]);
}

await main().catch(tellAndFail);
