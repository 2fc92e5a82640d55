/** Attachments as small labels: what they name opens on a click; in the composer they can be taken off. */
import type { VNode } from 'preact';
import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import { useEnv } from '../env.ts';
import { exactCount, shortCount } from '../figures.ts';
import { visiblePieces, visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { chipParts } from '../paths.ts';
import { Folder } from './Folder.tsx';
import { IconButton } from './IconButton.tsx';
import { CloseIcon, InsertIcon } from './icons.tsx';
import { KindIcon } from './KindIcon.tsx';

export interface ChipsProps {
  readonly attachments: readonly AttachmentSummary[];
  /** The turn in whose question they stand; absent in the composer, where they can be removed. */
  readonly turn?: string;
  /** Given where a chip of a turn's question can be taken off. */
  readonly onRemove?: (attachment: string) => void;
  /** They stand in a question that is queued: they can be opened and no more. */
  readonly queued?: true;
  /** What the list is called, when that is not what was attached. */
  readonly label?: string;
}

export function Chips({ attachments, turn, onRemove, queued, label }: ChipsProps): VNode | null {
  if (attachments.length === 0) return null;
  return (
    <ul class="chips" aria-label={label ?? l10n.t('Attached')}>
      {attachments.map((attachment) => (
        <Chip
          key={attachment.id}
          attachment={attachment}
          {...(turn !== undefined && { turn })}
          {...(onRemove !== undefined && { onRemove })}
          {...(queued !== undefined && { queued })}
        />
      ))}
    </ul>
  );
}

interface ChipProps extends Omit<ChipsProps, 'attachments' | 'label'> {
  readonly attachment: AttachmentSummary;
}

function Chip({ attachment, turn, onRemove, queued }: ChipProps): VNode {
  const { post } = useEnv();
  const { folder, name, place } = labelOf(attachment);
  const { tokens } = attachment;
  const label = `${folder}${name}${place === undefined ? '' : ` ${place}`}`;
  const isDraft = turn === undefined && queued !== true;
  return (
    <li class="chip">
      <button
        type="button"
        class="chip-open"
        // What is seen of it is part of its name; its description has the tokens in full.
        aria-label={[visibleText(label), ...(tokens === undefined ? [] : [shortCount(tokens)])].join(' ')}
        title={chipTitle(attachment)}
        onClick={() =>
          post({ kind: 'openAttachment', attachment: attachment.id, ...(turn !== undefined && { turn }) })
        }
      >
        {/* A command of ours has the slash in its name. */}
        {isCommand(attachment) ? null : <KindIcon kind={attachment.kind} />}
        <span
          class={isPath(attachment) ? 'chip-label chip-path' : 'chip-label'}
          dir={isPlace(attachment) ? 'ltr' : 'auto'}
        >
          {folder === '' ? null : <Folder className="chip-folder" pieces={visiblePieces(folder)} />}
          <span class="chip-name">
            <Plain text={name} />
          </span>
          {/* The blanks are not seen, and part the words for those who hear them. */}
          {place === undefined ? null : ' '}
          {place === undefined ? null : (
            <span class="chip-place">
              <Plain text={place} />
            </span>
          )}
        </span>
        {tokens === undefined ? null : ' '}
        {tokens === undefined ? null : <span class="chip-tokens">{shortCount(tokens)}</span>}
      </button>
      {isDraft && attachment.kind === 'pasted' ? (
        <IconButton
          className="chip-remove"
          name={l10n.t('Insert {0} as text', visibleText(label))}
          title={l10n.t('Insert as text')}
          icon={<InsertIcon />}
          onPress={() => post({ kind: 'attachmentAsText', attachment: attachment.id })}
        />
      ) : null}
      {isDraft || onRemove !== undefined ? (
        <IconButton
          className="chip-remove"
          name={l10n.t('Remove {0}', visibleText(label))}
          title={l10n.t('Remove')}
          icon={<CloseIcon />}
          onPress={() => {
            if (onRemove !== undefined) onRemove(attachment.id);
            else post({ kind: 'removeAttachment', attachment: attachment.id });
          }}
        />
      ) : null}
    </li>
  );
}

interface Label {
  /** With its final slash; empty where there is none to show. */
  readonly folder: string;
  readonly name: string;
  /** Where that is, behind it. */
  readonly place?: string;
}

function labelOf(attachment: AttachmentSummary): Label {
  const { path, range, name, changed, digest } = attachment;
  if (!isPlace(attachment)) return { folder: '', name: path };
  const parts = chipParts(path, range);
  if (changed === true) {
    return { ...parts, place: digest === '' ? l10n.t('(removed)') : l10n.t('(changed)') };
  }
  return name === undefined ? parts : { folder: '', name, place: parts.name };
}

function isCommand({ kind, path }: AttachmentSummary): boolean {
  return kind === 'prompt' && path.startsWith('/');
}

/** Whether its path is one; of others it says in words what they are. */
function isPlace(attachment: AttachmentSummary): boolean {
  const { kind, range } = attachment;
  switch (kind) {
    case 'file':
    case 'selection':
    case 'symbol':
    case 'image':
    case 'instructions':
      return true;
    case 'pasted':
      return range !== undefined;
    case 'folder':
    case 'problems':
    case 'diff':
    case 'terminal':
    case 'summary':
      return false;
    case 'prompt':
      // One of ours is called as it is typed: `/fix`.
      return !isCommand(attachment);
  }
}

/** Whether it is written as paths are: a person's own instructions are named in words. */
function isPath(attachment: AttachmentSummary): boolean {
  return isPlace(attachment) && !attachment.uri.startsWith('kimi-prompt:');
}

function chipTitle({ path, range, tokens }: AttachmentSummary): string {
  const open = openText(visibleText(path), range);
  return tokens === undefined ? open : `${open}\n${l10n.t('About {0} tokens', exactCount(tokens))}`;
}

function openText(path: string, range: AttachmentSummary['range']): string {
  if (range === undefined) return l10n.t('Open {0}', path);
  return range.from === range.to
    ? l10n.t('Open {0}, line {1}', path, range.from)
    : l10n.t('Open {0}, lines {1} to {2}', path, range.from, range.to);
}
