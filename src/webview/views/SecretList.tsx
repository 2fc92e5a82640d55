/** What looks secret in one place: what it seems to be, its line, and its beginning. */
import type { VNode } from 'preact';
import type { FoundSecret } from '../../core/conversation/conversation.ts';
import { approvalPieces, secretName } from '../approvalText.ts';
import { dot } from '../dot.ts';
import { exactCount } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { Pieces } from '../markdown/Plain.tsx';

export function SecretList({ found }: { readonly found: readonly FoundSecret[] }): VNode {
  return (
    <ul class="secret-list">
      {found.map((secret, index) => (
        <li key={index}>
          <bdi>{secretName(secret)}</bdi>
          <span class="quiet">{dot + l10n.t('line {0}', exactCount(secret.line))}</span>
          {/* A line of its own. */}
          <div class="secret-hint">
            <code class="approval-code" dir="ltr">
              <Pieces pieces={approvalPieces(secret.hint)} />
            </code>
            {secret.length === undefined ? null : (
              <span class="quiet"> {l10n.t('({0} characters)', exactCount(secret.length))}</span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
