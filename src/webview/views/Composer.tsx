/** Where the question is written: chips, text, and one row of small controls. */
import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { PanelState, QueueFacts } from '../../protocol/toWebview.ts';
import { interruptKeyName, plainPasteKey, sendKeyName } from '../askKey.ts';
import { forecastShort, isDear } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { arrowOf, isPlainPaste, keyMeaning, readKey } from '../keys.ts';
import { plainMoney } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { pasteOf } from '../pasting.ts';
import { recall, type Recalled } from '../recall.ts';
import { isRetyped, retype } from '../retype.ts';
import { elsewhereText, momentOf, sendTitle, whyNot } from '../sendingText.ts';
import type { Completions, DearStep, WeighedChoice } from '../store.ts';
import { losesCache, maxText } from '../switchText.ts';
import type { Activity } from '../turnFacts.ts';
import { TypedText } from '../typedText.ts';
import { Attached } from './Along.tsx';
import { CompletionList, rowId } from './CompletionList.tsx';
import { EffortPicker, ModelPicker, PatchModePicker, type Wanted } from './ComposerPickers.tsx';
import { Confirm } from './Confirm.tsx';
import { growField } from './growField.ts';
import { useComposition } from './hooks.ts';
import { IconButton } from './IconButton.tsx';
import { AddIcon, InterruptIcon, SendIcon, StopIcon } from './icons.tsx';
import { Queued } from './Queued.tsx';
import { Switch } from './Switch.tsx';
import { useCompletion } from './useCompletion.ts';
import { useDrop } from './useDrop.ts';
import { WebSearchNote, WebSearchSwitch } from './WebSearch.tsx';

export interface ComposerProps {
  readonly panel: PanelState;
  readonly draft: string;
  /** What the running turn does; undefined when none runs. */
  readonly activity: Activity | undefined;
  /** Nothing is going on but what waits for the person, a patch or a question: the next question can be asked. */
  readonly waits: boolean;
  /** Grows by one each time the cursor must come here. */
  readonly focused: number;
  /** Grows by one each time the model picker is pointed out. */
  readonly modelFocused: number;
  /** As `modelFocused`, for the picker of the effort. */
  readonly effortFocused: number;
  readonly conversation: Conversation;
  readonly queue: QueueFacts;
  /** What was asked before, the newest last. */
  readonly asked: readonly string[];
  /** What another model or effort would cost, as it was asked about last. */
  readonly choice: WeighedChoice | undefined;
  /** What can be named with what is being typed, as it was told last. */
  readonly completions: Completions | undefined;
  /** What is dearer than the person wants without being asked. */
  readonly confirm: DearStep | undefined;
  readonly onAgreed: () => void;
  readonly onDeclined: () => void;
  /** What looks secret in the question, where that has to be decided about. */
  readonly secrets: VNode | null;
  /** `composing`: an input method is at work in it. */
  readonly onDraft: (text: string, composing?: boolean) => void;
  /** `interrupt`: the answer is stopped for it. */
  readonly onSend: (text: string, interrupt?: boolean) => void;
}

/** Why the text was not sent; it is about the moment in which it was given. */
interface Hint {
  readonly sentence: string;
  readonly draft: string;
  readonly running: boolean;
}

export function Composer(props: ComposerProps): VNode {
  const { panel, draft, activity, waits, focused, modelFocused, onSend } = props;
  const { confirm, onAgreed, onDeclined, conversation, queue, asked, choice, effortFocused } = props;
  const { post, announce } = useEnv();
  const field = useRef<HTMLTextAreaElement>(null);
  const model = useRef<HTMLSelectElement>(null);
  const effort = useRef<HTMLSelectElement>(null);
  const recalledRef = useRef<Recalled | undefined>(undefined);
  const plainPasteRef = useRef(false);
  const waitsToSendRef = useRef(false);
  const [wanted, setWanted] = useState<Wanted | undefined>();
  const [maxPicked, setMaxPicked] = useState(false);
  const composition = useComposition();
  const [typedText] = useState(() => new TypedText());
  const onDraft = (text: string, composing?: boolean): void => {
    typedText.typed(text, draft);
    props.onDraft(text, composing);
  };
  const [hint, setHint] = useState<Hint | undefined>();
  const running = activity !== undefined;
  const { spending, sendKey = 'enter' } = panel;
  const moment = momentOf(activity, waits);
  const isEmpty = draft.trim() === '';
  /** There is something to be sent, and an answer that could be stopped for it. */
  const isInterruptable = running && !waits && !isEmpty && panel.elsewhere === undefined;
  const sendKeyText = sendKeyName(navigator.userAgent, sendKey);
  const next =
    choice?.model === wanted?.model && choice?.effort === wanted?.effort ? choice?.next : undefined;
  const dear = !isEmpty && !running && spending !== undefined && isDear(spending) ? spending : undefined;

  useEffect(() => {
    if (focused === 0) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [focused]);
  useEffect(() => {
    if (modelFocused > 0) model.current?.focus();
  }, [modelFocused]);
  useEffect(() => {
    if (effortFocused > 0) effort.current?.focus();
  }, [effortFocused]);
  useLayoutEffect(() => growField(field.current), [draft]);
  // What was about to be switched was meant for the conversation that was shown.
  useEffect(() => setWanted(undefined), [conversation.id]);

  const elsewhere = elsewhereText(panel);
  const stop = (): void => {
    if (elsewhere === undefined) post({ kind: 'stop' });
    else tell(elsewhere);
  };
  const send = (interrupt = false): void => {
    // A picture that was pasted just before goes with it.
    const reading = drop.reading();
    if (reading !== undefined) {
      if (!waitsToSendRef.current) {
        waitsToSendRef.current = true;
        tell(l10n.t('This is sent as soon as what you attached is read.'));
        void reading.then(() => {
          waitsToSendRef.current = false;
          send(interrupt);
        });
      }
      return;
    }
    // The field itself: what was typed since the last drawing counts.
    const text = field.current?.value ?? draft;
    const reason = whyNot(panel, text, running && !waits && !interrupt);
    if (reason === undefined) {
      setMaxPicked(false);
      typedText.forget();
      // It stands there until it is taken: who types on types behind it, wherever the cursor was, and keeps that.
      field.current?.setSelectionRange(text.length, text.length);
      onSend(text, interrupt);
    }
    if (reason === undefined || reason === '') return;
    setHint({ sentence: reason, draft: text, running });
    announce(reason);
  };
  const completion = useCompletion({ field, completions: props.completions, onDraft, onEnter: () => send() });
  const listId = useId();
  const list = completion.shown;
  const tell = (sentence: string): void => {
    setHint({ sentence, draft: field.current?.value ?? draft, running });
    announce(sentence);
  };
  const drop = useDrop(tell, () => field.current?.focus());
  const recallInto = (arrow: 'back' | 'forth'): boolean => {
    const element = field.current;
    if (element === null) return false;
    const { value: text, selectionStart: start, selectionEnd: end } = element;
    const found = recall(arrow, { text, start, end }, asked, recalledRef.current);
    if (found === undefined) return false;
    recalledRef.current = found;
    retype(element, found.text, found.caret);
    onDraft(found.text);
    return true;
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const editorData = event.clipboardData?.getData('vscode-editor-data') ?? '';
    const files = [...(event.clipboardData?.files ?? [])];
    const names = files.map(({ name }) => name);
    const paste = pasteOf({ text, editorData, plain: plainPasteRef.current, files: names });
    plainPasteRef.current = false;
    if (paste.kind === 'text') return;
    event.preventDefault();
    if (paste.kind === 'files') {
      void drop.attach(files.map((file) => ({ file })));
      return;
    }
    const { languageId } = paste;
    post({ kind: 'paste', text, ...(languageId !== undefined && { languageId }) });
    announce(
      l10n.t(
        'Attached what you pasted. Paste with {0} to have it as text.',
        plainPasteKey(navigator.userAgent),
      ),
    );
  };
  const take = ({ model: id, effort: level, picker }: Wanted): void => {
    if (picker === 'model') post({ kind: 'setModel', model: id });
    else post({ kind: 'setEffort', effort: level });
    setMaxPicked(level === 'max' && picker === 'effort');
  };
  const pick = (one: Wanted): void => {
    const same = one.model === panel.model && one.effort === panel.effort;
    if (same) setWanted(undefined);
    else if (losesCache(conversation.turns.length > 0, spending?.next)) {
      post({ kind: 'weighChoice', model: one.model, effort: one.effort });
      setWanted(one);
    } else take(one);
  };
  /** It is switched, or not: back to where it was picked. */
  const settle = ({ picker }: Wanted): void => {
    setWanted(undefined);
    (picker === 'model' ? model : effort).current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const press = readKey(event);
    const typing = { ...composition.at(event), running, sendKey };
    plainPasteRef.current = isPlainPaste(press);
    if (completion.takesKey(press, typing)) {
      event.preventDefault();
      // Escape would go on to what stands around.
      event.stopPropagation();
      return;
    }
    if (press.key === 'Escape' && props.secrets !== null && !composition.takes(event)) {
      // It did not take the cursor, so the key comes here.
      event.preventDefault();
      event.stopPropagation();
      onDeclined();
      return;
    }
    const arrow = arrowOf(press, typing);
    if (arrow !== undefined && recallInto(arrow)) {
      event.preventDefault();
      return;
    }
    const meaning = keyMeaning(press, typing);
    if (meaning === 'text') return;
    event.preventDefault();
    if (meaning === 'stop') stop();
    else send(meaning === 'interrupt');
  };

  return (
    <div class="composer">
      <Queued queue={queue} moment={moment} draft={() => field.current?.value ?? draft} />
      {drop.isOver ? (
        <div class="drop-zone" aria-hidden="true">
          <p>{l10n.t('Drop to attach')}</p>
        </div>
      ) : null}
      <div class="composer-box">
        {list === undefined ? null : (
          <CompletionList id={listId} list={list} onTake={(item) => completion.take(item)} />
        )}
        <Attached along={panel.along} attachments={panel.attachments} />
        <textarea
          ref={field}
          class="composer-text"
          rows={1}
          dir="auto"
          aria-label={l10n.t('Question')}
          placeholder={
            sendKey === 'enter'
              ? l10n.t('Ask about your code')
              : l10n.t('Ask about your code, send with {0}', sendKeyText)
          }
          value={typedText.shown(draft)}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          {...(list !== undefined &&
            list.items.length > 0 && {
              'aria-controls': listId,
              'aria-activedescendant': rowId(listId, list.active),
            })}
          onInput={(event) => {
            onDraft(event.currentTarget.value, event.isComposing);
            // What an input method has not settled yet names nothing.
            if (!event.isComposing && !isRetyped(event.currentTarget)) completion.typed();
          }}
          onSelect={() => completion.cursorMoved()}
          onBlur={() => completion.close()}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          {...composition.handlers}
          onCompositionEnd={(event) => {
            composition.handlers.onCompositionEnd(event);
            onDraft(event.currentTarget.value);
            completion.typed();
          }}
        />
        {props.secrets}
        {confirm === undefined ? null : (
          <Confirm
            asked={confirm.asked}
            next={confirm.next}
            confirmAbove={panel.spending?.limits.confirmAbove}
            onSend={onAgreed}
            onCancel={onDeclined}
          />
        )}
        {wanted === undefined || spending === undefined ? null : (
          <Switch
            facts={{ ...wanted, now: spending.next, next }}
            onSwitch={() => {
              take(wanted);
              settle(wanted);
            }}
            onKeep={() => settle(wanted)}
          />
        )}
        <div class={isInterruptable ? 'composer-row crowded' : 'composer-row'}>
          <IconButton
            name={l10n.t('Attach the active editor')}
            icon={<AddIcon />}
            onPress={() => post({ kind: 'attachActive' })}
          />
          <ModelPicker panel={panel} picker={model} wanted={wanted} onPick={pick} />
          <EffortPicker panel={panel} picker={effort} wanted={wanted} onPick={pick} />
          <PatchModePicker panel={panel} />
          <WebSearchSwitch panel={panel} />
          <span class="spacer" />
          {dear === undefined ? null : <span class="dear">{forecastShort(dear.next)}</span>}
          <span class="composer-go">
            {running && (isEmpty || !waits) ? (
              <IconButton
                className="stop"
                name={l10n.t('Stop')}
                title={elsewhere ?? l10n.t('Stop (Escape)')}
                disabled={elsewhere !== undefined}
                icon={<StopIcon />}
                onPress={stop}
              />
            ) : null}
            {isInterruptable ? (
              <IconButton
                className="interrupt"
                name={l10n.t('Interrupt and send')}
                title={l10n.t(
                  'Stop the answer and send this now ({0})',
                  interruptKeyName(navigator.userAgent, sendKey),
                )}
                icon={<InterruptIcon />}
                onPress={() => send(true)}
              />
            ) : null}
            {running && isEmpty ? null : (
              <IconButton
                className="send"
                name={running && !waits ? l10n.t('Queue') : l10n.t('Send')}
                title={elsewhere ?? sendTitle(moment, sendKeyText, isEmpty ? undefined : spending)}
                disabled={isEmpty || elsewhere !== undefined}
                icon={<SendIcon />}
                onPress={() => send()}
              />
            )}
          </span>
        </div>
      </div>
      <WebSearchNote panel={panel} />
      {maxPicked && panel.effort === 'max' ? (
        <p class="hint">
          {spending === undefined
            ? maxText()
            : l10n.flow(
                maxText(),
                l10n.t('About {0} for the next question.', plainMoney(spending.next.money.likely)),
              )}
        </p>
      ) : null}
      {hint?.draft === draft && hint.running === running ? <p class="hint">{hint.sentence}</p> : null}
    </div>
  );
}
