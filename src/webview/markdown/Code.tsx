/** A block of code: its language, what can be done with it, and its text, coloured once no more will come. */
import type { ComponentChild, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { CheckIcon, CopyIcon, InsertIcon } from '../views/icons.tsx';
import { useDone } from '../views/hooks.ts';
import type { OpenFence } from './blocks.ts';
import { Plain } from './Plain.tsx';

export interface CodeProps {
  /** As written after the fence. */
  readonly info: string;
  /** Whole, also while `open`. */
  readonly text: () => string;
  readonly open: OpenFence | undefined;
  /** Nothing will be added any more. */
  readonly settled: boolean;
}

export function Code({ info, text, open, settled }: CodeProps): VNode {
  const language = languageName(info);
  return (
    <div class="code">
      <div class="code-bar">
        <span class="code-language">{language === '' ? l10n.t('text') : language}</span>
        <CopyButton text={text} name={l10n.t('Copy code')} />
        <InsertButton text={text} />
      </div>
      {/* Wide code is scrolled, also with the keyboard. */}
      <pre
        dir="ltr"
        tabIndex={0}
        role="region"
        aria-label={l10n.t('Code, {0}', language === '' ? l10n.t('text') : language)}
      >
        <code>
          {open === undefined ? (
            <Settled text={text()} language={language} colour={settled} />
          ) : (
            <Growing settled={open.settled} rest={open.rest} />
          )}
        </code>
      </pre>
    </div>
  );
}

/** The first word after the fence, without attributes. */
function languageName(info: string): string {
  return /^[^\s{,:]*/.exec(info.trim())?.[0] ?? '';
}

function Growing({ settled, rest }: OpenFence): VNode {
  return (
    <>
      {settled.map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
      {rest === '' ? null : (
        <span class="code-piece">
          <Plain text={rest} />
        </span>
      )}
    </>
  );
}

const Piece = memo(({ text }: { text: string }) => (
  <span class="code-piece">
    <Plain text={text} />
  </span>
));

type Highlight = (code: string, language: string) => ComponentChild[] | undefined;

function Settled({ text, language, colour }: { text: string; language: string; colour: boolean }): VNode {
  const [coloured, setColoured] = useState<{ text: string; children: ComponentChild[] } | undefined>();
  useEffect(() => {
    if (!colour || language === '') return undefined;
    let wanted = true;
    void loadHighlight().then((highlight) => {
      // Between two pieces of work, so that a long answer that comes at once is readable at once.
      setTimeout(() => {
        const children = wanted ? highlight?.(text, language.toLowerCase()) : undefined;
        if (children !== undefined) setColoured({ text, children });
      });
    });
    return () => {
      wanted = false;
    };
  }, [text, language, colour]);
  return coloured?.text === text ? <>{coloured.children}</> : <Plain text={text} />;
}

/** Code that can't be coloured is still code. */
async function loadHighlight(): Promise<Highlight | undefined> {
  try {
    return (await import('./highlight.ts')).highlight;
  } catch {
    return undefined;
  }
}

export function CopyButton({ text, name }: { text: () => string; name: string }): VNode {
  const { post, announce } = useEnv();
  const [done, mark] = useDone();
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={done ? l10n.t('Copied') : name}
      onClick={() => {
        post({ kind: 'copy', text: text() });
        announce(l10n.t('Copied'));
        mark();
      }}
    >
      {done ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}

function InsertButton({ text }: { text: () => string }): VNode {
  const { post } = useEnv();
  const name = l10n.t('Insert at cursor');
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={name}
      onClick={() => post({ kind: 'insertAtCursor', text: text() })}
    >
      <InsertIcon />
    </button>
  );
}
