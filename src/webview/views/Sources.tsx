/** Sources of the web with their numbers, as a list and as references in an answer. Where each leads is always said. */
import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { useEnv } from '../env.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { LinkElement } from '../markdown/LinkElement.tsx';
import { linkTarget } from '../markdown/links.ts';
import { Plain } from '../markdown/Plain.tsx';
import { noSources, sourceHost, type NumberedSource, type Sources } from '../sources.ts';
import { headingOf } from '../turnFacts.ts';
import { WarningIcon } from './icons.tsx';

/** Of the turn around. */
export const SourcesContext = createContext<Sources>(noSources);

export function SourceList({ sources }: { sources: readonly NumberedSource[] }): VNode {
  return (
    <ol class="sources">
      {sources.map((source) => (
        <li key={source.number} value={source.number}>
          <SourceEntry source={source} />
        </li>
      ))}
    </ol>
  );
}

function SourceEntry({ source: { url, title } }: { source: NumberedSource }): VNode {
  const target = linkTarget(url, title ?? '');
  const host = sourceHost(url);
  const name = title === undefined ? undefined : headingOf(title, 120);
  if (target.kind === 'text' || host === undefined) {
    return (
      <span dir="auto">
        <Plain text={name ?? url} />
      </span>
    );
  }
  return (
    <>
      <WebLink
        href={target.href}
        name={name === undefined ? host : l10n.t('{0}, {1}', visibleText(name), host)}
      >
        <span dir="auto">
          <Plain text={name ?? host} />
        </span>
      </WebLink>
      {name === undefined || name === host ? null : <span class="source-host"> {host}</span>}
      <Doubt says={target.misleads} host={host} />
    </>
  );
}

/** The text beside a link names another host than it leads to. */
export function Doubt({ says, host }: { says: string | undefined; host: string }): VNode | null {
  if (says === undefined) return null;
  return (
    <p class="source-doubt">
      <WarningIcon />
      <span>{l10n.t('The text says {0}, but this leads to {1}.', visibleText(says), visibleText(host))}</span>
    </p>
  );
}

/** The number of a source behind what it is the source of. */
export function Reference({ source: { number, url, title } }: { source: NumberedSource }): VNode {
  const target = linkTarget(url, '');
  const host = sourceHost(url);
  if (target.kind === 'text' || host === undefined) return <sup class="reference">{number}</sup>;
  const name = title === undefined ? host : l10n.t('{0}, {1}', visibleText(headingOf(title, 120)), host);
  return (
    <sup class="reference">
      <WebLink href={target.href} name={l10n.t('Source {0}: {1}', number, name)} tooltip={name}>
        {number}
      </WebLink>
    </sup>
  );
}

export function useSources(): Sources {
  return useContext(SourcesContext);
}

interface WebLinkProps {
  readonly href: string;
  /** Says where it leads. */
  readonly name: string;
  readonly tooltip?: string;
  readonly children: VNode | number;
}

export function WebLink({ href, name, tooltip, children }: WebLinkProps): VNode {
  const { post } = useEnv();
  const address = visibleText(href);
  return (
    <LinkElement
      name={name}
      title={tooltip === undefined ? address : `${tooltip}\n${address}`}
      onFollow={() => post({ kind: 'openLink', href })}
    >
      {children}
    </LinkElement>
  );
}
