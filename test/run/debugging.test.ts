/** What F5 starts fits together, and opens nothing that git tracks: launch configurations, their tasks, and what the scripts print. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from './places.ts';

interface Launch {
  readonly configurations: readonly {
    readonly name: string;
    readonly port?: number;
    readonly preLaunchTask?: string;
    readonly args?: readonly string[];
  }[];
}

interface Tasks {
  readonly tasks: readonly {
    readonly label: string;
    readonly args?: readonly string[];
    readonly dependsOn?: readonly string[];
    readonly problemMatcher?: { readonly background?: { readonly endsPattern: string } };
  }[];
}

function read(file: string): unknown {
  const text = readFileSync(path.join(repository, '.vscode', file), 'utf8');
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));
}

describe('debugging the extension', () => {
  const { configurations } = read('launch.json') as Launch;
  const { tasks } = read('tasks.json') as Tasks;
  const source = readFileSync(path.join(import.meta.dirname, 'start.ts'), 'utf8');

  it('names tasks that there are', () => {
    const labels = tasks.map(({ label }) => label);
    for (const { preLaunchTask } of configurations) {
      if (preLaunchTask !== undefined) assert.ok(labels.includes(preLaunchTask), preLaunchTask);
    }
    for (const { dependsOn } of tasks) for (const label of dependsOn ?? []) assert.ok(labels.includes(label));
  });

  it('opens copies only', () => {
    for (const { name, args } of configurations) {
      const opened = args?.filter((arg) => arg.includes('sample')) ?? [];
      for (const arg of opened) assert.match(arg, /^\$\{workspaceFolder\}\/\.vscode-test\//, name);
    }
  });

  it('attaches where the task opens the door, once the script has said so', () => {
    const [attach] = configurations;
    const task = tasks.find(({ label }) => label === attach?.preLaunchTask);
    assert.equal(task?.args?.[task.args.indexOf('--debug') + 1], String(attach?.port));
    const said = task?.problemMatcher?.background?.endsPattern.replace(/^\^/, '');
    assert.ok(said !== undefined && source.includes(said), said);
  });
});
