/** Starts the panel: listens to the host, folds what it says, draws once a frame. */
import { render } from 'preact';
import type { DearIntent } from '../protocol/toHost.ts';
import { Announcer } from './announcer.ts';
import { BranchActions } from './branches.ts';
import { DraftKeeper } from './draftKeeper.ts';
import { EnvContext, ReadingContext, type Env } from './env.ts';
import { connectHost } from './host.ts';
import { keepFocus } from './keepFocus.ts';
import { isFindKey } from './find/findKey.ts';
import { l10n, readBundle } from './l10n.ts';
import { ReadingPlaces } from './readingPlaces.ts';
import { retype } from './retype.ts';
import {
  apply,
  askedAgain,
  composed,
  firstState,
  heardAt,
  hostNow,
  inQuestion,
  isFromHost,
  isLongToSave,
  onlyStill,
  toSave,
  waitedTooLong,
  withDraft,
  withoutConfirm,
  withoutNotice,
  withSent,
  type Effect,
  type State,
} from './store.ts';
import { selectAllByKey } from './selectAllKey.ts';
import { isAlone } from './turnFacts.ts';
import { App } from './views/App.tsx';

/** Milliseconds after which a host that did not answer is named as the trouble. */
const patience = 5000;
/** Milliseconds for which what is kept of the page may be behind. */
const saveInterval = 300;

function start(root: HTMLElement): void {
  l10n.use(readBundle(root.dataset['l10n']), root.dataset['locale'] ?? 'en');
  const host = connectHost();
  const live = liveRegion();
  const announcer = new Announcer({
    say: (sentences) => live.say(sentences),
    now: () => performance.now(),
    later,
  });
  const keeper = new DraftKeeper({ tell: (text) => host.post({ kind: 'draftChanged', text }), later });

  const saved = host.saved();
  let state: State = firstState(saved);
  const tab = root.dataset['tab'];
  const places = new ReadingPlaces(saved?.places, saveSoon);
  let callOffSaving: (() => void) | undefined;
  let counters = { focused: 0, modelFocused: 0, effortFocused: 0, endShown: 0, findAsked: 0, roomShown: 0 };
  let frame: number | undefined;
  let callOffPatience: (() => void) | undefined;

  const env: Env = {
    post: host.post,
    hostNow: () => hostNow(state, Date.now()),
    heardAt: () => heardAt(state, Date.now()),
    silenceSeconds: () => state.mirror?.panel.silenceSeconds,
    requestsBefore: (turn) => {
      const turns = state.mirror?.conversation.turns ?? [];
      return turns
        .slice(
          0,
          turns.findIndex(({ id }) => id === turn),
        )
        .flatMap(({ requests }) => requests);
    },
    isAlone: (turn) => isAlone(turn, state.mirror?.conversation.turns ?? []),
    announce: (sentence) => announcer.announce(sentence),
    sendKey: () => state.mirror?.panel.sendKey ?? 'enter',
    compose: (text) => {
      changeDraft(composed(state.draft, text));
      count('focused');
    },
    help: (action, turn) => {
      switch (action.kind) {
        case 'resume':
          host.post({ kind: 'resume', turn: turn.id });
          return;
        case 'withoutWebSearch':
          host.post({ kind: 'setWebSearch', on: false });
          host.post({ kind: 'resume', turn: turn.id });
          return;
        case 'setKey':
        case 'newChat':
        case 'openLog':
        case 'openLink':
        case 'openSettings':
          host.post(action);
          return;
        case 'chooseModel':
          count('modelFocused');
          return;
        case 'makeRoom':
          count('roomShown');
          return;
        case 'editWithout':
          host.post({ kind: 'leaveOut', turn: turn.id });
          if (state.draft.trim() === '') changeDraft(turn.question);
          count('focused');
          return;
        case 'editQuestion':
          branches.startEdit(turn.id, { text: turn.question });
      }
    },
  };

  const branches = new BranchActions<State>({
    state: () => state,
    change: (next) => {
      change(onlyStill(next));
      if (isLongToSave(state)) saveSoon();
      else save();
    },
    post: host.post,
    newId: () => crypto.randomUUID(),
    now: () => performance.now(),
  });

  function draw(): void {
    frame = undefined;
    render(
      <EnvContext.Provider value={env}>
        <ReadingContext.Provider value={places}>
          <App
            state={state}
            branches={branches}
            {...counters}
            onDraft={changeDraft}
            onSend={send}
            onAgreed={agree}
            onDeclined={() => {
              const asked = inQuestion(state);
              change(withoutConfirm(state));
              // To where the person was.
              const field =
                asked?.kind === 'edit' || asked?.kind === 'answerAgain'
                  ? document.querySelector<HTMLElement>(placeOf(asked))
                  : null;
              if (field === null) count('focused');
              else field.focus();
            }}
            onSecretsDecided={decideSecrets}
            onRoom={() => count('roomShown')}
            onNoticeClosed={() => change(withoutNotice(state))}
            onReload={() => {
              change(askedAgain(state));
              askSnapshot();
            }}
          />
        </ReadingContext.Provider>
      </EnvContext.Provider>,
      root,
    );
  }

  /** What VS Code keeps for the next page. */
  function save(): void {
    callOffSaving?.();
    callOffSaving = undefined;
    host.save({
      ...{ ...toSave(state), ...shown(), places: places.all },
      ...(tab !== undefined && { tab }),
    });
  }

  /** At each frame while somebody scrolls it would be too much. */
  function saveSoon(): void {
    callOffSaving ??= later(save, saveInterval);
  }

  function saveNow(): void {
    if (callOffSaving !== undefined) save();
  }

  function change(next: State): void {
    state = next;
    // A hidden page gets no frames; it is drawn when it is shown again.
    frame ??= requestAnimationFrame(draw);
  }

  /** For another text than the one in the composer: the next key would be typed into that one, and bring it back. */
  function drawNow(): void {
    if (frame !== undefined) cancelAnimationFrame(frame);
    draw();
  }

  function changeDraft(text: string, composing = false): void {
    change(withDraft(state, text, composing));
    if (state.draft !== text) drawNow();
    save();
    keeper.changed(state.draft);
  }

  /** Where the cursor is in the composer, over what is selected there. */
  function insert(text: string): void {
    const field = document.querySelector<HTMLTextAreaElement>('.composer-text');
    if (field === null) return changeDraft(state.draft + text);
    field.focus();
    const { value, selectionStart: start, selectionEnd: end } = field;
    retype(field, value.slice(0, start) + text + value.slice(end), start + text.length);
    changeDraft(field.value);
  }

  function send(text: string, interrupt = false): void {
    const next = withSent(state, text, crypto.randomUUID());
    change(next);
    save();
    keeper.flush();
    host.post({ kind: 'send', ...next.sent, ...(interrupt && { interrupt }), ...shown() });
  }

  function shown(): { readonly conversation?: string } {
    return state.mirror === undefined ? {} : { conversation: state.mirror.conversation.id };
  }

  /** The very thing that was asked about, at the price that was told. */
  function agree(): void {
    const { confirm } = state;
    if (confirm === undefined) return;
    sayAgain(confirm.asked, { agreed: confirm.next.money.likely });
  }

  function decideSecrets(choice: 'mask' | 'send'): void {
    const { secrets } = state;
    if (secrets === undefined) return;
    host.post({ kind: 'decideSecrets', check: secrets.check, choice });
    sayAgain(secrets.asked);
  }

  function sayAgain(asked: DearIntent, more: { readonly agreed?: number } = {}): void {
    change(withoutConfirm(state));
    if (asked.kind === 'send') {
      change({ ...state, sent: { id: asked.id, text: asked.text } });
      save();
    }
    host.post({ ...asked, ...more, ...(asked.kind === 'send' && shown()) });
    // The button that had the cursor is gone.
    count('focused');
  }

  function count(what: keyof typeof counters): void {
    counters = { ...counters, [what]: counters[what] + 1 };
    change(state);
  }

  function askSnapshot(): void {
    callOffPatience?.();
    callOffPatience = later(() => change(waitedTooLong(state)), patience);
    host.post({ kind: 'ready' });
  }

  function run(effect: Effect): void {
    switch (effect.kind) {
      case 'askSnapshot':
        askSnapshot();
        return;
      case 'focusComposer':
        count('focused');
        return;
      case 'focusApproval':
        // As soon as it is drawn.
        requestAnimationFrame(() => {
          const card = root.querySelector<HTMLElement>('.approval');
          card?.scrollIntoView({ block: 'nearest' });
          card?.focus({ preventScroll: true });
        });
        return;
      case 'focusPicker':
        count(effect.picker === 'model' ? 'modelFocused' : 'effortFocused');
        return;
      case 'insertText':
        insert(effect.text);
        // The host has the text before it lets go of the chip.
        keeper.flush();
        host.post({ kind: 'removeAttachment', attachment: effect.attachment });
        return;
      case 'find':
        count('findAsked');
        return;
      case 'showEnd':
        count('endShown');
    }
  }

  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isFromHost(data)) return;
    const before = state;
    const step = apply(state, data, Date.now());
    change(step.state);
    const isRedrafted = step.state.draft !== before.draft;
    if (isRedrafted) drawNow();
    if (
      isRedrafted ||
      step.state.sent !== before.sent ||
      step.state.edits !== before.edits ||
      step.state.mirror?.conversation.id !== before.mirror?.conversation.id
    )
      save();
    if (isRedrafted) keeper.replaced(step.state.draft);
    if (data.kind === 'snapshot') keeper.compared(step.state.draft, data.draft);
    if (data.kind === 'conversation') announcer.clear();
    for (const effect of step.effects) run(effect);
  });
  // Taken before VS Code hears of it, which would open the find of the editor in front: no condition of a key binding tells that this
  // view has the cursor.
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isFindKey(event, navigator.platform.startsWith('Mac'))) return;
      event.preventDefault();
      event.stopPropagation();
      count('findAsked');
    },
    { capture: true },
  );
  selectAllByKey(document, navigator.platform.startsWith('Mac'));
  const keepAll = (): void => {
    keeper.flush();
    saveNow();
  };
  window.addEventListener('blur', keepAll);
  window.addEventListener('pagehide', keepAll);
  document.addEventListener('visibilitychange', keepAll);

  // Into any field: nothing is read out meanwhile.
  root.addEventListener('input', () => announcer.typed());

  root.replaceChildren();
  keepFocus(root);
  draw();
  askSnapshot();
}

/** Where the person was who asked for it. */
function placeOf({ kind, turn }: { readonly kind: 'edit' | 'answerAgain'; readonly turn: string }): string {
  return `[data-turn="${CSS.escape(turn)}"] ${kind === 'edit' ? '.edit-text' : '.again-start'}`;
}

function later(act: () => void, milliseconds: number): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}

/** The place where a screen reader finds what is announced. It keeps the last few sentences, so that none is taken back too early. */
function liveRegion(): { say(sentences: readonly string[]): void } {
  const region = document.createElement('div');
  region.className = 'visually-hidden';
  region.setAttribute('aria-live', 'polite');
  document.body.append(region);
  return {
    say(sentences) {
      while (region.childElementCount > 8) region.firstElementChild?.remove();
      for (const sentence of sentences) {
        const line = document.createElement('p');
        line.textContent = sentence;
        region.append(line);
      }
    },
  };
}

const root = document.getElementById('root');
if (root !== null) start(root);
