/** Where the question is written: chips, text, and one row of small controls. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { modelRow, models, type Effort } from '../../core/conversation/conversation.ts';
import type { SpendingFacts } from '../../core/cost/facts.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import { forecastShort, isDear } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { keyMeaning, readKey } from '../keys.ts';
import { l10n } from '../l10n.ts';
import type { DearStep } from '../store.ts';
import type { Activity } from '../turnFacts.ts';
import { Chips } from './Chips.tsx';
import { Confirm } from './Confirm.tsx';
import { AddIcon, DownIcon, SendIcon, StopIcon } from './icons.tsx';

export interface ComposerProps {
  readonly panel: PanelState;
  readonly draft: string;
  /** What the running turn does; undefined when none runs. */
  readonly activity: Activity | undefined;
  /** Nothing is going on but a patch that waits: the next question can be asked. */
  readonly waits: boolean;
  /** Grows by one each time the cursor must come here. */
  readonly focused: number;
  /** Grows by one each time the model picker is pointed out. */
  readonly modelFocused: number;
  /** What is dearer than the person wants without being asked. */
  readonly confirm: DearStep | undefined;
  readonly onAgreed: () => void;
  readonly onDeclined: () => void;
  readonly onDraft: (text: string) => void;
  readonly onSend: (text: string) => void;
}

/** Why the text was not sent; it is about the moment in which it was given. */
interface Hint {
  readonly sentence: string;
  readonly draft: string;
  readonly running: boolean;
}

export function Composer(props: ComposerProps): VNode {
  const { panel, draft, activity, waits, focused, modelFocused, onDraft, onSend } = props;
  const { confirm, onAgreed, onDeclined } = props;
  const { post, announce } = useEnv();
  const field = useRef<HTMLTextAreaElement>(null);
  const model = useRef<HTMLSelectElement>(null);
  const compositionRef = useRef({ open: false, endedAt: -Infinity });
  const [hint, setHint] = useState<Hint | undefined>();
  const running = activity !== undefined;
  const { spending } = panel;
  const dear =
    draft.trim() !== '' && !running && spending !== undefined && isDear(spending) ? spending : undefined;

  useEffect(() => {
    if (focused === 0) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [focused]);
  useEffect(() => {
    if (modelFocused > 0) model.current?.focus();
  }, [modelFocused]);
  useLayoutEffect(() => grow(field.current), [draft]);

  const stop = (): void => post({ kind: 'stop' });
  const send = (): void => {
    // The field itself: what was typed since the last drawing counts.
    const text = field.current?.value ?? draft;
    const reason = whyNot(panel, text, waits ? undefined : activity);
    if (reason === undefined) onSend(text);
    if (reason === undefined || reason === '') return;
    setHint({ sentence: reason, draft: text, running });
    announce(reason);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { open, endedAt } = compositionRef.current;
    const sinceComposition = event.timeStamp - endedAt;
    const meaning = keyMeaning(readKey(event), { composing: open, sinceComposition, running });
    if (meaning === 'text') return;
    event.preventDefault();
    if (meaning === 'send') send();
    else stop();
  };

  return (
    <div class="composer">
      <div class="composer-box">
        <Chips attachments={panel.attachments} />
        <textarea
          ref={field}
          class="composer-text"
          rows={1}
          dir="auto"
          aria-label={l10n.t('Question')}
          placeholder={l10n.t('Ask about your code')}
          value={draft}
          onInput={(event) => onDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onCompositionStart={() => {
            compositionRef.current.open = true;
          }}
          onCompositionEnd={(event) => {
            compositionRef.current = { open: false, endedAt: event.timeStamp };
          }}
        />
        {confirm === undefined ? null : (
          <Confirm
            asked={confirm.asked}
            next={confirm.next}
            confirmAbove={panel.spending?.limits.confirmAbove}
            onSend={onAgreed}
            onCancel={onDeclined}
          />
        )}
        <div class="composer-row">
          <button
            type="button"
            class="icon-button"
            aria-label={l10n.t('Attach the active editor')}
            title={l10n.t('Attach the active editor')}
            onClick={() => post({ kind: 'attachActive' })}
          >
            <AddIcon />
          </button>
          <ModelPicker panel={panel} picker={model} />
          <EffortPicker panel={panel} />
          <PatchModePicker panel={panel} />
          <span class="spacer" />
          {dear === undefined ? null : <span class="dear">{forecastShort(dear.next)}</span>}
          {running && !(waits && draft.trim() !== '') ? (
            <button
              type="button"
              class="icon-button stop"
              aria-label={l10n.t('Stop')}
              title={l10n.t('Stop (Escape)')}
              onClick={stop}
            >
              <StopIcon />
            </button>
          ) : (
            <button
              type="button"
              class="icon-button send"
              aria-label={l10n.t('Send')}
              title={sendTitle(waits, draft.trim() === '' ? undefined : panel.spending)}
              aria-disabled={draft.trim() === ''}
              onClick={send}
            >
              <SendIcon />
            </button>
          )}
        </div>
      </div>
      {hint?.draft === draft && hint.running === running ? <p class="hint">{hint.sentence}</p> : null}
    </div>
  );
}

/** With what the question will cost, as far as that can be told. */
function sendTitle(waits: boolean, spending: SpendingFacts | undefined): string {
  const action = waits ? l10n.t('Send, and decide on the patch later (Enter)') : l10n.t('Send (Enter)');
  return spending === undefined ? action : `${action}\n${forecastShort(spending.next)}`;
}

/** Why the text can't be sent now, as a sentence; empty when there is nothing to send; undefined when it can. */
function whyNot(panel: PanelState, draft: string, activity: Activity | undefined): string | undefined {
  if (draft.trim() === '') return '';
  if (activity?.kind === 'reviewing') return l10n.t('Accept or reject the patch, or stop, to send this.');
  if (activity !== undefined) return l10n.t('Stop or wait for the answer to send this.');
  if (panel.key === 'missing') return l10n.t('Set the API key to send this. The text stays here.');
  return undefined;
}

/** For browsers whose style sheets can't say that a field is as high as its text. */
function grow(field: HTMLTextAreaElement | null): void {
  if (field === null || CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}

function ModelPicker({
  panel,
  picker,
}: {
  panel: PanelState;
  picker: { current: HTMLSelectElement | null };
}): VNode {
  const { post } = useEnv();
  return (
    <Picker
      picker={picker}
      className="picker-model"
      name={l10n.t('Model')}
      title={l10n.t('Model: {0}', modelRow(panel.model)?.label ?? panel.model)}
      value={panel.model}
      options={models.map((row) => ({ value: row.id, label: row.label }))}
      onPick={(value) => post({ kind: 'setModel', model: value })}
    />
  );
}

function EffortPicker({ panel }: { panel: PanelState }): VNode {
  const { post } = useEnv();
  const row = modelRow(panel.model);
  const efforts = row?.efforts ?? [panel.effort];
  const only = efforts.length === 1 ? efforts[0] : undefined;
  return (
    <Picker
      name={l10n.t('Reasoning effort')}
      title={
        only === undefined
          ? l10n.t('Reasoning effort. Max thinks longest and costs most.')
          : l10n.t('{0} always reasons at {1}', row?.label ?? panel.model, effortName(only))
      }
      value={only ?? panel.effort}
      options={efforts.map((effort) => ({ value: effort, label: effortName(effort) }))}
      onPick={(value) => post({ kind: 'setEffort', effort: value })}
      disabled={only !== undefined}
    />
  );
}

function PatchModePicker({ panel }: { panel: PanelState }): VNode {
  const { post } = useEnv();
  return (
    <Picker
      name={l10n.t('Patches')}
      title={
        panel.patchMode === 'ask'
          ? l10n.t('Patches wait until you accept them')
          : l10n.t('Patches are written at once, and can be taken back')
      }
      value={panel.patchMode}
      options={[
        { value: 'ask', label: l10n.t('Ask first') },
        { value: 'acceptAutomatically', label: l10n.t('At once') },
      ]}
      onPick={(mode) => {
        if (mode === 'ask' || mode === 'acceptAutomatically') post({ kind: 'setPatchMode', mode });
      }}
    />
  );
}

function effortName(effort: Effort): string {
  switch (effort) {
    case 'low':
      return l10n.t('Low');
    case 'high':
      return l10n.t('High');
    case 'max':
      return l10n.t('Max');
  }
}

interface PickerProps {
  readonly name: string;
  readonly title: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onPick: (value: string) => void;
  readonly disabled?: boolean;
  readonly picker?: { current: HTMLSelectElement | null };
  readonly className?: string;
}

function Picker(props: PickerProps): VNode {
  const { name, title, value, options, onPick, disabled, picker, className } = props;
  return (
    <span class={className === undefined ? 'picker' : `picker ${className}`} title={title}>
      <select
        {...(picker !== undefined && { ref: picker })}
        aria-label={name}
        value={value}
        disabled={disabled === true}
        onChange={(event) => onPick(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      <DownIcon />
    </span>
  );
}
