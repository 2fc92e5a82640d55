/** Keeps a mistake in drawing one part from taking the whole panel away: its text is shown as it came. */
import { Component, type ComponentChildren, type VNode } from 'preact';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';

export interface GuardProps {
  /** What is shown in the part's place. */
  readonly text: () => string;
  readonly children: ComponentChildren;
}

export class Guard extends Component<GuardProps, { readonly broken: boolean }> {
  override state = { broken: false };

  override componentDidCatch(): void {
    this.setState({ broken: true });
  }

  override render({ text, children }: Readonly<GuardProps>): VNode {
    if (!this.state.broken) return <>{children}</>;
    return (
      <div class="tool-text">
        <div class="tool-label">{l10n.t('This part could not be drawn. Its text:')}</div>
        {/* Long text is scrolled, also with the keyboard. */}
        <pre dir="auto" tabIndex={0} role="group" aria-label={l10n.t('Text')}>
          <Plain text={text()} />
        </pre>
      </div>
    );
  }
}
