/** What the core needs to know of a cancellation. The platform's `AbortSignal` fits; the core itself names no platform type. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
