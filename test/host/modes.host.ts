/** Patches that are written at once and reviewed afterwards, and the files that are asked about in every mode. */
import assert from 'node:assert/strict';
import { link, symlink } from 'node:fs/promises';
import * as vscode from 'vscode';

import type { FileEdit } from '../../src/core/patch/editPlan.ts';
import type { ReviewSettings } from '../../src/host/edits/review/reviewBoard.ts';
import { edit, ourTabs, Stage } from './editsStage.ts';

describe('accepting automatically', () => {
  let stage: Stage;
  const settings: { -readonly [K in keyof ReviewSettings]: ReviewSettings[K] } = {
    patchMode: 'acceptAutomatically',
    saveAfterAccept: true,
  };
  beforeEach(async () => {
    settings.patchMode = 'acceptAutomatically';
    stage = await Stage.open({ settings });
  });
  afterEach(() => stage.close());

  it('writes all files at once, without a diff, and can be taken back', async () => {
    await stage.write('cart.ts', 'one\n');
    const shown = stage.propose(stage.update('cart.ts', 'one\n', 'ONE\n'), stage.add('new.ts', 'new\n'));
    assert.deepEqual(await shown.outcome, { files: [{ kind: 'accepted' }, { kind: 'accepted' }] });
    assert.deepEqual([await stage.disk('cart.ts'), await stage.disk('new.ts')], ['ONE\n', 'new\n']);
    assert.deepEqual(shown.states, ['accepted', 'accepted']);
    assert.deepEqual([shown.file(0).canTakeBack, shown.file(1).canTakeBack], [true, true]);
    assert.equal(ourTabs().length, 0);
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 2, left: 0 });
    assert.deepEqual([await stage.disk('cart.ts'), await stage.disk('new.ts')], ['one\n', undefined]);
  });

  it('asks where a file can not be written, as in the other mode', async () => {
    const shown = stage.propose(stage.update('cart.ts', 'one\n', 'ONE\n'));
    await shown.until(({ state }) => state === 'conflict');
    await stage.write('cart.ts', 'one\n');
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
  });

  it('asks where the disk has no room for all of a file, and nothing is changed until then', async () => {
    const [before, after] = ['one\n', `one\n${'two\n'.repeat(9)}`];
    await stage.write('cart.ts', before);
    stage.cutNextSave('cart.ts', 2);
    const shown = stage.propose(stage.add('new.ts', 'new\n'), stage.update('cart.ts', before, after));
    await shown.until(({ state }) => state === 'failed', 1);
    assert.equal(shown.states[0], 'pending');
    assert.deepEqual([await stage.disk('cart.ts'), await stage.disk('new.ts')], [before, undefined]);
    await shown.accept();
    assert.deepEqual(await shown.outcome, { files: [{ kind: 'accepted' }, { kind: 'accepted' }] });
    assert.deepEqual([await stage.disk('cart.ts'), await stage.disk('new.ts')], [after, 'new\n']);
  });

  it('is what the setting says at the moment the patch comes', async () => {
    await stage.write('cart.ts', 'one\n');
    settings.patchMode = 'ask';
    const shown = stage.propose(stage.update('cart.ts', 'one\n', 'ONE\n'));
    settings.patchMode = 'acceptAutomatically';
    await shown.review();
    assert.deepEqual([shown.file().state, shown.file().note], ['pending', undefined]);
    assert.equal(await stage.disk('cart.ts'), 'one\n');
  });

  /** Proposes, and waits for the sentence that says why it is asked about. */
  async function asked(...files: FileEdit[]): Promise<string> {
    const shown = stage.propose(...files);
    await shown.until(({ note }) => note !== undefined);
    assert.ok(shown.states.every((state) => state === 'pending'));
    const { note = '' } = shown.file();
    await shown.reject();
    return note;
  }

  it('asks all the same before files that other programs run or obey', async () => {
    const sentences: readonly (readonly [RegExp, ...string[]])[] = [
      [
        /^Accepting asks once more\. An editor obeys/,
        '.vscode/tasks.json',
        'deep/.vscode/settings.json',
        'my.code-workspace',
        '.devcontainer/devcontainer.json',
      ],
      [
        /^Accepting asks once more\. Git may run/,
        '.husky/pre-commit',
        '.githooks/post-checkout',
        'lefthook.yml',
        '.pre-commit-config.yaml',
        '.lintstagedrc.json',
      ],
      [/^Asked about in every mode\. Git may run/, '.gitattributes'],
      [
        /A build server/,
        '.github/workflows/ci.yml',
        '.GitHub/Workflows/ci.yml',
        '.gitlab-ci.yml',
        'Jenkinsfile',
      ],
      [/A shell runs/, '.bashrc', '.zshenv', '.profile', '.envrc'],
      [/which packages/, '.npmrc', '.yarnrc.yml', '.pnpmfile.cjs', '.cargo/config.toml'],
      [/^Asked about in every mode\..*run by their name/, 'Makefile', 'GNUmakefile', 'justfile'],
      [/what the model may not read/, 'src/.kimiignore'],
      [/Models are told/, 'AGENTS.md', '.github/copilot-instructions.md', '.github/prompts/fix.prompt.md'],
    ];
    for (const [sentence, ...names] of sentences) {
      for (const name of names) {
        assert.match(await asked(stage.add(name, 'text\n')), sentence, name);
        assert.equal(await stage.disk(name), undefined, name);
      }
    }
  });

  it('does not ask before files that only look like them', async () => {
    const names = [
      'vscode/a.ts',
      '.github/README.md',
      'src/makefile.ts',
      'profile.ts',
      'npmrc.md',
      'git/hooks.ts',
    ];
    const shown = stage.propose(...names.map((name) => stage.add(name, 'text\n')));
    await shown.outcome;
    assert.ok(shown.states.every((state) => state === 'accepted'));
  });

  it('asks before the scripts of a package change, and not before the rest of it does', async () => {
    const text = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
    const before = text({ name: 'shop', scripts: { test: 'mocha' }, dependencies: {} });
    await stage.write('package.json', before);
    const scripts = text({ name: 'shop', scripts: { test: 'mocha', postinstall: 'rm -rf ~' } });
    assert.match(await asked(stage.update('package.json', before, scripts)), /run by their name/);
    assert.match(await asked(stage.update('package.json', before, '{ "name":')), /run by their name/);
    assert.match(await asked(stage.add('sub/package.json', scripts)), /run by their name/);
    const rest = text({ name: 'shop', scripts: { test: 'mocha' }, dependencies: { preact: '11' } });
    const shown = stage.propose(stage.update('package.json', before, rest));
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
  });

  it('knows the scripts of a package behind a link, and where a move puts them', async () => {
    const text = (value: object): string => `${JSON.stringify(value)}\n`;
    const plain = text({ name: 'shop' });
    const scripts = text({ name: 'shop', scripts: { postinstall: 'rm -rf ~' } });
    await stage.write('package.json', plain);
    await symlink(stage.onDisk('package.json'), stage.onDisk('linked.json'));
    assert.match(await asked(stage.update('linked.json', plain, scripts)), /run by their name/);
    await stage.write('notes.json', scripts);
    assert.match(
      await asked(stage.update('notes.json', scripts, scripts, 'sub/package.json')),
      /run by their name/,
    );
    await stage.write('sub/package.json', scripts);
    assert.match(
      await asked(stage.update('sub/package.json', scripts, scripts, 'sub/old.json')),
      /run by their name/,
    );
    const shown = stage.propose(stage.update('package.json', plain, plain, 'other/package.json'));
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
  });

  it('asks about the whole patch when one file of it is such a file', async () => {
    await stage.write('cart.ts', 'one\n');
    const shown = stage.propose(
      stage.update('cart.ts', 'one\n', 'ONE\n'),
      stage.add('.vscode/tasks.json', '{}\n'),
    );
    await shown.until(({ note }) => note !== undefined, 1);
    assert.deepEqual(shown.states, ['pending', 'pending']);
    assert.equal(shown.file(0).note, undefined);
    assert.equal(await stage.disk('cart.ts'), 'one\n');
  });

  it('is not fooled by a link to such a folder, nor by a move into it', async () => {
    await stage.write('.vscode/settings.json', '{}\n');
    await symlink(stage.onDisk('.vscode'), stage.onDisk('plain'));
    assert.match(
      await asked(stage.update('plain/settings.json', '{}\n', '{ }\n')),
      /^Accepting asks once more\. An editor obeys/,
    );
    assert.match(
      await asked(stage.add('plain/tasks.json', '{}\n')),
      /^Accepting asks once more\. An editor obeys/,
    );
    await stage.write('tasks.json', '{}\n');
    assert.match(
      await asked(stage.update('tasks.json', '{}\n', '{}\n', '.vscode/tasks.json')),
      /^Accepting asks once more\. An editor obeys/,
    );
  });
});

describe('a change that is not what it looks like', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open({ settings: { patchMode: 'acceptAutomatically', saveAfterAccept: true } });
  });
  afterEach(() => stage.close());

  const note = async (...files: FileEdit[]): Promise<string | undefined> => {
    const shown = stage.propose(...files);
    await shown.until(({ state, note: said }) => state === 'accepted' || said !== undefined);
    const { note: said } = shown.file();
    await shown.reject();
    return said;
  };

  it('is asked about when signs are not seen in it, and not when they were there before', async () => {
    const turned = 'if (isAdmin\u202E \u2066// checked\u2069) {\n';
    assert.match(
      (await note(stage.add('a.ts', `one\n${turned}`))) ?? '',
      /make line 2 read as something else.*U\+202E/,
    );
    await stage.write('b.ts', `one\r\n${turned.replace('\n', '\r\n')}`);
    const before = `one\r\n${turned.replace('\n', '\r\n')}`;
    assert.equal(await note(stage.update('b.ts', before, before.replace('one', 'two'))), undefined);
    assert.equal(await stage.disk('b.ts'), before.replace('one', 'two'));
  });

  it('is asked about where the file has another name, as in a store of packages', async () => {
    await stage.write('store/index.js', 'one\n');
    await link(stage.onDisk('store/index.js'), stage.onDisk('index.js'));
    assert.match((await note(stage.update('index.js', 'one\n', 'two\n'))) ?? '', /another name elsewhere/);
    assert.equal(await stage.disk('store/index.js'), 'one\n');
  });
});

describe('an accepted file', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  interface Sides {
    readonly left: string;
    readonly right: string;
    readonly isLive: boolean;
    readonly label: string;
  }

  async function sides(): Promise<Sides> {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff, 'no diff is in front');
    const { original, modified } = tab.input;
    const [left, right] = await Promise.all(
      [original, modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
    );
    return { left: left ?? '', right: right ?? '', isLive: modified.scheme === 'file', label: tab.label };
  }

  it('shows what the patch did to it, as it was then', async () => {
    await stage.write('cart.ts', 'one\r\ntwo\r\n');
    const shown = stage.propose(stage.update('cart.ts', 'one\r\ntwo\r\n', 'one\r\nTWO\r\n'));
    await shown.accept();
    await shown.review();
    const first = { left: 'one\r\ntwo\r\n', right: 'one\r\nTWO\r\n', label: 'cart.ts (accepted patch)' };
    assert.deepEqual(await sides(), { ...first, isLive: true });
    await edit(await vscode.workspace.openTextDocument(stage.uri('cart.ts')), 'else\r\n');
    await shown.review();
    assert.deepEqual(await sides(), { ...first, isLive: false });
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const { permissions } = await vscode.workspace.fs.stat(input.modified);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });

  it('shows an added file beside nothing and a deleted one to nothing', async () => {
    await stage.write('gone.ts', 'gone\n');
    const shown = stage.propose(stage.add('new.ts', 'new\n'), stage.remove('gone.ts', 'gone\n'));
    await shown.accept();
    await shown.review(0);
    const added = await sides();
    assert.deepEqual([added.left, added.right, added.isLive], ['', 'new\n', true]);
    await shown.review(1);
    const deleted = await sides();
    assert.deepEqual([deleted.left, deleted.right, deleted.isLive], ['gone\n', '', false]);
  });

  it('shows the file itself once it was taken back', async () => {
    await stage.write('cart.ts', 'one\n');
    const shown = stage.propose(stage.update('cart.ts', 'one\n', 'ONE\n'));
    await shown.accept();
    await stage.review.board.takeBack(shown.id);
    await shown.review();
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), stage.uri('cart.ts').toString());
  });
});
