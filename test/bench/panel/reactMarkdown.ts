/**
 * The common way as a contestant: React, each answer a `ReactMarkdown` of its own that renders only when its text changes, which the
 * one that is arriving does at each piece. Built from npm when it is measured.
 */
import esbuild from 'esbuild';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Turn } from '../../../src/core/conversation/conversation.ts';
import { npmInstall } from '../../run/npmInstall.ts';
import type { Contestant } from './contestant.ts';

const packages = ['react@19.3.1', 'react-dom@19.3.1', 'react-markdown@10.1.0', 'remark-gfm@4.0.1'];

const source = `
import { createElement as h, memo, useLayoutEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import Markdown from 'react-markdown';
import gfm from 'remark-gfm';

const plugins = [gfm];
const Answer = memo(({ text }) => h('div', { className: 'markdown' }, h(Markdown, { remarkPlugins: plugins }, text)));
const Question = memo(({ turn }) => h('article', { className: 'turn' }, h('h2', null, turn.question), turn.reasoning && h('details', null, h('summary', null, 'Thought'), turn.reasoning)));

function App() {
  const [turns, setTurns] = useState([]);
  const [draft, setDraft] = useState('');
  const scroller = useRef(null);
  globalThis.panel = {
    open: (all) => flushSync(() => setTurns(all)),
    add: (text) => flushSync(() => setTurns((all) => all.with(-1, { ...all.at(-1), answer: all.at(-1).answer + text }))),
  };
  useLayoutEffect(() => { scroller.current.scrollTop = scroller.current.scrollHeight; }, [turns]);
  return h('main', { style: { display: 'flex', flexDirection: 'column', height: '100vh' } },
    h('div', { ref: scroller, style: { flex: 1, overflow: 'auto' } },
      turns.map((turn) => h('div', { key: turn.id }, h(Question, { turn: turn.base }), h(Answer, { text: turn.answer })))),
    h('textarea', { className: 'field', value: draft, onChange: (event) => setDraft(event.target.value) }));
}
createRoot(document.getElementById('root')).render(h(App));
`;

/** Builds it; returns its script and what it is made of. */
export async function buildCommon(): Promise<{ readonly script: string; readonly made: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-panel-'));
  try {
    await npmInstall({ folder, packages, title: 'the common way' });
    await writeFile(path.join(folder, 'main.js'), source);
    const { outputFiles } = await esbuild.build({
      entryPoints: [path.join(folder, 'main.js')],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    return { script: outputFiles[0]?.text ?? '', made: packages.join(', ') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const page = (script: string): string =>
  `<!DOCTYPE html><meta charset="utf-8"><body style="margin:0;font:13px sans-serif"><div id="root"></div><script type="module">${script.replaceAll('</script', '<\\/script')}</script>`;

export async function openCommon(browser: Browser, script: string): Promise<Contestant> {
  const opened = await browser.newPage({ viewport: { width: 400, height: 900 } });
  await opened.route('https://panel.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: page(script) }),
  );
  await opened.goto('https://panel.test/');
  await opened.locator('.field').waitFor();
  const shown = (turn: Turn) => ({
    id: turn.id,
    base: {
      question: turn.question.text,
      reasoning: turn.parts.flatMap((part) => (part.kind === 'reasoning' ? part.sections : [])).join(''),
    },
    answer: turn.parts.flatMap((part) => (part.kind === 'answer' ? part.sections : [])).join(''),
  });
  return {
    name: 'the common way',
    page: opened,
    field: '.field',
    opens: (turns) =>
      opened.evaluate(async (all) => {
        const { panel } = globalThis as unknown as { panel: { open(turns: unknown): void } };
        const start = performance.now();
        panel.open(all);
        await new Promise<void>((resolve) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => resolve(), { once: true });
            port1.start();
            port2.postMessage(undefined);
          }),
        );
        return performance.now() - start;
      }, turns.map(shown)),
    streams: (pieces, apart) =>
      opened.evaluate(
        async ({ all, pause }) => {
          const { panel } = globalThis as unknown as { panel: { add(text: string): void } };
          for (const text of all) {
            const due = performance.now() + pause;
            panel.add(text);
            await new Promise((resolve) => requestAnimationFrame(resolve));
            await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
          }
          await new Promise((resolve) => requestAnimationFrame(resolve));
        },
        { all: pieces, pause: apart },
      ),
    close: () => opened.close(),
  };
}
