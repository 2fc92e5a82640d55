/** The small choices below the question: the model, the effort, and what becomes of patches. What a choice costs is for others. */
import type { VNode } from 'preact';
import {
  effortFor,
  modelRow,
  models,
  type Effort,
  type ModelId,
} from '../../core/conversation/conversation.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { effortName } from '../modelText.ts';
import { maxText } from '../switchText.ts';
import { Picker } from './Picker.tsx';

/** A model and an effort that the person picked and has not switched to. */
export interface Wanted {
  readonly model: ModelId;
  readonly effort: Effort;
  readonly picker: 'model' | 'effort';
}

export interface ChoiceProps {
  readonly panel: PanelState;
  readonly picker: { current: HTMLSelectElement | null };
  readonly wanted: Wanted | undefined;
  readonly onPick: (wanted: Wanted) => void;
}

export function ModelPicker({ panel, picker, wanted, onPick }: ChoiceProps): VNode {
  return (
    <Picker
      picker={picker}
      className="picker-model"
      name={l10n.t('Model')}
      title={l10n.t('Model: {0}', modelRow(panel.model)?.label ?? panel.model)}
      value={wanted?.model ?? panel.model}
      options={models.map((row) => ({ value: row.id, label: row.label }))}
      onPick={(value) => {
        const row = modelRow(value);
        if (row !== undefined)
          onPick({ model: row.id, effort: effortFor(row, panel.effort), picker: 'model' });
      }}
    />
  );
}

export function EffortPicker({ panel, picker, wanted, onPick }: ChoiceProps): VNode {
  const row = modelRow(panel.model);
  const efforts = row?.efforts ?? [panel.effort];
  const only = efforts.length === 1 ? efforts[0] : undefined;
  const shown = wanted?.picker === 'effort' ? wanted.effort : panel.effort;
  return (
    <Picker
      picker={picker}
      name={l10n.t('Reasoning effort')}
      title={
        only === undefined
          ? l10n.t('Reasoning effort. Max thinks longest and costs most.')
          : l10n.t('{0} always reasons at {1}', row?.label ?? panel.model, effortName(only))
      }
      value={only ?? shown}
      options={efforts.map((level) => ({
        value: level,
        label: effortName(level),
        ...(level === 'max' && { title: maxText() }),
      }))}
      onPick={(value) => {
        const level = efforts.find((one) => one === value);
        if (level !== undefined) onPick({ model: panel.model, effort: level, picker: 'effort' });
      }}
      disabled={only !== undefined}
    />
  );
}

export function PatchModePicker({ panel }: { panel: PanelState }): VNode {
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
      waits={true}
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
