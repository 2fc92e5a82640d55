/** Everything that people read is translated into every language, whole and as that language is written. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { duration, exactCount, exactMoney, percent, shortCount } from '../src/webview/figures.ts';
import { l10n } from '../src/webview/l10n.ts';
import { placesOf, textsIn, type Found } from './support/shownText.ts';
import { readSources, type SourceFile } from './support/sourceTree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}/media/l10n`;
const languages = ['zh-cn', 'ko'] as const;

type Language = (typeof languages)[number];
type Texts = Readonly<Record<string, string>>;

/** Files whose sentences are for somebody else: they are not translated, but where people surely read. */
const forOthers: ReadonlySet<string> = new Set([
  // The model is told.
  'src/host/sessions/earlierTools.ts',
  'src/host/chat/pastedTexts.ts',
  'src/host/terminal/commandRunner.ts',
  'src/host/edits/proposals/conflictReason.ts',
  'src/host/edits/proposals/decidedProposals.ts',
  'src/host/edits/files/sentences.ts',
  'src/host/edits/proposals/settling.ts',
  'src/host/edits/proposals/stackSentences.ts',
  'src/host/secretGuard/guardedTool.ts',
  // Details of a failure as they are for its reader in the log: the sentence above them is the panel's.
  'src/host/kimiClient.ts',
  'src/host/network.ts',
  'src/host/networkFailure.ts',
  // Lines for a shell.
  'src/host/terminal/shells.ts',
  // Markup.
  'src/host/chat/page.ts',
]);

/** What stays as it is in every language. */
const names = new Set(
  [
    'Kimi K3 K Chat EvoLink VS Code Git API URL CSV HTTP HTTPS http https JSON settings json US Ctrl Enter Escape Shift Alt F',
    'PNG JPEG WebP GIF macOS OS Markdown MCP TeX LaTeX MathML MB ID makefile evolink ai direct com Pro',
  ]
    .join(' ')
    .split(' '),
);
const loanwords: Readonly<Record<Language, ReadonlySet<string>>> = {
  'zh-cn': new Set(['token', 'shell']),
  ko: new Set(['diff', 'Notebook']),
};

function read(name: string): Texts {
  return JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Texts;
}

/** Columns in a fixed font: a sign of these scripts is as wide as two Latin letters. */
function width(text: string): number {
  return [...text].reduce(
    (sum, sign) => sum + (/[\u1100-\u11FF\u3000-\u9FFF\uAC00-\uD7AF\uFF00-\uFF60]/.test(sign) ? 2 : 1),
    0,
  );
}

/** Without what is written as in any language: code, and what is quoted as the workbench writes it. */
function withoutQuoted(text: string): string {
  return text.replaceAll(/`[^`]*`|“[^”]*”/g, '““');
}

function findIn(sources: readonly SourceFile[]): Found {
  const found = sources.map(({ path, text }) => textsIn(path, text, forOthers));
  return {
    shown: found.flatMap(({ shown }) => shown),
    forgotten: found.flatMap(({ forgotten }) => forgotten),
  };
}

describe('languages', function () {
  this.timeout(60_000);

  // The panel's own `t` hands its arguments on.
  const sources = readSources(root, 'src').filter(({ path }) => path !== 'src/webview/l10n.ts');
  const parts = {
    panel: findIn(sources.filter(({ path }) => path.startsWith('src/webview/'))),
    host: findIn(sources.filter(({ path }) => /^src\/(?:host\/|extension\.ts$)/.test(path))),
  };
  /** Each text with its translation, by where it comes from. */
  const pairs: {
    readonly where: string;
    readonly language: Language;
    readonly english: string;
    readonly text: string;
  }[] = [];
  for (const language of languages) {
    for (const [name, english] of Object.entries(read('package.nls.json'))) {
      const text = read(`package.nls.${language}.json`)[name];
      if (text !== undefined) pairs.push({ where: `${language} manifest ${name}`, language, english, text });
    }
    for (const file of [`bundle.l10n.${language}.json`, `panel.l10n.${language}.json`]) {
      for (const [english, text] of Object.entries(read(file)))
        pairs.push({ where: `${file} “${english}”`, language, english, text });
    }
  }
  /** Fails with each pair that a rule finds fault with. */
  const all = (fault: (pair: (typeof pairs)[number]) => boolean | string): void => {
    const faults = pairs.flatMap((pair) => {
      const found = fault(pair);
      return found === false ? [] : [`${pair.where}: ${pair.text}${found === true ? '' : ` (${found})`}`];
    });
    assert.deepEqual(faults, []);
  };

  it('leave no text of the sources out', () => {
    const forgotten = [...parts.panel.forgotten, ...parts.host.forgotten];
    assert.deepEqual(
      forgotten.map(({ file, rule, what }) => `${file}: ${rule}: ${what}`),
      [],
    );
    assert.ok(parts.panel.shown.length > 300 && parts.host.shown.length > 100, 'the sources were read');
    for (const { text, file } of [...parts.panel.shown, ...parts.host.shown])
      assert.ok(text !== '' && !text.includes('!'), `${file}: ${text}`);
    for (const file of forOthers) assert.ok(existsSync(`${root}/${file}`), file);
  });

  for (const language of languages) {
    for (const [part, file] of [
      ['panel', `panel.l10n.${language}.json`],
      ['host', `bundle.l10n.${language}.json`],
    ] as const) {
      it(`have every text of the ${part} in ${language}, sorted, and none that is no longer used`, () => {
        const texts = read(file);
        const used = new Map(parts[part].shown.map(({ text, file: source }) => [text, source]));
        const missing = [...used]
          .filter(([text]) => !(text in texts))
          .map(([text, source]) => `${text}   (${source})`);
        if (missing.length > 0) {
          assert.fail(`${missing.length} not in media/l10n/${file}:\n${missing.join('\n')}`);
        }
        const unused = Object.keys(texts).filter((text) => !used.has(text));
        assert.deepEqual(unused, [], `media/l10n/${file} translates what is nowhere said`);
        assert.deepEqual(Object.keys(texts), Object.keys(texts).toSorted());
      });
    }

    it(`have every text of the manifest in ${language}`, () => {
      assert.deepEqual(
        Object.keys(read(`package.nls.${language}.json`)),
        Object.keys(read('package.nls.json')),
      );
    });
  }

  it('are those that VS Code and the panel are given', () => {
    const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { readonly l10n?: string };
    assert.equal(manifest.l10n, './media/l10n');
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const wanted = languages.flatMap((language) => [
      `bundle.l10n.${language}.json`,
      `panel.l10n.${language}.json`,
      `package.nls.${language}.json`,
    ]);
    assert.deepEqual(files.toSorted(), [...wanted, 'package.nls.json'].toSorted());
    const loaded = /new Set\(\[([^\]]*)\]\)/.exec(
      readFileSync(`${root}/src/host/chat/panelTexts.ts`, 'utf8'),
    )?.[1];
    assert.deepEqual(loaded?.match(/[\w-]+/g), [...languages]);
    const packaged = readFileSync(`${root}/.vscodeignore`, 'utf8').split('\n');
    for (const line of [
      '!package.nls*.json',
      '!media/l10n/bundle.l10n*.json',
      '!media/l10n/panel.l10n*.json',
    ])
      assert.ok(packaged.includes(line), line);
  });

  it('stay small in the page, which holds the panel’s texts each time it is made', () => {
    for (const language of languages) {
      const { size } = statSync(`${folder}/panel.l10n.${language}.json`);
      assert.ok(size <= 64 * 1024, `${language}: ${size} bytes`);
    }
  });

  it('say the same in panel and host', () => {
    for (const language of languages) {
      const host = read(`bundle.l10n.${language}.json`);
      for (const [english, text] of Object.entries(read(`panel.l10n.${language}.json`)))
        if (english in host) assert.equal(host[english], text, english);
    }
  });

  it('fill in the same values', () =>
    all(({ english, text }) => placesOf(english).join() !== placesOf(text).join()));

  it('keep code as it is', () =>
    all(
      ({ english, text }) =>
        (english.match(/`[^`]*`/g) ?? []).toSorted().join() !==
        (text.match(/`[^`]*`/g) ?? []).toSorted().join(),
    ));

  it('have no English left', () =>
    all(({ language, text }) => {
      const plain = withoutQuoted(text).replaceAll(/[\w.-]+(?:\/[\w.-]+)+/g, '');
      const words = plain.match(/[A-Za-z]{2,}/g) ?? [];
      const english = words.filter((word) => !names.has(word) && !loanwords[language].has(word));
      return english.length > 0 && english.join(' ');
    }));

  it('are translated, but for names', () =>
    all(({ english, text }) => {
      const words = english.replaceAll(/\{\d+\}/g, '').match(/[A-Za-z]{2,}/g) ?? [];
      return english === text && words.some((word) => !names.has(word));
    }));

  it('are plain: no exclamation mark, no blank at either end or twice, whole sentences ended', () =>
    all(({ english, text }) => {
      if (/[!！]| {2}/.test(text) || text === '' || (text !== text.trim() && english === english.trim()))
        return 'blanks, exclamation marks';
      const ended = /[.?]$/.test(english);
      return (
        ended !== /[.?。？]$/.test(text) &&
        !/\{\d+\}$/.test(english) &&
        !/\{\d+\}。?$/.test(text) &&
        'ends otherwise'
      );
    }));

  it('name commands as VS Code shows them', () => {
    const english = read('package.nls.json');
    for (const { where, language, english: source, text } of pairs) {
      for (const [, title = ''] of source.matchAll(/“Kimi Chat: ([^”]*)”/g)) {
        const key = Object.keys(english).find((each) => english[each] === title) ?? '';
        assert.match(key, /^command\./, title);
        assert.ok(text.includes(`“Kimi Chat: ${read(`package.nls.${language}.json`)[key]}”`), where);
      }
    }
  });

  it('take no more room than there is', () => {
    all(
      ({ english, text }) => width(text) > 1.7 * width(english) + 10 && `${width(text)} of ${width(english)}`,
    );
    for (const name of ['package.nls.json', ...languages.map((language) => `package.nls.${language}.json`)]) {
      for (const [key, text] of Object.entries(read(name))) {
        const limit = key.startsWith('command.')
          ? 40
          : /^(?:view\.|category|config\.title$)/.test(key)
            ? 20
            : 700;
        assert.ok(width(text) <= limit, `${name} ${key}: ${width(text)}`);
      }
    }
  });

  it('are written in Chinese as it is written', () =>
    all(({ language, text }) => {
      if (language !== 'zh-cn') return false;
      const plain = withoutQuoted(text);
      if (/\p{Script=Han}[,;:?!.()]|[,;:?!()]\p{Script=Han}/u.test(plain))
        return 'punctuation of half the width';
      if (/\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u.test(plain))
        return 'no blank beside Latin letters';
      if (/[，。：；？！（）、] | [，。：；？！（）、]/u.test(plain)) return 'a blank beside punctuation';
      return /你/.test(plain) && 'impolite';
    }));

  it('are written in Korean as it is written, whatever stands before a particle', () =>
    all(({ language, text }) => {
      if (language !== 'ko') return false;
      if (/[，。：；？！（）、]/u.test(text)) return 'Chinese punctuation';
      if (/ [.,:)?]|\( /.test(text)) return 'a blank beside punctuation';
      if (/\}”?(?:은|는|이|가|을|를|과|와|으로|로|이나|나|이라|라)(?!\p{L})/u.test(text))
        return 'a particle that fits only some values';
      return /[이은을과]\((?:가|는|를|와)\)|\(으\)로/.test(text) && 'two particles';
    }));

  it('write numbers, money and time in their own way', () => {
    const said = (language: Language): unknown => {
      l10n.use(read(`panel.l10n.${language}.json`), language);
      return [duration(65_000), shortCount(212_000), exactCount(1_048_576), percent(0.51), exactMoney(0.42)];
    };
    try {
      assert.deepEqual(said('zh-cn'), ['1\u00a0分\u00a05\u00a0秒', '21.2万', '1,048,576', '51%', '$0.42']);
      assert.deepEqual(said('ko'), ['1분\u00a05초', '21.2만', '1,048,576', '51%', '$0.42']);
    } finally {
      l10n.use({}, 'en');
    }
  });
});

describe('the search for texts', () => {
  const found = (source: string, file = 'src/webview/views/Planted.tsx'): string[] =>
    textsIn(file, source).forgotten.map(({ rule, what }) => `${rule}: ${what}`);
  const shown = (source: string): string[] =>
    textsIn('src/host/planted.ts', source).shown.map(({ text }) => text);

  it('finds what is said, however it is written', () => {
    assert.deepEqual(
      shown(`import * as vscode from 'vscode';
        const { l10n } = vscode;
        export const a = [vscode.l10n.t('It’s {0}', 1), l10n.t(
          // Why
          "In \\"quotes\\"",
        ), vscode . l10n
          .t(\`In a template\`)];`),
      ['It’s {0}', 'In "quotes"', 'In a template'],
    );
    assert.deepEqual(
      found(`export const A = () => <b title={l10n.t('Stop')}>{l10n.t('{0} files', 3)}</b>;`),
      [],
    );
  });

  it('finds text that nobody translates', () => {
    const planted: readonly (readonly [source: string, ...found: string[]])[] = [
      [`<p>Hello</p>`, 'untranslated: Hello'],
      [`<p>{count} files</p>`, 'untranslated:  files'],
      [`<p>{open ? 'on' : l10n.t('off')}</p>`, 'untranslated: on'],
      [`<p>{open && \`\${count} left\`}</p>`, 'untranslated:  left'],
      [`<button aria-label="Close" />`, 'untranslated: Close'],
      [`<button title={'close ' + name} />`, 'untranslated: close '],
      [`<input placeholder="x" />`, 'untranslated: x'],
      [`<Row label="done" />`, 'untranslated: done'],
      [`announce('copied')`, 'untranslated: copied'],
      [`const text = 'Not all is well'`, 'untranslated: Not all is well'],
      [`const text = { low: 'Low' }`, 'untranslated: Low'],
      [
        `vscode.window.showInformationMessage('done', modal, 'yes')`,
        'untranslated: done',
        'untranslated: yes',
      ],
      [`pick({ placeHolder: 'choose' })`, 'untranslated: choose'],
      [`picker.title = 'choose'`, 'untranslated: choose'],
      [`post({ kind: 'notice', text: 'gone' })`, 'untranslated: gone'],
    ];
    for (const [source, ...faults] of planted)
      assert.deepEqual(
        found(`export const planted = () => (${source.replace(/^const text = /, '')});`),
        faults,
        source,
      );
  });

  it('finds texts that a translator can’t be given, and values that don’t fit', () => {
    const planted: readonly (readonly [source: string, found: string])[] = [
      [`l10n.t(text)`, 'no literal: l10n.t(text)'],
      [`l10n.t('a' + b)`, 'no literal: l10n.t("a" + b)'],
      [`l10n.t(\`\${a} files\`)`, 'no literal: l10n.t(`${a} files`)'],
      [`l10n.t(one ? 'a' : 'b')`, 'no literal: l10n.t(one ? "a" : "b")'],
      [`l10n.t('{0} of {1}', 1)`, 'values: {0} of {1} with 1'],
      [`l10n.t('{1}', 1, 2)`, 'values: {1} with 2'],
      [`pieces(l10n.t('press {0}'))`, 'values: press {0} with 0'],
      [`l10n['t']('a')`, 'l10n by another way: l10n["t"]'],
      [`[l10n.t].map(String)`, 'l10n by another way: l10n.t'],
      [`use(l10n)`, 'l10n by another way: use(l10n)'],
      [`new Intl.NumberFormat().format(1)`, 'format: new Intl.NumberFormat()'],
      [`new Intl.DateTimeFormat('en').format(1)`, 'format: new Intl.DateTimeFormat("en")'],
      [`at.toLocaleString()`, 'format: at.toLocaleString()'],
    ];
    for (const [source, fault] of planted)
      assert.ok(
        found(`export const planted = () => ${source};`).includes(fault),
        `${source}: ${found(`export const planted = () => ${source};`).join()}`,
      );
    assert.deepEqual(found(`export const a = () => pieces(l10n.t('press {0}'), <kbd>{key}</kbd>);`), []);
  });

  it('leaves alone what nobody reads', () => {
    for (const source of [
      `<p class="notice quiet">{l10n.t('a')}</p>`,
      `log.warn('The file could not be read')`,
      `new Error('No such model')`,
      `event.key === 'Enter'`,
      `<p>{count} · {3}</p>`,
      `<p>Kimi Chat</p>`,
    ])
      assert.deepEqual(found(`export const planted = () => ${source};`), [], source);
  });
});
