/** A link the model wrote. Opening is the host's business; what is shown is where it really leads. */
import type { ComponentChildren, VNode } from 'preact';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { imageHost, linkTarget } from './links.ts';
import { visibleText } from '../invisible.ts';
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
  return (
    <>
      <OpenLink href={target.href}>{children}</OpenLink>
      {target.shown === undefined ? null : <span class="link-target"> ({target.shown})</span>}
    </>
  );
}

/**
 * No `href`: VS Code would open it by itself, beside our intent. So keyboard and role are given by hand.
 */
export function OpenLink({ href, children }: { href: string; children: ComponentChildren }): VNode {
  const { post } = useEnv();
  const open = (): void => post({ kind: 'openLink', href });
  return (
    <a
      role="link"
      tabIndex={0}
      class="link"
      title={visibleText(href)}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open();
      }}
    >
      {children}
    </a>
  );
}

/** An image is never fetched: its description stands for it, with the host it would have come from. */
export function ImageText({ href, description }: { href: string; description: string }): VNode {
  const host = imageHost(href);
  const text = description.trim() === '' ? l10n.t('Image') : l10n.t('Image: {0}', description);
  return (
    <span class="image-text" title={l10n.t('Images are not loaded')}>
      {text}
      {host === undefined ? null : <span class="link-target"> ({host})</span>}
    </span>
  );
}
