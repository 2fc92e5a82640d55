/** In the composer: what looks secret in a question that was not sent for it. What was typed stays. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import type { SecretPlace } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { chipParts } from '../paths.ts';
import { mayBeSent, moreText, secretsNote, secretsTitle } from '../secretsText.ts';
import type { SecretsStep } from '../store.ts';
import { useArmed, useEscape } from './hooks.ts';
import { KindIcon } from './KindIcon.tsx';
import { SecretList } from './SecretList.tsx';

export interface SecretsFoundProps {
  readonly step: SecretsStep;
  readonly onDecide: (choice: 'mask' | 'send') => void;
  readonly onCancel: () => void;
}

export function SecretsFound({ step, onDecide, onCancel }: SecretsFoundProps): VNode {
  const { announce } = useEnv();
  const group = useRef<HTMLDivElement>(null);
  const title = secretsTitle(step);
  const note = secretsNote(step);
  // It comes up by itself: what was meant for something else must not decide.
  const armed = useArmed(step.check);
  useEscape(group, onCancel);
  useEffect(() => announce(l10n.flow(title, note)), [announce, step.check, title, note]);
  return (
    <div ref={group} class="confirm secrets-found" role="group" aria-label={title}>
      <p>{title}</p>
      <div class="secret-places" tabIndex={0} role="group" aria-label={l10n.t('What was found')}>
        {step.places.map((place, index) => (
          <Place key={index} place={place} />
        ))}
        {step.more === 0 ? null : <p class="quiet">{moreText(step.more)}</p>}
      </div>
      <p class="quiet">{note}</p>
      <div class="notice-buttons">
        <button type="button" class="button" onClick={armed(() => onDecide('mask'))}>
          {l10n.t('Mask and send')}
        </button>
        <button type="button" class="button secondary" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
        {mayBeSent(step) ? (
          <button type="button" class="text-button" onClick={armed(() => onDecide('send'))}>
            {l10n.t('Send anyway')}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function Place({ place: { chip, found } }: { readonly place: SecretPlace }): VNode {
  return (
    <section class="secret-place">
      {chip === undefined ? <p>{l10n.t('What you typed')}</p> : <ChipName chip={chip} />}
      <SecretList found={found} />
    </section>
  );
}

function ChipName({ chip }: { readonly chip: AttachmentSummary }): VNode {
  const { folder, name } = chipParts(chip.path, chip.range);
  return (
    <p class="secret-chip">
      <KindIcon kind={chip.kind} />
      <bdi>
        <Plain text={`${folder}${name}`} />
      </bdi>
    </p>
  );
}
