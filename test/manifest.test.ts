/** What `package.json` promises VS Code: safe scopes, nothing proposed, every name and text that is used also there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { readSources } from './support/sourceTree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Setting {
  readonly scope?: string;
  readonly type?: string | readonly string[];
  readonly order?: number;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly description?: string;
  readonly markdownDescription?: string;
}

interface Manifest {
  readonly main: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents: readonly string[];
  readonly enabledApiProposals?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: unknown;
      readonly restrictedConfigurations?: readonly string[];
    };
  };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly icon?: string | { readonly dark: string; readonly light: string };
    }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command?: string; readonly when?: string }[]>
    >;
    readonly keybindings: readonly {
      readonly command: string;
      readonly key: string;
      readonly mac?: string;
      readonly when?: string;
    }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly viewsContainers: Readonly<
      Record<string, readonly { readonly id: string; readonly icon: string }[]>
    >;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon?: string }[]>>;
  };
}

const manifestText = readFileSync(`${root}/package.json`, 'utf8');
const manifest = JSON.parse(manifestText) as Manifest;
const { contributes } = manifest;
const settings = Object.entries(contributes.configuration.properties);
const commands = contributes.commands.map(({ command }) => command);
const host = readSources(root, 'src').filter(
  ({ path }) => path.startsWith('src/host/') || path === 'src/extension.ts',
);
const hostCode = host.map(({ code }) => code).join('\n');

describe('the manifest', () => {
  describe('settings', () => {
    it('exist, each with a scope of its own, a description, a default and a place in the order', () => {
      assert.ok(settings.length > 0);
      for (const [name, { scope, description, markdownDescription, default: value, order }] of settings) {
        assert.ok(name.startsWith('kimiChat.'), name);
        assert.ok(scope, `${name} has no scope`);
        assert.ok(description ?? markdownDescription, `${name} has no description`);
        assert.notEqual(value, undefined, `${name} has no default`);
        assert.ok(order !== undefined, `${name} has no order`);
      }
    });

    it('cannot be changed by a folder that is opened', () => {
      // Not even `machine`: those of a dev container are written in the folder that defines it. Nothing is left to be restricted.
      for (const [name, { scope }] of settings) assert.equal(scope, 'application', name);
      assert.equal(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, undefined);
    });

    it('of VS Code are read as a folder has them only where they say how its files are stored and shown', () => {
      const read = host.flatMap(({ path, code }) =>
        [...code.matchAll(/getConfiguration\(\s*'?([\w.]*)/g)].map(([, section]) => `${path}: ${section}`),
      );
      assert.deepEqual(read.toSorted(), [
        // Whether the diff editor hides changes of blanks, which the card then tells.
        'src/host/edits/files/prepare.ts: files',
        'src/host/edits/files/readOnlyFiles.ts: files',
        'src/host/edits/files/saveActions.ts: editor',
        'src/host/edits/proposals/pendingProposal.ts: diffEditor',
        // The person's alone, by `inspect`; and where they are written.
        'src/host/settings.ts: ofSection',
        'src/host/settings.ts: section',
        // What is hidden is not read; nothing that is hidden otherwise comes back by it.
        'src/host/tools/ignoring.ts: section',
      ]);
    });

    it('describe every value that can be chosen', () => {
      for (const [name, setting] of settings) {
        if (setting.enum) assert.equal(setting.enumDescriptions?.length, setting.enum.length, name);
      }
    });

    it('are those that the host reads, and no other is read', () => {
      const read = new Set([...hostCode.matchAll(/#own\('(\w+)'\)/g)].map(([, name]) => `kimiChat.${name}`));
      assert.deepEqual([...read].toSorted(), settings.map(([name]) => name).toSorted());
    });
  });

  describe('commands', () => {
    it('are declared once, each with a title and the category', () => {
      assert.equal(new Set(commands).size, commands.length);
      for (const { command, title, category } of contributes.commands) {
        assert.ok(command.startsWith('kimiChat.'), command);
        assert.match(title, /^%.+%$/, command);
        assert.equal(category, '%category%', command);
      }
    });

    it('have icons of VS Code, or drawings of their own for dark and for light themes', () => {
      for (const { command, icon } of contributes.commands) {
        if (typeof icon === 'string') assert.match(icon, /^\$\([\w-]+\)$/, command);
        else if (icon !== undefined)
          for (const file of [icon.dark, icon.light]) assert.ok(existsSync(`${root}/${file}`), file);
      }
    });

    it('lead to other files of a patch only from diffs that have some', () => {
      const title = contributes.menus['editor/title'] ?? [];
      for (const command of ['previousPatchFile', 'nextPatchFile', 'acceptAllPatch']) {
        const item = title.find((each) => each.command === `kimiChat.${command}`);
        const listed = / && resource in (kimiChat\.\w+)$/.exec(item?.when ?? '')?.[1];
        assert.ok(listed !== undefined && hostCode.includes(`'${listed}'`), command);
      }
    });

    it('are declared where a menu or a key names them', () => {
      const named = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
      for (const { command } of named)
        if (command !== undefined) assert.ok(commands.includes(command), command);
    });

    it('are the ones that the host registers', () => {
      for (const command of commands)
        assert.ok(hostCode.includes(`'${command}'`), `${command} is not registered`);
    });

    it('are declared where the host names one', () => {
      const views = Object.values(contributes.views).flat();
      const known = [...commands, ...settings.map(([name]) => name), ...views.map(({ id }) => id)];
      // VS Code makes `<view>.focus` itself.
      known.push(...views.map(({ id }) => `${id}.focus`));
      const named = [...hostCode.matchAll(/executeCommand(?:<[^>]*>)?\(\s*'(kimiChat\.[\w.]+)'/g)].map(
        ([, id]) => id ?? '',
      );
      for (const id of named) assert.ok(known.includes(id), id);
    });

    it('have one default key in the person’s files and some in our own documents, all chorded and different', () => {
      const own = /^resourceScheme == kimi-proposal && /;
      const others = contributes.keybindings.filter(({ when }) => !own.test(when ?? ''));
      assert.deepEqual(
        others.map(({ command }) => command),
        ['kimiChat.askAboutSelection'],
      );
      const keys = contributes.keybindings.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
      for (const { command, key, mac, when } of contributes.keybindings) {
        for (const chord of [key, mac ?? key])
          assert.equal(chord.split(' ').length, 2, `${command}: ${chord}`);
        assert.ok(when, `${command} has no when`);
      }
    });

    it('answer nothing that a tool asks: only the panel does', () => {
      const answering = host.filter(({ code }) => /\.answer\(approval\b/.test(code)).map(({ path }) => path);
      assert.deepEqual(answering, ['src/host/chat/intents.ts', 'src/host/sessions/session.ts']);
    });

    it('stand in an editor’s menus only where they apply', () => {
      for (const [menu, items] of Object.entries(contributes.menus)) {
        for (const { command, when } of items) assert.ok(when, `${command} in ${menu} has no when`);
      }
    });
  });

  describe('promises to VS Code', () => {
    it('runs from 1.106 on, checked against the types of just that version', () => {
      assert.equal(manifest.engines.vscode, '^1.106.0');
      assert.equal(manifest.devDependencies['@types/vscode'], '1.106.0');
    });

    it('gives nobody a way in: it adds commands, menus, keys, settings and a view, and nothing else', () => {
      // No tools, servers, tasks, terminals or sign-ins, no defaults for settings of others, no handler of links.
      const known = [
        'commands',
        'configuration',
        'keybindings',
        'menus',
        'submenus',
        'views',
        'viewsContainers',
      ];
      assert.deepEqual(Object.keys(contributes).toSorted(), known);
      const { extensionDependencies, extensionPack } = JSON.parse(manifestText) as Record<string, unknown>;
      assert.deepEqual([extensionDependencies, extensionPack], [undefined, undefined]);
      const opening = /registerUriHandler|registerTool\b|registerMcpServer|registerAuthenticationProvider/;
      assert.doesNotMatch(hostCode, opening);
    });

    it('does less in a folder that is not trusted, and says so there', () => {
      const { supported, ...more } = manifest.capabilities.untrustedWorkspaces;
      assert.equal(supported, 'limited');
      assert.deepEqual(more, { description: '%trust%' });
    });

    it('uses no proposed API', () => {
      assert.equal(manifest.enabledApiProposals, undefined);
    });

    it('is woken by nothing but a file of its own scheme or a tab of its own, beside what VS Code derives itself', () => {
      for (const event of manifest.activationEvents) {
        const [, name] =
          /^onFileSystem:(kimi-[\w-]+)$/.exec(event) ?? /^onWebviewPanel:(kimiChat\.\w+)$/.exec(event) ?? [];
        assert.ok(name, event);
        assert.ok(hostCode.includes(`'${name}'`), `the host knows no ${name}`);
      }
    });

    it('has an icon for every view, as a person may move it', () => {
      const views = Object.values(contributes.views).flat();
      const containers = Object.values(contributes.viewsContainers).flat();
      for (const { id, icon } of [...views, ...containers])
        assert.ok(icon && existsSync(`${root}/${icon}`), id);
      assert.match(manifest.icon, /\.png$/);
      const png = readFileSync(`${root}/${manifest.icon}`);
      assert.equal(png.toString('latin1', 1, 4), 'PNG');
      // Width and height are the first two numbers of the first chunk.
      assert.ok(png.readUInt32BE(16) >= 128 && png.readUInt32BE(20) >= 128);
    });

    it('pins every dependency', () => {
      for (const [name, version] of Object.entries({
        ...manifest.dependencies,
        ...manifest.devDependencies,
      })) {
        assert.match(version, /^\d+\.\d+\.\d+$/, name);
      }
    });
  });

  describe('texts', () => {
    const texts = JSON.parse(readFileSync(`${root}/media/l10n/package.nls.json`, 'utf8')) as Record<
      string,
      string
    >;

    it('are all there, and none is left over', () => {
      const used = new Set([...manifestText.matchAll(/"%([\w.-]+)%"/g)].map(([, key = '']) => key));
      assert.deepEqual(Object.keys(texts).toSorted(), [...used].toSorted());
    });

    it('are plain: no exclamation mark, no blank at either end', () => {
      for (const [key, text] of Object.entries(texts)) {
        assert.ok(text.length > 0 && text === text.trim() && !text.includes('!'), key);
      }
    });
  });
});
