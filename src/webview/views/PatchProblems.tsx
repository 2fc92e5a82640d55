/** What an accepted patch did to the problems that the editor shows: a line on its card that opens to them. Decides nothing by itself. */
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { PatchProblem, PatchProblems as Facts } from '../../protocol/toWebview.ts';
import { PatchProblemsContext, useEnv } from '../env.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { pathParts } from '../paths.ts';
import { problemsText, uncheckedText } from '../problemsText.ts';
import { Fold } from './Fold.tsx';
import { CheckIcon } from './icons.tsx';
import { useArmed, useKept } from './hooks.ts';

export function PatchProblems({ proposal }: { proposal: string }): VNode | null {
  const facts = useContext(PatchProblemsContext).find((each) => each.proposal === proposal);
  return facts === undefined ? null : <Problems facts={facts} />;
}

function Problems({ facts }: { facts: Facts }): VNode {
  const { checking, introduced, shown, unknown } = facts;
  const [open, setOpen] = useKept('problems', false);
  const summary = (
    <span class={introduced > 0 ? 'problems-words problems-new' : 'problems-words'}>
      {problemsText(facts)}
    </span>
  );
  return (
    <div class="patch-problems" role="group" aria-label={l10n.t('Problems after the patch')}>
      {shown.length > 0 ? (
        <Fold className="problems" open={open} onToggle={() => setOpen(!open)} summary={summary}>
          <List facts={facts} kind="introduced" />
          <List facts={facts} kind="fixed" />
        </Fold>
      ) : checking || unknown === 0 ? (
        <p class={checking ? 'problems-line working' : 'problems-line'}>{problemsText(facts)}</p>
      ) : null}
      {checking ? null : <Buttons facts={facts} />}
    </div>
  );
}

function List({ facts, kind }: { facts: Facts; kind: PatchProblem['kind'] }): VNode | null {
  const own = facts.shown.filter((problem) => problem.kind === kind);
  if (own.length === 0) return null;
  const all = kind === 'fixed' ? facts.fixed : facts.introduced;
  return (
    <>
      <p class="problems-title">{kind === 'fixed' ? l10n.t('Fixed') : l10n.t('Introduced')}</p>
      <ul class="problems-list">
        {own.map((problem) => (
          <Row key={problem.index} proposal={facts.proposal} problem={problem} />
        ))}
      </ul>
      {all > own.length ? <p class="problems-line">{l10n.t('{0} more', all - own.length)}</p> : null}
    </>
  );
}

function Row({ proposal, problem }: { proposal: string; problem: PatchProblem }): VNode {
  const { post } = useEnv();
  const { index, kind, severity, path, line, message, source, canTakeBack } = problem;
  const armed = useArmed(`${proposal} ${index} ${message}`, true);
  const place = `${pathParts(path).name}:${line}`;
  const body = (
    <>
      {kind === 'fixed' ? (
        <span class="problem-fixed">
          <CheckIcon />
        </span>
      ) : (
        <span class={`problem-sign problem-${severity}`} aria-hidden="true" />
      )}
      <span class="visually-hidden">{severity === 'error' ? l10n.t('Error') : l10n.t('Warning')} </span>
      <bdi dir="ltr" class="problem-place">
        <Plain text={place} />
      </bdi>{' '}
      <span class="problem-message" dir="auto">
        <Plain text={message} />
        {source === '' ? null : (
          <span class="quiet">
            {' '}
            <Plain text={source} />
          </span>
        )}
      </span>
    </>
  );
  if (kind === 'fixed') {
    return (
      <li class="problem" title={visibleText(`${path}:${line}`)}>
        <span class="problem-said">{body}</span>
      </li>
    );
  }
  return (
    <li class="problem">
      <button
        type="button"
        class="problem-open"
        title={visibleText(`${path}:${line}`)}
        onClick={() => post({ kind: 'showProblem', proposal, problem: index })}
      >
        {body}
      </button>
      {canTakeBack === true ? (
        <button
          type="button"
          class="text-button problem-back"
          aria-label={l10n.t('Take back this change: {0}', visibleText(place))}
          title={l10n.t('Takes back the change in which this problem stands, and keeps the others')}
          onClick={armed(() => post({ kind: 'takeBackChange', proposal, problem: index }))}
        >
          {l10n.t('Take back this change')}
        </button>
      ) : null}
    </li>
  );
}

function Buttons({ facts: { proposal, introduced, unknown, handed } }: { facts: Facts }): VNode | null {
  const { post } = useEnv();
  const wasAsked = handed === true && introduced > 0;
  const asks = handed !== true && introduced > 0;
  const checks = unknown > 0;
  const armed = useArmed(`${proposal} ${asks ? 'asks' : ''} ${checks ? 'checks' : ''}`);
  if (!asks && !wasAsked && !checks) return null;
  return (
    <div class="problems-buttons">
      {asks ? (
        <button
          type="button"
          class="button secondary"
          onClick={armed(() => post({ kind: 'askAboutProblems', proposal }))}
        >
          {l10n.t('Have Kimi fix them')}
        </button>
      ) : null}
      {wasAsked ? <span class="quiet">{l10n.t('Kimi was asked to fix them.')}</span> : null}
      {checks ? (
        <span class="problems-line">
          {uncheckedText(unknown)}{' '}
          <button
            type="button"
            class="text-button"
            title={l10n.t('Opens the changed files, so that their languages look at them')}
            onClick={armed(() => post({ kind: 'checkProblems', proposal }))}
          >
            {l10n.t('Open and check')}
          </button>
        </span>
      ) : null}
    </div>
  );
}
