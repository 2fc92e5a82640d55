/** Starts the browser that shows the workbench, driven by Playwright. Must not know the workbench. */
import { chromium } from 'playwright-core';
import type { Browser as DrivenBrowser } from 'playwright-core';
import { fetchBrowser } from './fetchBrowser.ts';
import type { Browser } from './fetchBrowser.ts';
import { ProblemForPerson } from './problem.ts';

/** Fetches a browser first when none is installed. Rejects with a `ProblemForPerson` when it does not start. */
export async function launchBrowser(): Promise<DrivenBrowser> {
  const browser = await fetchBrowser();
  try {
    // The sandbox can't be set up by root.
    const isRoot = process.getuid?.() === 0;
    return await launch(browser, !isRoot).catch((error: unknown) => {
      // Nor by others where the system does not let them make user namespaces. It shows pages of this machine only.
      if (isRoot || !/sandbox|namespace/i.test(messageOf(error))) throw error;
      return launch(browser, false);
    });
  } catch (error) {
    throw new ProblemForPerson(
      `${browser.title} did not start:\n${messageOf(error)}\nAnother browser can be named in KIMI_CHAT_BROWSER.`,
    );
  }
}

function launch({ executable, env }: Browser, chromiumSandbox: boolean): Promise<DrivenBrowser> {
  return chromium.launch({
    executablePath: executable,
    headless: true,
    env: { ...definedEnvironment(), ...env },
    chromiumSandbox,
    // People have scroll bars: pictures show them.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A container's shared memory is often too small for it.
      '--disable-dev-shm-usage',
    ],
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
