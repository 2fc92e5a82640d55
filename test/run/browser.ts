/** Starts the browser that shows the workbench, driven by Playwright. Must not know the workbench. */
import { chromium } from 'playwright-core';
import type { Browser as DrivenBrowser } from 'playwright-core';
import { fetchBrowser } from './fetchBrowser.ts';
import { ProblemForPerson } from './problem.ts';

/** Fetches a browser first when none is installed. Rejects with a `ProblemForPerson` when it does not start. */
export async function launchBrowser(): Promise<DrivenBrowser> {
  const { title, executable, env } = await fetchBrowser();
  try {
    return await chromium.launch({
      executablePath: executable,
      headless: true,
      env: { ...definedEnvironment(), ...env },
      // The sandbox can't be set up by root.
      chromiumSandbox: process.getuid?.() !== 0,
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
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ProblemForPerson(
      `${title} did not start:\n${message}\nAnother browser can be named in KIMI_CHAT_BROWSER.`,
    );
  }
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
