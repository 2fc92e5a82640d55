/** The whole panel. Nothing but layout: each state of the panel is a line here. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { waitsForReview } from '../../core/conversation/waiting.ts';
import type { CodeProposal, PatchProblems } from '../../protocol/toWebview.ts';
import type { TurnBranches } from '../branches.ts';
import {
  CodeProposalsContext,
  PatchProblemsContext,
  PricesContext,
  ReasoningContext,
  ServiceContext,
  useEnv,
} from '../env.ts';
import { l10n } from '../l10n.ts';
import { statusText } from '../statusText.ts';
import type { Mirror, State } from '../store.ts';
import { activityOf } from '../turnFacts.ts';
import { Branching } from './Branching.tsx';
import { Composer } from './Composer.tsx';
import { ContextNotice } from './ContextNotice.tsx';
import { Elsewhere } from './Elsewhere.tsx';
import { useOffline } from './hooks.ts';
import { IconButton } from './IconButton.tsx';
import { CloseIcon, InfoIcon, WarningIcon } from './icons.tsx';
import { KeyNeeded, lacksKey } from './KeyNeeded.tsx';
import { Meter } from './Meter.tsx';
import { SecretsFound } from './SecretsFound.tsx';
import { Transcript } from './Transcript.tsx';

export interface AppProps {
  readonly state: State;
  readonly branches: TurnBranches;
  /** Counters that grow when something is to be done once. */
  readonly focused: number;
  readonly modelFocused: number;
  readonly effortFocused: number;
  readonly endShown: number;
  readonly findAsked: number;
  readonly roomShown: number;
  readonly onDraft: (text: string, composing?: boolean) => void;
  /** `interrupt`: the answer is stopped for it. */
  readonly onSend: (text: string, interrupt?: boolean) => void;
  /** The person is willing to pay for the question that was asked about. */
  readonly onAgreed: () => void;
  readonly onDeclined: () => void;
  readonly onSecretsDecided: (choice: 'mask' | 'send') => void;
  /** What can be left out is to be shown. */
  readonly onRoom: () => void;
  readonly onNoticeClosed: () => void;
  readonly onReload: () => void;
}

const noCode: readonly CodeProposal[] = [];
const noProblems: readonly PatchProblems[] = [];

export function App(props: AppProps): VNode {
  const { state, onReload } = props;
  if (state.mirror === undefined) {
    return (
      <main>
        <h1 class="visually-hidden">{l10n.t('Kimi Chat')}</h1>
        {state.late ? <NoAnswer onReload={onReload} /> : <p class="loading">{l10n.t('Loading…')}</p>}
      </main>
    );
  }
  return (
    <ServiceContext.Provider value={state.mirror.panel.service}>
      <PricesContext.Provider value={state.mirror.panel.spending?.prices}>
        <CodeProposalsContext.Provider value={state.mirror.panel.code ?? noCode}>
          <PatchProblemsContext.Provider value={state.mirror.panel.problems ?? noProblems}>
            <Branching state={state} mirror={state.mirror} branches={props.branches}>
              <ReasoningContext.Provider value={state.mirror.panel.reasoning ?? 'whileThinking'}>
                <Panel {...props} mirror={state.mirror} />
              </ReasoningContext.Provider>
            </Branching>
          </PatchProblemsContext.Provider>
        </CodeProposalsContext.Provider>
      </PricesContext.Provider>
    </ServiceContext.Provider>
  );
}

function Panel(props: AppProps & { mirror: Mirror }): VNode {
  const { state, mirror, focused, modelFocused, effortFocused, endShown, findAsked, roomShown } = props;
  const { onDraft, onSend, onAgreed, onDeclined, onSecretsDecided, onRoom, onNoticeClosed, onReload } = props;
  const { conversation, panel } = mirror;
  const { context, spending, room = [], leftOut } = panel;
  const last = conversation.turns.at(-1);
  const started = last !== undefined;
  useStatus(mirror);
  return (
    <main class={panel.elsewhere === undefined ? 'panel' : 'panel elsewhere-panel'}>
      <h1 class="visually-hidden">{l10n.t('Kimi Chat')}</h1>
      <Transcript
        conversation={conversation}
        earlier={mirror.earlier}
        panel={panel}
        endShown={endShown}
        findAsked={findAsked}
      />
      <div class="bottom">
        {state.late ? <NoAnswer onReload={onReload} /> : null}
        {panel.elsewhere === undefined ? null : <Elsewhere state={panel.elsewhere} />}
        {state.notice === undefined ? null : <HostNotice text={state.notice} onClose={onNoticeClosed} />}
        {started && lacksKey(panel.key) ? <KeyNeeded state={panel.key} /> : null}
        {context === undefined || spending === undefined ? null : (
          <ContextNotice
            context={context}
            spending={spending}
            room={room}
            started={started}
            onRoom={onRoom}
          />
        )}
        <Composer
          panel={panel}
          draft={state.draft}
          activity={last === undefined ? undefined : activityOf(last)}
          waits={last !== undefined && waitsForReview(last)}
          focused={focused}
          modelFocused={modelFocused}
          effortFocused={effortFocused}
          conversation={conversation}
          queue={mirror.queue}
          asked={state.asked}
          choice={state.choice}
          completions={state.completions}
          confirm={state.confirm}
          onAgreed={onAgreed}
          onDeclined={onDeclined}
          secrets={
            state.secrets === undefined ? null : (
              <SecretsFound step={state.secrets} onDecide={onSecretsDecided} onCancel={onDeclined} />
            )
          }
          onDraft={onDraft}
          onSend={onSend}
        />
        {context === undefined || spending === undefined ? null : (
          <Meter
            key={conversation.id}
            conversation={conversation}
            context={context}
            spending={spending}
            room={room}
            leftOut={leftOut}
            shown={roomShown}
          />
        )}
      </div>
    </main>
  );
}

function NoAnswer({ onReload }: { onReload: () => void }): VNode {
  return (
    <div class="notice failed no-answer" role="alert">
      <WarningIcon />
      <div class="notice-body">
        <p>
          {l10n.t(
            'The extension has not answered for 5 seconds. If reloading does not help, run “Developer: Reload Window”.',
          )}
        </p>
        <div class="notice-buttons">
          <button type="button" class="button" onClick={onReload}>
            {l10n.t('Reload')}
          </button>
        </div>
      </div>
    </div>
  );
}

function HostNotice({ text, onClose }: { text: string; onClose: () => void }): VNode {
  return (
    <div class="notice host-notice" role="status">
      <InfoIcon />
      <p class="notice-body">{text}</p>
      <IconButton
        name={l10n.t('Close message')}
        title={l10n.t('Close')}
        icon={<CloseIcon />}
        onPress={onClose}
      />
    </div>
  );
}

/** Says aloud what the turn does, but not what was already so when the panel opened. */
function useStatus({ conversation }: Mirror): void {
  const { announce } = useEnv();
  const status = statusText(conversation, useOffline());
  const knownRef = useRef(status?.key);
  useLayoutEffect(() => {
    if (status === undefined || status.key === knownRef.current) return;
    knownRef.current = status.key;
    announce(status.text);
  });
}
