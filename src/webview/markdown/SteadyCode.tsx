/** The element around code that gets its colours: what is selected in it stays selected. */
import { Component, createRef, type ComponentChildren, type VNode } from 'preact';
import { selectedIn, selectIn, type SelectedText } from '../selectedText.ts';

export interface SteadyCodeProps {
  /** Its text is the same then, and its elements are not. */
  readonly coloured: boolean;
  readonly children: ComponentChildren;
}

export class SteadyCode extends Component<SteadyCodeProps> {
  readonly #element = createRef<HTMLElement>();

  override getSnapshotBeforeUpdate({ coloured }: SteadyCodeProps): SelectedText | undefined {
    const { current } = this.#element;
    return current === null || coloured === this.props.coloured ? undefined : selectedIn(current);
  }

  override componentDidUpdate(_: unknown, __: unknown, selected: SelectedText | undefined): void {
    const { current } = this.#element;
    if (current !== null && selected !== undefined) selectIn(current, selected);
  }

  override render({ children }: SteadyCodeProps): VNode {
    return <code ref={this.#element}>{children}</code>;
  }
}
