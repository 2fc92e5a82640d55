/** The versions of a turn: going through them, and all of them beside one another with what each took. Absent for a turn asked once. */
import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { sumOf } from '../../core/cost/bill.ts';
import type { TurnVersions, VersionFacts } from '../../protocol/toWebview.ts';
import { costText } from '../billText.ts';
import { useBranches, useVersions } from '../branches.ts';
import { dot } from '../dot.ts';
import { useEnv, usePrices } from '../env.ts';
import { duration, exactCount, shortCount } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { askedWith } from '../modelText.ts';
import { PlaceContext } from '../kept.ts';
import { useElapsed, useKept } from './hooks.ts';
import { IconButton } from './IconButton.tsx';
import { ChevronIcon } from './icons.tsx';

export function Versions({ turn }: { turn: string }): VNode | null {
  const own = useVersions(turn);
  // Whoever goes through versions has the table open in all of them, or in none.
  return own === undefined ? null : (
    <PlaceContext.Provider value="versions">
      <Bar own={own} />
    </PlaceContext.Provider>
  );
}

function Bar({ own }: { own: TurnVersions }): VNode {
  const { post, announce } = useEnv();
  const branches = useBranches();
  const id = useId();
  const [open, setOpen] = useKept('compare', false);
  const bar = useRef<HTMLDivElement>(null);
  const { turn, versions } = own;
  const at = versions.findIndex((one) => one.turn === turn);
  const place = l10n.t('Version {0} of {1}', at + 1, versions.length);
  useLayoutEffect(() => {
    for (const control of ['previous', 'next', 'row'] as const) {
      if (!branches.takes(`${control} ${turn}`)) continue;
      const button = bar.current?.querySelector(`[data-control=${control}]`)?.closest('button');
      announce(place);
      // The list has gone to its end for another conversation.
      requestAnimationFrame(() => {
        bar.current?.closest('.turn')?.scrollIntoView({ block: 'nearest' });
        button?.focus();
      });
    }
  }, [branches, announce, turn, place]);
  const show = (version: VersionFacts | undefined, control: string): void => {
    if (version === undefined || version.turn === turn) return;
    branches.want(`${control} ${version.turn}`);
    post({ kind: 'showVersion', conversation: version.conversation, turn: version.turn });
  };
  return (
    <div ref={bar} class="versions" role="group" aria-label={l10n.t('Versions of this turn')}>
      <div class="versions-bar">
        <Step
          control="previous"
          name={l10n.t('Previous version')}
          off={at === 0}
          act={() => show(versions[at - 1], 'previous')}
        />
        <span class="versions-place">
          <span aria-hidden="true">{l10n.t('{0} of {1}', at + 1, versions.length)}</span>
          <span class="visually-hidden">{place}</span>
        </span>
        <Step
          control="next"
          name={l10n.t('Next version')}
          off={at === versions.length - 1}
          act={() => show(versions[at + 1], 'next')}
        />
        <button
          type="button"
          class="fold-line versions-fold"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <ChevronIcon />
          <span class="fold-summary">{l10n.t('Compare versions')}</span>
        </button>
      </div>
      <div id={id} class="versions-table" hidden={!open}>
        {open ? <Table own={own} onShow={(version) => show(version, 'row')} /> : null}
      </div>
    </div>
  );
}

interface StepProps {
  readonly control: 'previous' | 'next';
  readonly name: string;
  readonly off: boolean;
  readonly act: () => void;
}

/** At an end it stays where it is, for who goes back and forth. */
function Step({ control, name, off, act }: StepProps): VNode {
  return (
    <IconButton
      name={name}
      disabled={off}
      icon={
        <span class={control} data-control={control}>
          <ChevronIcon />
        </span>
      }
      onPress={act}
    />
  );
}

function Table({ own, onShow }: { own: TurnVersions; onShow: (version: VersionFacts) => void }): VNode {
  const { turn, versions } = own;
  return (
    <table class="figures">
      <caption class="visually-hidden">{l10n.t('Versions of this turn')}</caption>
      <thead>
        <tr>
          <th scope="col">{l10n.t('Time')}</th>
          <th scope="col" title={l10n.t('Tokens of input')}>
            {l10n.t('In')}
          </th>
          <th scope="col" title={l10n.t('Tokens of input that were cached')}>
            {l10n.t('Cached')}
          </th>
          <th scope="col" title={l10n.t('Tokens of reasoning and answer')}>
            {l10n.t('Out')}
          </th>
          <th scope="col">{l10n.t('Cost')}</th>
        </tr>
      </thead>
      {versions.map((version, index) => (
        <Row
          key={version.turn}
          version={version}
          number={index + 1}
          shown={turn}
          onShow={() => onShow(version)}
        />
      ))}
    </table>
  );
}

interface RowProps {
  readonly version: VersionFacts;
  /** From 1. */
  readonly number: number;
  /** The turn that is shown. */
  readonly shown: string;
  readonly onShow: () => void;
}

function Row({ version, number, shown, onShow }: RowProps): VNode {
  const { post } = useEnv();
  const prices = usePrices();
  const isShown = version.turn === shown;
  const running = version.end === undefined;
  const elapsed = useElapsed(version.startedAt, running);
  const sum = prices === undefined ? undefined : sumOf(version.requests, prices);
  const { tokens } = sum ?? {};
  const state = stateText(version, isShown);
  const name = `${number}${dot}${askedWith(version)}`;
  return (
    <tbody class={isShown ? 'shown' : ''}>
      <tr>
        <th scope="rowgroup" colSpan={5}>
          <div class="versions-row">
            <button
              type="button"
              class="text-button"
              {...(isShown && { 'data-control': 'row' })}
              aria-current={isShown}
              aria-label={l10n.t('Show version {0}: {1}', number, askedWith(version))}
              onClick={onShow}
            >
              {name}
            </button>
            {state === undefined ? null : <span class="quiet">{state}</span>}
            {isShown || version.removed === true ? null : (
              <button
                type="button"
                class="text-button"
                aria-label={l10n.t('Compare answers with version {0}', number)}
                onClick={() => post({ kind: 'compareVersions', turn: version.turn, with: shown })}
              >
                {l10n.t('Compare answers')}
              </button>
            )}
          </div>
        </th>
      </tr>
      <tr>
        <td>{duration(running ? elapsed : (version.endedAt ?? version.startedAt) - version.startedAt)}</td>
        <Count tokens={sum?.told === 0 ? undefined : tokens?.input} />
        <Count tokens={sum?.told === 0 ? undefined : tokens?.cached} />
        <Count tokens={sum?.told === 0 ? undefined : tokens?.output} />
        <td>{(sum && costText(sum)) ?? '–'}</td>
      </tr>
    </tbody>
  );
}

function Count({ tokens }: { tokens: number | undefined }): VNode {
  return tokens === undefined ? <td>–</td> : <td title={exactCount(tokens)}>{shortCount(tokens)}</td>;
}

/** Undefined where there is nothing to be said: it was answered. */
function stateText({ end, removed }: VersionFacts, isShown: boolean): string | undefined {
  if (removed === true) return l10n.t('deleted');
  switch (end) {
    case 'stopped':
      return l10n.t('stopped');
    case 'incomplete':
      return l10n.t('ended early');
    case 'failed':
      return l10n.t('failed');
    case 'completed':
      return isShown ? l10n.t('shown') : undefined;
    default:
      return l10n.t('answering');
  }
}
