/** Joins the list that opens while a name is typed with the field in which it is typed. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { CompletionState, type CompletionPorts } from '../completionState.ts';
import { useEnv } from '../env.ts';
import { retype } from '../retype.ts';
import type { Completions } from '../store.ts';

export interface CompletionProps {
  readonly field: { readonly current: HTMLTextAreaElement | null };
  /** What the host told last. */
  readonly completions: Completions | undefined;
  readonly onDraft: (text: string) => void;
  readonly onEnter: () => void;
}

export function useCompletion(props: CompletionProps): CompletionState {
  const { field, completions } = props;
  const env = useEnv();
  const redraw = useRedraw();
  const latestRef = useRef({ ...props, env, redraw });
  useLayoutEffect(() => {
    latestRef.current = { ...props, env, redraw };
  });
  const [state] = useState(() => new CompletionState(portsOf(latestRef, field)));
  useLayoutEffect(() => {
    state.told(completions);
    redraw.now();
  }, [state, completions, redraw]);
  return state;
}

interface Latest extends CompletionProps {
  readonly env: ReturnType<typeof useEnv>;
  readonly redraw: Redraw;
}

function portsOf(
  latest: { readonly current: Latest },
  field: { readonly current: HTMLTextAreaElement | null },
): CompletionPorts {
  return {
    read: () => {
      const { value = '', selectionStart, selectionEnd } = field.current ?? {};
      return {
        text: value,
        ...(selectionStart !== undefined && selectionStart === selectionEnd && { cursor: selectionStart }),
      };
    },
    write: (text, cursor) => {
      if (field.current !== null) retype(field.current, text, cursor);
      latest.current.onDraft(text);
    },
    post: (intent) => latest.current.env.post(intent),
    announce: (sentence) => latest.current.env.announce(sentence),
    changed: () => latest.current.redraw.soon(),
    enter: () => latest.current.onEnter(),
    now: () => performance.now(),
  };
}

interface Redraw {
  readonly now: () => void;
  /** With the next frame: drawn before it, the field would get back the text that it had before the key. */
  readonly soon: () => void;
}

function useRedraw(): Redraw {
  const [, setCount] = useState(0);
  const [redraw] = useState(() => {
    const frame: { asked?: number | undefined } = {};
    const now = (): void => setCount((count) => count + 1);
    return {
      now,
      soon: () => {
        frame.asked ??= requestAnimationFrame(() => {
          frame.asked = undefined;
          now();
        });
      },
      callOff: () => {
        if (frame.asked !== undefined) cancelAnimationFrame(frame.asked);
      },
    };
  });
  useEffect(() => redraw.callOff, [redraw]);
  return redraw;
}
