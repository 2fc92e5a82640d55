/** A formula: its source until it is typeset, and for good where it can't be. Typesets in pieces of work, so that many come one by one. */
import type { ComponentChild, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { CopyButton } from './Code.tsx';
import { Plain } from './Plain.tsx';

export interface FormulaProps {
  /** TeX, without delimiters. */
  readonly tex: string;
  /** With them, as it stands in the text. */
  readonly raw: string;
  readonly display: boolean;
}

/** On lines of its own. */
export const FormulaBlock = memo((props: FormulaProps): VNode => {
  return (
    <div class="formula-block">
      {/* A wide one is scrolled, also with the keyboard. */}
      <div class="formula-scroll" tabIndex={0} role="group" aria-label={l10n.t('Formula')}>
        <Formula {...props} />
      </div>
      <CopyButton text={() => props.tex} name={l10n.t('Copy as TeX')} />
    </div>
  );
}, isSame);

export const Formula = memo(({ tex, raw, display }: FormulaProps): VNode => {
  const [typeset, setTypeset] = useState<Typeset | undefined>();
  useEffect(() => {
    let wanted = true;
    void loadTypeset().then((typeset) => {
      soon(() => {
        if (wanted) setTypeset({ tex, shown: typeset?.(tex, display) });
      });
    });
    return () => {
      wanted = false;
    };
  }, [tex, display]);
  if (typeset?.tex === tex && typeset.shown !== undefined) {
    return (
      <span class={display ? 'formula displayed' : 'formula'} dir="ltr" title={tex}>
        {typeset.shown}
      </span>
    );
  }
  return (
    <code class="formula-source" dir="ltr" title={l10n.t('Formula')}>
      <Plain text={raw.trim()} />
    </code>
  );
}, isSame);

interface Typeset {
  readonly tex: string;
  readonly shown: ComponentChild;
}

function isSame(before: FormulaProps, after: FormulaProps): boolean {
  return before.tex === after.tex && before.display === after.display && before.raw === after.raw;
}

type Job = () => void;

const jobs: Job[] = [];

function soon(job: Job): void {
  jobs.push(job);
  if (jobs.length === 1) setTimeout(runJobs);
}

/** Milliseconds of work at a time, between which the page draws and takes keys. */
const slice = 8;

function runJobs(): void {
  const start = performance.now();
  let job = jobs[0];
  while (job !== undefined) {
    job();
    jobs.shift();
    job = performance.now() - start < slice ? jobs[0] : undefined;
  }
  if (jobs.length > 0) setTimeout(runJobs);
}

/** A formula that can't be typeset is still readable as TeX. */
async function loadTypeset(): Promise<((tex: string, display: boolean) => ComponentChild) | undefined> {
  try {
    return (await import('./typeset.ts')).typeset;
  } catch {
    return undefined;
  }
}
