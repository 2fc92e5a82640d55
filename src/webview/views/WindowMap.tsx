/** What fills the context window, as a bar and row by row, each with the way to leave it out. */
import type { VNode } from 'preact';
import type { Turn } from '../../core/conversation/conversation.ts';
import type { ContextFacts } from '../../core/cost/facts.ts';
import type { ToHost } from '../../protocol/toHost.ts';
import type { LeftOut, RoomOffer } from '../../protocol/toWebview.ts';
import { freesText, roomLabel } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { exactCount, shortCount } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { fileName, mapRows, type MapRow } from '../windowMap.ts';
import { Fold } from './Fold.tsx';
import { useArmed, useKept } from './hooks.ts';

export interface WindowMapProps {
  readonly context: ContextFacts;
  readonly offers: readonly RoomOffer[];
  readonly leftOut: LeftOut | undefined;
  readonly turns: readonly Turn[];
}

export function WindowMap({ context, offers, leftOut, turns }: WindowMapProps): VNode {
  const { post } = useEnv();
  const rows = mapRows(context, offers, turns.at(-1)?.end === undefined && turns.length > 0);
  // The second half of a double click must not leave out what the first half made the next.
  const armed = useArmed(
    offers.map(({ what, turns: count, files = [] }) => `${what} ${count} ${files.length}`).join(),
    true,
  );
  const act = (intent: ToHost): void => armed(() => post(intent))();
  return (
    <>
      <Bar rows={rows} window={context.window} />
      <ul class="window-map">
        {rows.map((row) => (
          <li key={row.kind}>
            <Row row={row} context={context} onDrop={(what) => act({ kind: 'makeRoom', what })} />
            {row.offer?.files === undefined ? null : (
              <Files
                offer={row.offer}
                context={context}
                turns={turns}
                onDrop={(turn, file) => act({ kind: 'leaveOutFile', turn, file })}
              />
            )}
          </li>
        ))}
      </ul>
      {leftOut === undefined ? null : (
        <p class="left-out-line">
          <span title={exactCount(leftOut.tokens)}>
            {leftOut.turns === 1
              ? l10n.t('Something of 1 turn is left out, about {0} tokens.', shortCount(leftOut.tokens))
              : l10n.t(
                  'Something of {0} turns is left out, about {1} tokens.',
                  exactCount(leftOut.turns),
                  shortCount(leftOut.tokens),
                )}
          </span>{' '}
          <button type="button" class="text-button" onClick={() => act({ kind: 'takeBackCuts' })}>
            {l10n.t('Put all of it back')}
          </button>
        </p>
      )}
    </>
  );
}

/** Decoration: the rows below say the same in figures. */
function Bar({ rows, window }: { rows: readonly MapRow[]; window: number }): VNode {
  const all = Math.max(
    window,
    rows.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  const starts = rows.map((_, index) => rows.slice(0, index).reduce((sum, { tokens }) => sum + tokens, 0));
  return (
    <svg class="window-bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-room" x="0" y="0" width="1000" height="8" />
      {rows.map(({ kind, tokens }, index) => (
        <rect
          key={kind}
          class={`fill-${kind}`}
          x={((starts[index] ?? 0) / all) * 1000}
          y="0"
          // A little is to be seen, too.
          width={Math.max(2, (tokens / all) * 1000)}
          height="8"
        />
      ))}
    </svg>
  );
}

interface RowProps {
  readonly row: MapRow;
  readonly context: ContextFacts;
  readonly onDrop: (what: RoomOffer['what']) => void;
}

function Row({ row: { kind, name, tokens, offer, why }, context, onDrop }: RowProps): VNode {
  const { hostNow } = useEnv();
  return (
    <div class="map-row">
      <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true">
        <rect class={`fill-${kind}`} x="0" y="0" width="8" height="8" rx="2" />
      </svg>
      <span class="map-name">{name}</span>
      <span class="map-tokens" title={exactCount(tokens)}>
        {shortCount(tokens)}
      </span>
      {offer === undefined ? null : (
        <DropButton name={roomLabel(offer.what, offer.turns)} onDrop={() => onDrop(offer.what)} />
      )}
      <span class="map-note">
        {offer === undefined ? why : freesText(offer, context.cacheUntil, hostNow())}
      </span>
    </div>
  );
}

interface FilesProps {
  readonly offer: RoomOffer;
  readonly context: ContextFacts;
  readonly turns: readonly Turn[];
  readonly onDrop: (turn: string, file: number) => void;
}

function Files({ offer, context, turns, onDrop }: FilesProps): VNode | null {
  const { files = [] } = offer;
  const { hostNow } = useEnv();
  const [open, setOpen] = useKept(offer.what === 'rules' ? 'window rules' : 'window files', false);
  const named = files.flatMap((file) => {
    const name = fileName(file, turns);
    return name === undefined ? [] : [{ file, name }];
  });
  if (named.length === 0) return null;
  return (
    <Fold
      className="map-files"
      open={open}
      onToggle={() => setOpen(!open)}
      summary={named.length === 1 ? l10n.t('1 attachment') : l10n.t('The {0} largest', named.length)}
    >
      <ul>
        {named.map(({ file, name }) => (
          <li key={`${file.turn} ${file.index}`} class="map-row">
            <span class="map-name map-file" dir="auto">
              {name}
            </span>
            <span class="map-tokens" title={exactCount(file.tokens)}>
              {shortCount(file.tokens)}
            </span>
            <DropButton name={l10n.t('Leave out {0}', name)} onDrop={() => onDrop(file.turn, file.index)} />
            <span class="map-note">{freesText(file, context.cacheUntil, hostNow())}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** `name` says what is left out, for those who do not see the row. */
function DropButton({ name, onDrop }: { name: string; onDrop: () => void }): VNode {
  return (
    <button type="button" class="text-button map-drop" aria-label={name} title={name} onClick={onDrop}>
      {l10n.t('Leave out')}
    </button>
  );
}
