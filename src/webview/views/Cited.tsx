/** A section of an answer with the numbers of its sources behind what they are the sources of. */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Citation } from '../../core/conversation/conversation.ts';
import { Markdown, type MarkdownProps } from '../markdown/Markdown.tsx';
import { ReferencedText } from '../sources.ts';
import { useSources } from './Sources.tsx';

export interface CitedProps extends MarkdownProps {
  readonly section: number;
  /** Of the whole answer. */
  readonly citations: readonly Citation[];
}

export function Cited({ section, citations: all, ...markdown }: CitedProps): VNode {
  const sources = useSources();
  const citations = useMemo(() => all.filter((one) => one.section === section), [all, section]);
  const [referenced] = useState(() => new ReferencedText());
  const { text, done } = markdown;
  return <Markdown {...markdown} text={referenced.of({ text, citations, sources, done })} />;
}
