/** The files of a patch, one row each: what is done to it, how it stands, and what can be decided about it alone. */
import type { VNode } from 'preact';
import type {
  FileChangeKind,
  ProposalSummary,
  ProposedFile,
  ToolProgress,
} from '../../core/conversation/conversation.ts';
import { useEnv } from '../env.ts';
import { pathPieces, visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Pieces } from '../markdown/Plain.tsx';
import { changeName, changeSign, hunksText, isUndecided, stateText } from '../patchFacts.ts';
import { pathParts } from '../paths.ts';
import { Folder } from './Folder.tsx';
import { useArmed } from './hooks.ts';
import { IconButton } from './IconButton.tsx';
import { CheckIcon, CloseIcon, WarningIcon } from './icons.tsx';

/** A file of a patch that the model is still writing. */
export function ArrivingRow({ file }: { file: ToolProgress['files'][number] }): VNode {
  return (
    <li class="patch-file">
      <div class="patch-row">
        <span class="patch-open" title={visibleText(file.path)}>
          <Paths path={file.path} change={file.change} />
          <LineCounts added={file.added} removed={file.removed} />
        </span>
      </div>
    </li>
  );
}

export interface FileRowProps {
  readonly proposal: ProposalSummary;
  readonly file: ProposedFile;
  /** It can be accepted and rejected by itself. */
  readonly decides: boolean;
}

export function FileRow({ proposal, file, decides }: FileRowProps): VNode {
  const { post } = useEnv();
  const pending = isUndecided(file);
  const armed = useArmed(`${pending && decides ? 'decides' : 'waits'} ${file.state}`);
  const name = visibleText(file.to === undefined ? file.path : `${file.path} → ${file.to}`);
  const state = stateText(file, proposal);
  const standing = pending ? hunksText(file) : undefined;
  const asksAgain = pending && file.takesSecondYes === true;
  const row = (
    <>
      {pending && !file.seen ? <Unseen /> : null}
      <Paths path={file.path} to={file.to} change={file.change} />
      {state === undefined ? null : <span class={`file-state state-${file.state}`}>{state}</span>}
      <LineCounts added={file.added} removed={file.removed} />
    </>
  );
  return (
    <li class="patch-file">
      <div class="patch-row">
        {pending || file.canTakeBack === true ? (
          <button
            type="button"
            class="patch-open"
            title={
              pending
                ? l10n.t('{0}: {1}. Review the diff', changeName(file.change), name)
                : l10n.t('{0}: {1}. See what was changed', changeName(file.change), name)
            }
            onClick={() => post({ kind: 'review', proposal: proposal.id, file: file.index })}
          >
            {row}
          </button>
        ) : (
          <span class="patch-open" title={`${changeName(file.change)}: ${name}`}>
            {row}
          </span>
        )}
        {pending && decides ? (
          <>
            <IconButton
              name={l10n.t('Accept {0}', name)}
              title={asksAgain ? l10n.t('Accept this file…') : l10n.t('Accept this file')}
              icon={<CheckIcon />}
              onPress={armed(() => post({ kind: 'accept', proposal: proposal.id, file: file.index }))}
            />
            <IconButton
              name={l10n.t('Reject {0}', name)}
              title={l10n.t('Reject this file')}
              icon={<CloseIcon />}
              onPress={armed(() => post({ kind: 'reject', proposal: proposal.id, file: file.index }))}
            />
          </>
        ) : null}
      </div>
      {standing === undefined ? null : <div class="file-note">{standing}</div>}
      {file.note === undefined ? null : (
        <div class={asksAgain ? 'file-note file-guarded' : 'file-note'}>
          {asksAgain ? <WarningIcon /> : null}
          {file.note}
          {pending && file.state === 'conflict' ? (
            <>
              {' '}
              <button
                type="button"
                class="text-button"
                aria-label={l10n.t('Send back to the model: {0}', name)}
                title={l10n.t('Tells the model how the lines are now. Nothing is written')}
                onClick={armed(() => post({ kind: 'reject', proposal: proposal.id, file: file.index }))}
              >
                {l10n.t('Send back to the model')}
              </button>
            </>
          ) : null}
        </div>
      )}
    </li>
  );
}

function Unseen(): VNode {
  const words = l10n.t('Not looked at yet');
  return <span class="unseen" role="img" aria-label={words} title={words} />;
}

interface PathsProps {
  readonly path: string;
  readonly to?: string | undefined;
  readonly change: FileChangeKind;
}

function Paths({ path, to, change }: PathsProps): VNode {
  return (
    <>
      <span class={`change change-${change}`} aria-hidden="true">
        {changeSign(change)}
      </span>
      <span class="paths">
        {to === undefined ? (
          <PathText path={path} />
        ) : (
          <>
            <PathText path={path} old={true} />
            <PathText path={to} arrow={true} />
          </>
        )}
      </span>
    </>
  );
}

function PathText({ path, old, arrow }: { path: string; old?: boolean; arrow?: boolean }): VNode {
  const { folder, name } = pathParts(path);
  return (
    <bdi class={old === true ? 'path path-old' : 'path'} dir="ltr">
      {arrow === true ? <span class="path-arrow">→</span> : null}
      {/* An empty box that hides its overflow would set the baseline of the whole row. */}
      {folder === '' ? null : <Folder className="path-folder" pieces={pathPieces(folder)} />}
      <span class="path-name">
        <Pieces pieces={pathPieces(name)} />
      </span>
    </bdi>
  );
}

export function LineCounts({ added, removed }: { added: number; removed: number }): VNode {
  return (
    <span
      class="line-counts"
      aria-label={l10n.t('Lines added: {0}, removed: {1}', added, removed)}
      role="img"
    >
      {added > 0 ? <span class="added">+{added}</span> : null}
      {removed > 0 ? <span class="removed">−{removed}</span> : null}
    </span>
  );
}
