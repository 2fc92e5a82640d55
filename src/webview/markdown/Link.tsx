/** A link the model wrote. Opening is the host's business; what is shown is where it really leads. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { LinkElement } from './LinkElement.tsx';
import { imageHost, linkTarget } from './links.ts';
import { imageText } from './plainText.ts';
import { visibleText } from '../invisible.ts';
import { useEscape } from '../views/hooks.ts';
import { referencedSource } from '../sources.ts';
import { Reference, useSources } from '../views/Sources.tsx';

export function Link({
  href,
  label,
  children,
}: {
  href: string;
  /** The text of `children`. */
  label: string;
  children: ComponentChildren;
}): VNode {
  const source = referencedSource(href, label, useSources());
  const target = linkTarget(href, label);
  if (source !== undefined) return <Reference source={source} />;
  if (target.kind === 'text') {
    return (
      <>
        {children}
        {label === href || href === '' ? null : <span class="link-target"> ({visibleText(href)})</span>}
      </>
    );
  }
  const shown =
    target.shown === undefined ? null : <span class="link-target"> ({visibleText(target.shown)})</span>;
  if (target.misleads === undefined) {
    return (
      <>
        <OpenLink href={target.href}>{children}</OpenLink>
        {shown}
      </>
    );
  }
  return (
    <DoubtfulLink href={target.href} says={target.misleads} host={target.shown ?? target.href} shown={shown}>
      {children}
    </DoubtfulLink>
  );
}

/** Names another host than it leads to: it is opened when the person has read where it really goes. */
function DoubtfulLink(props: {
  href: string;
  says: string;
  host: string;
  /** Stands right behind it, whether it is asked about or not. */
  shown: VNode | null;
  children: ComponentChildren;
}): VNode {
  const { href, says, host, shown, children } = props;
  const { post } = useEnv();
  const [asking, setAsking] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const question = useRef<HTMLSpanElement>(null);
  const open = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setAsking(false);
    link.current?.focus();
  };
  useEscape(question, close);
  useEffect(() => {
    if (asking) open.current?.focus();
  }, [asking]);
  const words = l10n.t('The text says {0}, but this leads to {1}.', visibleText(says), visibleText(host));
  return (
    <>
      <LinkElement element={link} title={visibleText(href)} onFollow={() => setAsking(true)}>
        {children}
      </LinkElement>
      {shown}
      {asking ? (
        <span ref={question} class="link-question" role="group" aria-label={words}>
          <span>{words}</span>
          <button
            ref={open}
            type="button"
            class="text-button"
            onClick={() => {
              post({ kind: 'openLink', href });
              close();
            }}
          >
            {l10n.t('Open {0}', visibleText(host))}
          </button>
          <button type="button" class="text-button" onClick={close}>
            {l10n.t('Cancel')}
          </button>
        </span>
      ) : null}
    </>
  );
}

export function OpenLink({ href, children }: { href: string; children: ComponentChildren }): VNode {
  const { post } = useEnv();
  return (
    <LinkElement title={visibleText(href)} onFollow={() => post({ kind: 'openLink', href })}>
      {children}
    </LinkElement>
  );
}

/** An image is never fetched: its description stands for it, with the host it would have come from. */
export function ImageText({ href, description }: { href: string; description: string }): VNode {
  const host = imageHost(href);
  return (
    <span class="image-text" title={l10n.t('Images are not loaded')}>
      {imageText(description)}
      {host === undefined ? null : <span class="link-target"> ({host})</span>}
    </span>
  );
}
