/** A block of code: its language, what can be done with it, and its text, coloured once no more will come. */
import type { ComponentChild, VNode } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { useEnv } from '../env.ts';
import { pathPieces, visibleText } from '../invisible.ts';
import { KeptContext, PlaceContext, placeIn } from '../kept.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { pathParts } from '../paths.ts';
import { AppliedCode } from '../views/AppliedCode.tsx';
import { Folder } from '../views/Folder.tsx';
import { IconButton } from '../views/IconButton.tsx';
import { CheckIcon, CopyIcon, InsertIcon, WrapIcon } from '../views/icons.tsx';
import { useDone, useKept } from '../views/hooks.ts';
import { codePieces, type OpenFence } from './blocks.ts';
import { codeInfo } from './codeInfo.ts';
import { Pieces, Plain } from './Plain.tsx';
import { SteadyCode } from './SteadyCode.tsx';

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
  const { language, file } = codeInfo(info);
  const [wraps, setWraps] = useWrap();
  const from = placeIn(useContext(PlaceContext), 'code');
  const shown = language === '' ? l10n.t('text') : visibleText(language);
  return (
    <div class={wraps ? 'code wraps' : 'code'}>
      <div class="code-bar">
        <span class="code-language">{file === undefined ? shown : <CodeFile path={file} />}</span>
        <IconButton
          name={l10n.t('Wrap lines')}
          pressed={wraps}
          icon={<WrapIcon />}
          onPress={() => setWraps(!wraps)}
        />
        <CopyButton text={text} name={l10n.t('Copy code')} />
        <InsertButton text={text} />
        {/* What is still being written is not applied. */}
        {open === undefined ? <ApplyButton from={from} text={text} name={file} /> : null}
      </div>
      {/* Wide code is scrolled, also with the keyboard. */}
      <pre dir="ltr" tabIndex={0} role="group" aria-label={l10n.t('Code, {0}', shown)}>
        <CodeText text={text} open={open} language={language} colour={settled} />
      </pre>
      <AppliedCode from={from} />
    </div>
  );
}

function CodeFile({ path }: { path: string }): VNode {
  const { folder, name } = pathParts(path);
  return (
    <bdi dir="ltr" class="path code-file" title={visibleText(path)}>
      {folder === '' ? null : <Folder className="path-folder" pieces={pathPieces(folder)} />}
      <span class="path-name">
        <Pieces pieces={pathPieces(name)} />
      </span>
    </bdi>
  );
}

const wrapDefault = 'wrapCode';

/** As chosen for this block; otherwise as it was chosen last for any, when this one came. */
function useWrap(): [boolean, (wraps: boolean) => void] {
  const kept = useContext(KeptContext);
  const [atFirst] = useState(() => kept.get(wrapDefault) === true);
  const [wraps, choose] = useKept('wrap', atFirst);
  return [
    wraps,
    (next) => {
      kept.set(wrapDefault, next);
      choose(next);
    },
  ];
}

interface CodeTextProps extends Pick<CodeProps, 'text' | 'open'> {
  readonly language: string;
  readonly colour: boolean;
}

function CodeText({ text, open, language, colour }: CodeTextProps): VNode {
  const whole = open === undefined ? text() : undefined;
  const coloured = useColoured(whole, language, colour);
  // When no more comes into them, they stay the same: a long block is not drawn anew at its end.
  const pieces = useMemo(
    () => (open === undefined ? codePieces(whole ?? '') : [...open.settled, open.rest]),
    [open, whole],
  );
  return (
    <SteadyCode coloured={coloured !== undefined}>
      {coloured ?? pieces.map((piece, index) => <Piece key={index} text={piece} />)}
    </SteadyCode>
  );
}

const Piece = memo(({ text }: { text: string }) =>
  text === '' ? null : (
    <span class="code-piece">
      <Plain text={text} />
    </span>
  ),
);

type Highlight = (code: string, language: string) => ComponentChild[] | undefined;

/** Undefined as long as it is not coloured, and where it can't be. */
function useColoured(
  text: string | undefined,
  language: string,
  colour: boolean,
): ComponentChild[] | undefined {
  const [coloured, setColoured] = useState<{ text: string; children: ComponentChild[] } | undefined>();
  useEffect(() => {
    if (text === undefined || !colour || language === '') return undefined;
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
  return coloured !== undefined && coloured.text === text ? coloured.children : undefined;
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
    <IconButton
      name={name}
      title={done ? l10n.t('Copied') : name}
      icon={done ? <CheckIcon /> : <CopyIcon />}
      onPress={() => {
        post({ kind: 'copy', text: text() });
        announce(l10n.t('Copied'));
        mark();
      }}
    />
  );
}

function InsertButton({ text }: { text: () => string }): VNode {
  const { post } = useEnv();
  return (
    <IconButton
      name={l10n.t('Insert at cursor')}
      icon={<InsertIcon />}
      onPress={() => post({ kind: 'insertAtCursor', text: text() })}
    />
  );
}

function ApplyButton(props: { from: string; text: () => string; name: string | undefined }): VNode {
  const { post } = useEnv();
  const { from, text, name } = props;
  return (
    <button
      type="button"
      class="text-button code-apply"
      title={l10n.t('Choose where the code goes, and review it as a diff')}
      onClick={() => post({ kind: 'applyCode', from, text: text(), ...(name !== undefined && { name }) })}
    >
      {l10n.t('Apply…')}
    </button>
  );
}
