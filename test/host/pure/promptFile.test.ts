import assert from 'node:assert/strict';

import {
  filled,
  givenInputs,
  inputsOf,
  invocationOf,
  promptName,
  readPromptFile,
} from '../../../src/host/prompts/promptFile.ts';
import { referencesIn } from '../../../src/host/prompts/promptReferences.ts';

describe('a prompt file', () => {
  it('is its words alone when it has no front matter', () => {
    assert.deepEqual(readPromptFile('\n  Do it.\n'), { ignored: [], body: 'Do it.' });
    assert.deepEqual(readPromptFile('---\ndescription: never ends\n'), {
      ignored: [],
      body: '---\ndescription: never ends',
    });
    assert.deepEqual(readPromptFile('text\n---\nmore: x\n---\n').body, 'text\n---\nmore: x\n---');
    assert.deepEqual(readPromptFile(''), { ignored: [], body: '' });
  });

  it('says in its front matter what it is called and what it does', () => {
    const file = readPromptFile(
      '\uFEFF---\r\nname: release-notes # ours\r\ndescription: "Notes for a \\"release\\""\r\nargument-hint: \'the version, it\'\'s new\'\r\n---\r\n\r\nWrite notes.\r\n',
    );
    assert.deepEqual(file, {
      name: 'release-notes',
      description: 'Notes for a "release"',
      argumentHint: "the version, it's new",
      ignored: [],
      body: 'Write notes.',
    });
    assert.deepEqual(readPromptFile('---\n---\nBody'), { ignored: [], body: 'Body' });
    assert.equal(readPromptFile('---\ndescription: "a\\tb\\nc"\n---').description, 'a\tb\nc');
    assert.equal(readPromptFile('---\ndescription: # nothing\n---\nx').description, undefined);
  });

  it('asks with a model and an effort that there are, and tells which of its wishes are passed over', () => {
    const asks = (lines: string): unknown => {
      const { asks: wanted, ignored } = readPromptFile(`---\n${lines}\n---\nx`);
      return [wanted, ignored];
    };
    assert.deepEqual(asks('model: kimi-k3\neffort: MAX'), [{ model: 'kimi-k3', effort: 'max' }, []]);
    assert.deepEqual(asks('model: Kimi K3.1 Pro\neffort: low'), [
      { model: 'kimi-k3.1-pro', effort: 'low' },
      [],
    ]);
    assert.deepEqual(asks("model: ['GPT-5', 'K3']"), [{ model: 'kimi-k3' }, []]);
    assert.deepEqual(asks('model: GPT-5 (copilot)\nagent: plan\ntools: [search, edit]'), [
      undefined,
      ['agent', 'tools', 'model'],
    ]);
    assert.deepEqual(asks('effort: low'), [{ effort: 'low' }, []]);
    assert.deepEqual(asks('effort: enormous\nmode: agent'), [undefined, ['mode', 'effort']]);
  });

  it('reads no deeper than lines of their own', () => {
    const file = readPromptFile('---\ntools:\n  - description: no\n  description: no\n- name: no\n---\nx');
    assert.deepEqual(file, { ignored: ['tools'], body: 'x' });
  });
});

describe('texts and lists below a key of a prompt file', () => {
  it('are read as if they stood in its line', () => {
    const read = (lines: string): ReturnType<typeof readPromptFile> =>
      readPromptFile(`---\n${lines}\n---\nx`);
    assert.equal(read('description: >-\n  Writes the\n  notes.\nname: a').description, 'Writes the notes.');
    assert.equal(read('description: | # kept\n  One.\n  Two.').description, 'One.\nTwo.');
    assert.equal(read('description: >\nname: a').description, undefined);
    assert.deepEqual(read('model:\n  - GPT-5\n  - "Kimi K3"\neffort: max').asks, {
      model: 'kimi-k3',
      effort: 'max',
    });
    assert.deepEqual(read('model:\n- GPT-5\ntools:\n- search').ignored, ['tools', 'model']);
    assert.equal(read('description: > 3 files').description, '> 3 files');
  });
});

describe('files that a prompt names', () => {
  const sure = (...paths: readonly string[]): unknown => paths.map((path) => ({ path, isSure: true }));

  it('are those behind #file:, up to what ends the name', () => {
    assert.deepEqual(referencesIn('See #file:src/a.ts, (#file:b.md) and #file:docs/c.md.'), [
      ...(sure('src/a.ts', 'b.md', 'docs/c.md') as []),
    ]);
    assert.deepEqual(
      referencesIn('#file:\'a b.ts\' #file:"c d.ts" #file:..\\e.ts'),
      sure('a b.ts', 'c d.ts', '../e.ts'),
    );
    assert.deepEqual(referencesIn('#file: #file:... no#files'), []);
  });

  it('are those that are linked, unless that leads to a page or an image', () => {
    assert.deepEqual(
      referencesIn(
        '[a](./a%20b.md#part) [b](/b.md?x) ![i](i.png) [w](https://x.y/z) [m](mailto:a@b) [h](#here) [p](//x.y/z) [q](%zz)',
      ).map(({ path, isSure }) => `${path} ${isSure}`),
      ['./a b.md false', '/b.md false', '%zz false'],
    );
    assert.deepEqual(referencesIn('[a](a.md) #file:a.md'), sure('a.md'));
  });

  it('are not endless', () => {
    const many = Array.from({ length: 50 }, (_, index) => `#file:${index}.md`).join(' ');
    assert.equal(referencesIn(many).length, 20);
    assert.deepEqual(referencesIn(`${'['.repeat(200_000)}${'#file:'.repeat(1)}`), []);
  });
});

describe('the name of a prompt', () => {
  it('is what can be typed behind a slash', () => {
    assert.equal(promptName('release'), 'release');
    assert.equal(promptName('My release  notes'), 'My-release-notes');
    assert.equal(promptName('说明.v2'), '说明.v2');
    assert.equal(promptName('../../etc'), 'etc');
    assert.equal(promptName('a\u202Eb/c'), 'abc');
    assert.equal(promptName('...'), undefined);
    assert.equal(promptName(''), undefined);
    assert.equal(promptName('x'.repeat(101)), undefined);
  });
});

describe('a slash command', () => {
  it('stands at the start of a question', () => {
    assert.deepEqual(invocationOf('/fix'), { name: 'fix', argument: '' });
    assert.deepEqual(invocationOf('  /fix  the total\nis wrong '), {
      name: 'fix',
      argument: 'the total\nis wrong',
    });
    assert.deepEqual(invocationOf('/fix\n\nall of it'), { name: 'fix', argument: 'all of it' });
    assert.deepEqual(invocationOf('/e\u0301tude'), { name: '\u00E9tude', argument: '' });
    for (const text of ['', 'fix', 'please /fix', '/', '/ fix', '//fix', '/etc/hosts is odd', '/* note */'])
      assert.equal(invocationOf(text), undefined, text);
  });
});

describe('what a prompt wants to be told', () => {
  const body = 'Make ${input:name:What is it called?} in ${input:where}, then test ${input:name}.';

  it('stands in its text', () => {
    assert.deepEqual(inputsOf(body), [
      { name: 'name', placeholder: 'What is it called?' },
      { name: 'where' },
    ]);
    assert.deepEqual(inputsOf('nothing ${file} ${input} ${input:}'), []);
  });

  it('is given behind the command, by its name or as it comes', () => {
    const given = (argument: string): Record<string, string> =>
      Object.fromEntries(givenInputs(inputsOf(body), argument));
    assert.deepEqual(given(''), {});
    assert.deepEqual(given('a login form'), { name: 'a login form' });
    assert.deepEqual(given('where=src name="a login form"'), { where: 'src', name: 'a login form' });
    assert.deepEqual(given('where=src a form with x=1'), { where: 'src', name: 'a form with x=1' });
    assert.deepEqual(given('name= where=src'), { name: '', where: 'src' });
  });

  it('is filled in, and nothing in what was filled in', () => {
    const inputs = new Map([
      ['name', '${input:where}${file}'],
      ['where', 'src'],
    ]);
    assert.equal(
      filled(body, inputs, {}),
      'Make ${input:where}${file} in src, then test ${input:where}${file}.',
    );
    assert.equal(filled(body, new Map(), {}), body);
  });
});

describe('what a prompt says of the editor', () => {
  const all =
    '${file}|${relativeFile}|${fileBasename}|${fileBasenameNoExtension}|${fileDirname}|${selection}|${selectedText}|${workspaceFolder}|${workspaceFolderBasename}|${other}';

  it('is what stands in front', () => {
    const shown = { file: 'src/shop/cart.test.ts', selection: 'const $& = 1', folder: 'shop' };
    assert.equal(
      filled(all, new Map(), shown),
      'src/shop/cart.test.ts|src/shop/cart.test.ts|cart.test.ts|cart.test|src/shop|const $& = 1|const $& = 1|shop|shop|${other}',
    );
    assert.equal(filled('${fileBasenameNoExtension}:${fileDirname}', new Map(), { file: '.env' }), '.env:');
  });

  it('stays as it is written where nothing does', () => {
    assert.equal(filled(all, new Map(), {}), all);
  });
});
