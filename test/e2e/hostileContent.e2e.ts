/**
 * What a model, a tool, a file or a page of the web may come up with, in the real workbench: nothing of it runs, loads, leads anywhere by
 * itself, hides, or is written without the yes that it takes.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator } from 'playwright-core';

import {
  annotated,
  answer,
  applyPatch,
  functionCall,
  parallel,
  reasoning,
  text,
  unasked,
  webSearch,
} from '../simulator/main.ts';
import { faultsOf } from './support/look.ts';
import { useStage } from './support/stage.ts';

const secret = 'content of a file that is nobody’s business';
const added = (file: string, ...lines: string[]): string =>
  [`*** Add File: ${file}`, ...lines.map((line) => `+${line}`)].join('\n');
const patchOf = (...sections: string[]): string => `*** Begin Patch\n${sections.join('\n')}\n*** End Patch\n`;

describe('hostile content', () => {
  const stage = useStage({
    files: {
      'src/shop.ts': 'export const price = 1;\n',
      'evil/<img src=x onerror=alert(1)>.md': 'A name that is markup.\n',
      'evil/page.md': '<script>alert(1)</script> ![x](https://evil.invalid/x.png) \u202Eterces\u202C\n',
      'evil/long.txt': `${'x'.repeat(1_000_000)}\n`,
    },
    open: { file: 'src/shop.ts' },
    size: { width: 1440, height: 900 },
  });

  /** Hears of whatever is loaded from it. */
  let elsewhere: Server | undefined;
  const heard: (string | undefined)[] = [];
  let url = '';
  before('listen for what is loaded', async () => {
    elsewhere = createServer(({ url: asked }, response) => {
      heard.push(asked);
      response.end();
    });
    const server = elsewhere;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  before('have something outside, and links to it', async () => {
    const { folder } = stage.bench;
    await mkdir(path.join(folder, '../outside'));
    await writeFile(path.join(folder, '../outside/secret.txt'), `${secret}\n`);
    await symlink('../outside', path.join(folder, 'docs'));
    await symlink('../outside/not-yet.txt', path.join(folder, 'notes.txt'));
  });
  after(() => elsewhere?.close());
  afterEach('nothing was loaded, and nothing ran', async () => {
    assert.deepEqual(heard, []);
    assert.equal(await stage.chat.panel.locator('body').evaluate((body) => body.dataset['ran'] ?? ''), '');
  });

  const outside = (name: string): Promise<string | undefined> =>
    readFile(path.join(stage.bench.folder, '../outside', name), 'utf8').catch(() => undefined);
  const dialog = (): Locator => stage.bench.page.locator('.monaco-dialog-box');

  it('runs, loads and hides nothing in answers, thoughts and sources', async () => {
    const { bench, chat, simulator } = stage;
    const run = "document.body.dataset.ran='yes'";
    const shapes = [
      `<img src="${url}/a.png" onerror="${run}"><svg onload="${run}"><iframe src="${url}/b"></iframe>`,
      `<script>${run}</script><style>@import url(${url}/c.css)</style><link rel=stylesheet href=${url}/d>`,
      `![p](${url}/e.png) ![q](data:image/svg+xml,<svg/onload=${run}>) ![r][ref]`,
      `[one](javascript:${run}) [two](command:workbench.action.terminal.new) [three](data:text/html,<b>x</b>)`,
      `[four](vscode://x/y) [five](file:///etc/passwd) [six](//evil.invalid) [seven](JaVaScRiPt&#58;alert(1))`,
      `<javascript:${run}> <command:kimiChat.clearApiKey>`,
      `[ref]: ${url}/f.png`,
    ].join('\n\n');
    const strange = `Z${'\u0336\u0489\u0310'.repeat(200)} \u202Ereversed\u202C \u200B\u{E0041}\n\n${'W'.repeat(20_000)}\n\n${'> '.repeat(500)}deep\n\n${'- '.repeat(300)}list\n\n| a |\n|--|\n${'| <b> |\n'.repeat(50)}\n\n$\\href{javascript:${run}}{x} \\includegraphics{${url}/g.png}$`;
    simulator.reply(
      answer(
        reasoning(shapes),
        unasked(
          webSearch('<img src=x onerror=alert(1)> \u202Ex', [
            { url: `javascript:${run}`, title: 'A script' },
            { url: 'https://bank.test@evil.test/', title: '<b>bank.test</b>' },
            { url: 'https://xn--pple-43d.test/', title: 'apple.test \u202E' },
            { url: `data:text/html,<script>${run}</script>`, title: 'Data' },
          ]),
        ),
        annotated(text(`${shapes}\n\n${strange}\n\nThe end.`), {
          ...{ type: 'url_citation', url: `javascript:${run}`, start_index: 0, end_index: 4, title: 'x' },
        }),
      ),
    );
    await chat.ask('What is on that page?');
    await chat.says(chat.answer, 'The end.');
    await chat.footer.waitFor();
    await chat.unfoldAll();
    const bad =
      'img:not([src^="data:image/"]):not([src^="blob:"]), script, iframe, object, embed, link, style, svg script, form';
    assert.equal(await chat.turn.locator(bad).count(), 0);
    const handlers = await chat.turn.evaluate((turn) =>
      [...turn.querySelectorAll('*')].flatMap((element) =>
        [...element.attributes].flatMap(({ name, value }) =>
          /^on/i.test(name) || /^\s*(?:javascript|command|vscode|file|data:text)/i.test(value)
            ? [`${name}=${value}`]
            : [],
        ),
      ),
    );
    // A title may say what something leads to; nothing may lead there.
    assert.deepEqual(
      handlers.filter((each) => !each.startsWith('title=')),
      [],
    );
    const links = await chat.turn.getByRole('link').all();
    assert.ok(links.length > 0);
    for (const link of links) {
      const title = (await link.getAttribute('title')) ?? '';
      assert.notEqual(title, '');
      assert.doesNotMatch(title, /^(?:javascript|command|vscode|file|data):/i);
    }
    assert.deepEqual(await faultsOf(chat.panel), []);
    await bench.screenshot('hostile-answer', bench.page.locator('.part.auxiliarybar'));
  });

  it('is shown as it is in names, arguments and what tools return', async () => {
    const { bench, chat, simulator } = stage;
    const read = (file: string): ReturnType<typeof functionCall> =>
      functionCall('read_file', { path: file, start_line: null, end_line: null });
    simulator.reply(
      answer(
        parallel(
          read('evil/<img src=x onerror=alert(1)>.md'),
          read('evil/page.md'),
          read('evil/long.txt'),
          read('../outside/secret.txt\u202E'),
          read('docs/../../outside/secret.txt\u200B'),
          read('..\u2215outside\u2215secret.txt'),
          read('/proc/self/environ'),
          read('~/.ssh/id_rsa'),
          functionCall('list_files', { path: 'docs', pattern: null }),
          functionCall('read_file', `{"path":${'['.repeat(5_000)}`),
          functionCall('tool_that_is_not_there', { path: '<b>' }),
        ),
      ),
      answer(text('Seen.')),
    );
    await chat.ask('Read all of it');
    // A link that leads out is asked about, with where it leads.
    const card = chat.turn.locator('.approval');
    await chat.says(card, 'It is a link that leads out of the workspace.');
    await chat.says(card, /outside/);
    await bench.screenshot('hostile-asked', bench.page.locator('.part.auxiliarybar'));
    await bench.waitFor('all questions to be answered', async () => {
      if (await chat.answer.filter({ hasText: 'Seen.' }).isVisible()) return true;
      const deny = card.first().getByRole('button', { name: 'Deny', exact: true });
      // It may be gone in just this moment.
      if (await deny.isVisible()) await deny.click({ timeout: 1000 }).catch(() => undefined);
      return false;
    });
    const { bodyText } = await stage.request(1);
    assert.ok(!bodyText.includes(secret) && !bodyText.includes('PATH='));
    assert.ok(bodyText.length < 400_000, `${bodyText.length} characters were sent`);
    await chat.unfoldAll();
    assert.match(await chat.turn.innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.equal(await chat.turn.locator('img, script').count(), 0);
    assert.deepEqual(await faultsOf(chat.panel), []);
  });

  it('leaves the workspace by no patch, however that is written', async () => {
    const { chat, simulator } = stage;
    const ways = [
      ...['../outside/a.txt', 'src/../../outside/a.txt', '..\\outside\\a.txt', '/tmp/a.txt', '~/a.txt'],
      ...[
        'docs/a.txt',
        'notes.txt',
        'file:///tmp/a.txt',
        'C:\\a.txt',
        '\\\\server\\share\\a.txt',
        '//server/a.txt',
      ],
      ...[
        '.git/hooks/pre-commit',
        '.GIT/config',
        'src/.git',
        '.g\u200Cit/x',
        '.gіt/hooks/x',
        '..∕outside∕a.txt',
      ],
      ...['a\u202Etxt.exe', '/dev/null', '/proc/self/mem', 'src', 'src/shop.ts/a.txt'],
    ];
    simulator.reply(
      ...ways.map((way) => answer(applyPatch(patchOf(added(way, 'x'))))),
      answer(text('None went.')),
    );
    await chat.ask('Write it somewhere');
    await chat.says(chat.answer, 'None went.');
    const { bodyText } = await stage.request(ways.length);
    const body = JSON.parse(bodyText) as {
      readonly input: readonly { readonly type: string; readonly output?: unknown }[];
    };
    const told = body.input.filter(({ type }) => type === 'custom_tool_call_output');
    assert.equal(told.length, ways.length);
    for (const [index, { output }] of told.entries())
      assert.match(
        JSON.stringify(output),
        /[Nn]othing was changed|not applied|No file was changed/,
        ways[index],
      );
    assert.deepEqual(
      [await outside('a.txt'), await outside('not-yet.txt'), await outside('secret.txt')],
      [undefined, undefined, `${secret}\n`],
    );
    assert.equal(await chat.turn.getByRole('button', { name: /^Accept/ }).count(), 0);
  });

  it('is written to a file that others run only by a yes of its own, which Enter is not', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(
        applyPatch(
          patchOf(
            added('src/оrder.ts', 'export const one = 1;'),
            added('.vscode/tasks.json', '{}'),
            added('src/admin.ts', 'if (isAdmin\u202E \u2066// checked\u2069) {'),
          ),
        ),
      ),
      answer(text('As you say.')),
    );
    await chat.ask('Add a task');
    await chat.says(
      chat.patch,
      'Accepting asks once more. An editor obeys this file and may start programs for it.',
    );
    await chat.says(chat.patch, /make line 1 read as something else than it is: U\+202E/);
    // A letter that looks like another one.
    await chat.says(chat.patch, /U\+043Erder\.ts/);
    await bench.setPanelWidth(300);
    assert.deepEqual(await faultsOf(chat.panel), []);
    await bench.screenshot('hostile-patch', bench.page.locator('.part.auxiliarybar'));
    await chat.press(chat.patch.getByRole('button', { name: 'Accept the others' }));
    await bench.waitFor(
      'the other file to be written',
      async () => (await bench.onDisk('src/оrder.ts')) !== undefined,
    );
    assert.equal(await bench.onDisk('.vscode/tasks.json'), undefined);

    const one = chat.patch.getByRole('button', { name: 'Accept .vscode/tasks.json' });
    await chat.press(one, () => dialog().isVisible());
    await chat.says(dialog(), /Accept the new file \.vscode\/tasks\.json\?[^]*An editor obeys this file/);
    await bench.screenshot('hostile-second-yes');
    await bench.takesKeys(dialog());
    await bench.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await bench.waitFor('the change to be shown', async () => (await bench.diff())?.right === '{}\n');
    assert.equal(await bench.onDisk('.vscode/tasks.json'), undefined);
    await chat.press(one, () => dialog().isVisible());
    // A yes that comes within half a second of the question is for nothing, and after some of those it is asked no more.
    await dialog().getByRole('button', { name: 'Accept It' }).click({ delay: 600 });
    await bench.waitFor(
      'the yes to be taken',
      async () => (await bench.onDisk('.vscode/tasks.json')) === '{}\n',
    );
    await chat.press(chat.patch.getByRole('button', { name: 'Reject' }).last(), () =>
      chat.patch.getByRole('textbox').isVisible(),
    );
    await chat.press(chat.patch.getByRole('button', { name: 'Reject' }).last());
    await chat.says(chat.answer.last(), 'As you say.');
    assert.equal(await bench.onDisk('src/admin.ts'), undefined);
  });
});
