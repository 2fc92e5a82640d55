/** Names of keys, as this machine writes them. The host can't tell: it may run on another one. */
import type { SendKey } from '../protocol/toWebview.ts';

/** The key that sends a question, as this machine writes it. */
export function sendKeyName(userAgent: string, sendKey: SendKey): string {
  if (sendKey === 'enter') return 'Enter';
  return isMac(userAgent) ? '⌘Enter' : 'Ctrl+Enter';
}

/** The key that stops the answer and sends. */
export function interruptKeyName(userAgent: string, sendKey: SendKey): string {
  if (sendKey === 'enter') return isMac(userAgent) ? '⌘Enter' : 'Ctrl+Enter';
  return isMac(userAgent) ? '⇧⌘Enter' : 'Ctrl+Shift+Enter';
}

/** The key that pastes without any form. */
export function plainPasteKey(userAgent: string): string {
  return isMac(userAgent) ? '⇧⌘V' : 'Ctrl+Shift+V';
}

/** What the manifest binds to `kimiChat.askAboutSelection`. `userAgent` as the browser gives it. */
export function askKey(userAgent: string): string {
  return isMac(userAgent) ? '⌘K K' : 'Ctrl+K K';
}

/** As keyboards have it written on them. */
export function shiftKey(userAgent: string): string {
  return isMac(userAgent) ? '⇧' : 'Shift';
}

function isMac(userAgent: string): boolean {
  return /Macintosh|iPad|iPhone/.test(userAgent);
}
