/** Where things are: the one place that knows the layout of the repository and of `.vscode-test/`. */
import path from 'node:path';

export const repository = path.resolve(import.meta.dirname, '../..');

/** Ignored by git. Everything fetched or made while testing lives here, except pictures. */
export const testFolder = path.join(repository, '.vscode-test');

export const samplePath = path.join(repository, 'test/sample');
export const screenshotsPath = path.join(repository, '.screenshots');
export const extensionBundle = path.join(repository, 'dist/extension.cjs');
export const hostTestBundle = path.join(repository, 'dist/test/host.cjs');
/** Stands beside the tested extension in host tests. */
export const hostTestExtension = path.join(repository, 'test/host/context');

/** The project's own Node, a devDependency. */
export const ownNode = path.join(
  repository,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
