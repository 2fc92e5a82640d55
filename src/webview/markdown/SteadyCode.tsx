/** The element around code that is drawn in one form after the other: what is selected in it stays selected. */
import { Component, createRef, type ComponentChildren, type VNode } from 'preact';
import { selectedIn, selectIn, type SelectedText } from '../selectedText.ts';

export interface SteadyCodeProps {
  /** The text is the same in each, and its elements are not. */
  readonly form: 'growing' | 'whole' | 'coloured';
  readonly children: ComponentChildren;
}

export class SteadyCode extends Component<SteadyCodeProps> {
  readonly #element = createRef<HTMLElement>();

  override getSnapshotBeforeUpdate({ form }: SteadyCodeProps): SelectedText | undefined {
    const { current } = this.#element;
    return current === null || form === this.props.form ? undefined : selectedIn(current);
  }

  override componentDidUpdate(_: unknown, __: unknown, selected: SelectedText | undefined): void {
    const { current } = this.#element;
    if (current !== null && selected !== undefined) selectIn(current, selected);
  }

  override render({ children }: SteadyCodeProps): VNode {
    return <code ref={this.#element}>{children}</code>;
  }
}
