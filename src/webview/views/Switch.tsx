/** Before another model or effort is taken in a conversation: what that costs. Nothing is switched until the person says so. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { switchLines, type SwitchFacts } from '../switchText.ts';
import { useEscape } from './hooks.ts';

export interface SwitchProps {
  readonly facts: SwitchFacts;
  readonly onSwitch: () => void;
  readonly onKeep: () => void;
}

export function Switch({ facts, onSwitch, onKeep }: SwitchProps): VNode {
  const { announce } = useEnv();
  const group = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const lines = switchLines(facts);
  const text = l10n.flow(...lines);
  useEscape(group, onKeep);
  useEffect(() => button.current?.focus(), []);
  useEffect(() => announce(text), [announce, text]);
  return (
    <div ref={group} class="confirm switch" role="group" aria-label={lines[0]}>
      {lines.map((line, index) => (
        <p key={line} class={index === 0 ? '' : 'quiet'}>
          {line}
        </p>
      ))}
      <div class="notice-buttons">
        <button ref={button} type="button" class="button" onClick={onSwitch}>
          {l10n.t('Switch')}
        </button>
        <button type="button" class="button secondary" onClick={onKeep}>
          {l10n.t('Keep')}
        </button>
      </div>
    </div>
  );
}
