/** Brings desktop VS Code, for people with internet and a display. Must not know what is opened in it. */
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import path from 'node:path';
import { testFolder } from './places.ts';
import { ProblemForPerson } from './problem.ts';

/** Arguments any start of it here needs. */
export function desktopArguments(userDataFolder: string, extensionsFolder: string): string[] {
  return [
    `--user-data-dir=${userDataFolder}`,
    `--extensions-dir=${extensionsFolder}`,
    '--skip-welcome',
    '--skip-release-notes',
    '--disable-updates',
    '--disable-telemetry',
    // Root can't set the sandbox up.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

/** Path of the executable; downloaded from Microsoft once for each version. `version` as `1.139.1` or `stable`. */
export async function fetchDesktop(version: string): Promise<string> {
  if (process.platform === 'linux' && !hasDisplay()) {
    throw new ProblemForPerson(
      'Desktop VS Code needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set.',
    );
  }
  console.log(`Desktop VS Code (${version}): looking for it, or downloading it from Microsoft (once)`);
  try {
    return await downloadAndUnzipVSCode({
      version,
      cachePath: path.join(testFolder, 'desktop'),
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ProblemForPerson(
      `Desktop VS Code could not be downloaded (${message}). Without --desktop everything comes from npm.`,
    );
  }
}

export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (process.env[name] ?? '') !== '');
}
