/** The keys that ask about a selection, as this machine writes them. The host can't tell: it may run on another one. */

/** What the manifest binds to `kimiChat.askAboutSelection`. `userAgent` as the browser gives it. */
export function askKey(userAgent: string): string {
  return /Macintosh|iPad|iPhone/.test(userAgent) ? '⌘K K' : 'Ctrl+K K';
}
