/** Below a turn: the model and the effort with which its question is asked once more, and what that costs. The turn stays. */
import type { VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { effortFor, modelRow, models, type Turn } from '../../core/conversation/conversation.ts';
import { ChoiceContext, useWeighed } from '../branches.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { Forecast } from './Forecast.tsx';
import { useEscape } from './hooks.ts';
import { Picker } from './Picker.tsx';
import { effortName } from '../modelText.ts';

export interface AnswerAgainProps {
  readonly turn: Turn;
  /** The person has chosen, or thought better of it. */
  readonly onClose: () => void;
}

export function AnswerAgain({ turn, onClose }: AnswerAgainProps): VNode {
  const { post } = useEnv();
  const now = useContext(ChoiceContext);
  const weighed = useWeighed(turn.id, false);
  const [choice, setChoice] = useState(now);
  const group = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLSelectElement>(null);
  // Said twice, it is done once.
  const idRef = useRef(crypto.randomUUID());
  const { model, effort } = choice;
  const row = modelRow(model);
  const efforts = row?.efforts ?? [effort];
  useEscape(group, onClose);
  useLayoutEffect(() => first.current?.focus(), []);
  useEffect(() => post({ kind: 'weigh', turn: turn.id, model, effort }), [post, turn.id, model, effort]);
  return (
    <div ref={group} class="again" role="group" aria-label={l10n.t('Answer again')}>
      <div class="again-row">
        <Picker
          picker={first}
          name={l10n.t('Model')}
          title={l10n.t('Model')}
          value={model}
          options={models.map(({ id, label }) => ({ value: id, label }))}
          onPick={(value) => {
            const picked = modelRow(value);
            if (picked !== undefined) setChoice({ model: picked.id, effort: effortFor(picked, effort) });
          }}
        />
        <Picker
          name={l10n.t('Reasoning effort')}
          title={l10n.t('Reasoning effort')}
          disabled={efforts.length === 1}
          value={effort}
          options={efforts.map((one) => ({ value: one, label: effortName(one) }))}
          onPick={(value) => {
            const picked = efforts.find((one) => one === value);
            if (picked !== undefined) setChoice({ model, effort: picked });
          }}
        />
      </div>
      {weighed?.model === model && weighed.effort === effort ? (
        <Forecast turn={turn.id} next={weighed.next} />
      ) : (
        <p class="quiet">{l10n.t('Reckoning what it costs…')}</p>
      )}
      <div class="notice-buttons">
        <button
          type="button"
          class="button again-start"
          onClick={() => post({ kind: 'answerAgain', id: idRef.current, turn: turn.id, model, effort })}
        >
          {l10n.t('Answer again')}
        </button>
        <button type="button" class="button secondary" onClick={onClose}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </div>
  );
}
