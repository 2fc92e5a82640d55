/** Colours for code that has settled. Loaded only when the first code is shown; makes a tree of spans, never markup. */
import { h, type ComponentChild } from 'preact';
import { createLowlight } from 'lowlight';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { Plain } from './Plain.tsx';

const lowlight = createLowlight({
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, lua, makefile },
  ...{ markdown, php, powershell, python, ruby, rust, scss, shell, sql, swift, typescript, xml, yaml },
});

/** Beyond this many characters colouring costs more than it gives. */
const longest = 60_000;

/** The code as coloured elements, or undefined when its language is unknown or it is too long. Joined, their text is the code. */
export function highlight(code: string, language: string): ComponentChild[] | undefined {
  if (code.length > longest || !lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children.map(toElement);
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

function toElement(node: Node, index: number): ComponentChild {
  if (node.type === 'text') return h(Plain, { key: index, text: node.value });
  if (node.type !== 'element') return null;
  const names = node.properties['className'];
  const className = Array.isArray(names) ? names.join(' ') : '';
  return h('span', { key: index, class: className }, node.children.map(toElement));
}
