/** Skips drawing what did not change: values of the conversation keep their identity when nothing happened to them. */
import { Component, h, type ComponentChild, type FunctionComponent } from 'preact';

type Same<P> = (before: P, after: P) => boolean;

/** The component, drawn again only when a property is another value, or when `same` says so. */
export function memo<P extends object>(
  component: FunctionComponent<P>,
  same: Same<P> = sameProperties,
): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !same(this.props, next);
    }

    override render(): ComponentChild {
      return h(component, this.props);
    }
  }
  return (props) => h(Memo, props);
}

function sameProperties<P extends object>(before: P, after: P): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of keys) {
    if (!Object.is(Reflect.get(before, key), Reflect.get(after, key))) return false;
  }
  return true;
}
