/**
 * What looks secret does not leave before the person has said so: looks at what goes out, and remembers what they decided. Asks nobody
 * and sends nothing.
 */
import { createHash } from 'node:crypto';

import { findSecrets, secretValue } from '../../core/secrets/findSecrets.ts';
import { describeSecrets, maskSecrets, type SecretHint } from '../../core/secrets/maskSecrets.ts';
import type { Secret } from '../../core/secrets/secret.ts';

export interface SecretGuardPorts {
  /** Asked at each look. Where it is off, only the own keys are looked for. */
  isOn(): boolean;
  /** The keys that the extension itself uses, as far as they are known. They never leave, whatever is decided. */
  ownKeys(): Iterable<string>;
}

export type SecretChoice = 'mask' | 'send';

/** What stands in a text that nothing was decided about. */
export interface Looked {
  /** In the order of the text; empty when it may leave. */
  readonly found: readonly SecretHint[];
  /** The text as it may leave: all of it is masked that was not let through. */
  readonly masked: string;
  /** Something is masked in it. */
  readonly differs: boolean;
}

/** Where a decision about the same secret holds that was made elsewhere. */
export type LookScope =
  /** What was sent once is let through; what was masked is asked about again unless it stands in the same text. */
  | 'question'
  /** Nobody wrote it just now: what was masked before is masked again. */
  | 'output';

export class SecretGuard {
  readonly #ports: SecretGuardPorts;
  /** Digests of secrets that the person let through. */
  readonly #sent = new Set<string>();
  /** Of secrets that they had masked. */
  readonly #masked = new Set<string>();
  /** Of whole texts, by what was decided about what is in them. */
  readonly #texts = new Map<string, SecretChoice>();

  constructor(ports: SecretGuardPorts) {
    this.#ports = ports;
  }

  look(text: string, scope: LookScope): Looked {
    const held = this.#held(text);
    if (held.length === 0) return { found: [], masked: text, differs: false };
    const masked = maskSecrets(text, held);
    const decided = !this.#ports.isOn() || this.#texts.has(digest(text));
    const open = decided ? [] : held.filter((secret) => scope === 'question' || !this.#settled(text, secret));
    return { found: describeSecrets(text, open, scope === 'output'), masked, differs: true };
  }

  /** The text as it may leave without anybody being asked. */
  masked(text: string): string {
    return this.look(text, 'output').masked;
  }

  /** Holds for this very text, and for what looks secret in it wherever it stands, until the window closes. */
  decide(text: string, choice: SecretChoice): void {
    const held = this.#held(text);
    if (held.length === 0) return;
    this.#texts.set(digest(text), choice);
    for (const secret of held) {
      if (secret.kind === 'ownKey') continue;
      const value = digest(secretValue(text, secret));
      const [to, from] = choice === 'send' ? [this.#sent, this.#masked] : [this.#masked, this.#sent];
      from.delete(value);
      to.add(value);
    }
  }

  /** All that was not let through. */
  #held(text: string): readonly Secret[] {
    const own = [...this.#ports.ownKeys()];
    const all = findSecrets(text, own);
    return this.#ports.isOn()
      ? all.filter((secret) => !this.#sent.has(digest(secretValue(text, secret))))
      : all.filter(({ kind }) => kind === 'ownKey');
  }

  /** There is nothing to be asked about it. */
  #settled(text: string, secret: Secret): boolean {
    return secret.kind === 'ownKey' || this.#masked.has(digest(secretValue(text, secret)));
  }
}

/** Instead of the secret itself: it stays in no more places than it is in already. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
