/** A search in the web: one line that opens to its sources. */
import type { VNode } from 'preact';
import type { SearchPart, WebImage } from '../../core/conversation/conversation.ts';
import { dot } from '../dot.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { linkTarget } from '../markdown/links.ts';
import { Plain } from '../markdown/Plain.tsx';
import { memo } from '../memo.ts';
import { searchText, sourcesText } from '../searchText.ts';
import { listedSources, sourceHost, type NumberedSource } from '../sources.ts';
import { headingOf } from '../turnFacts.ts';
import { Fold } from './Fold.tsx';
import { useKept } from './hooks.ts';
import { Doubt, SourceList, useSources, WebLink } from './Sources.tsx';
import { Working } from './Working.tsx';

export interface SearchLineProps {
  readonly part: SearchPart;
  /** The turn has ended: a search that was never closed was cut off. */
  readonly ended: boolean;
}

export const SearchLine = memo(({ part, ended }: SearchLineProps): VNode => {
  const [open, setOpen] = useKept('open', false);
  const { images, failed } = part.search;
  const sources = listedSources(part, useSources());
  const going = part.closedAt === undefined && !ended;
  const unfinished = part.closedAt === undefined || failed === true;
  const text = searchText(part, unfinished);
  const summary = going ? (
    <Working text={text} since={part.openedAt} />
  ) : (
    <>
      {text}
      <span class="tool-state">
        {failed === true ? <span class="failed">{dot + l10n.t('failed')}</span> : null}
        {failed !== true && unfinished ? dot + l10n.t('cut off') : null}
        {sources.length > 0 ? dot + sourcesText(sources.length) : null}
      </span>
    </>
  );
  if (sources.length === 0 && images.length === 0)
    return (
      <div class="reasoning-line" dir="auto">
        {summary}
      </div>
    );
  return (
    <Fold className="search" open={open} onToggle={() => setOpen(!open)} summary={summary}>
      {sources.length === 0 ? null : <SourceList sources={sources} />}
      {images.length === 0 ? null : <Images images={images} />}
    </Fold>
  );
});

/** Sources that the answer names and no search listed. */
export function NamedSources({ sources }: { sources: readonly NumberedSource[] }): VNode {
  const [open, setOpen] = useKept('open', false);
  return (
    <Fold
      className="search"
      open={open}
      onToggle={() => setOpen(!open)}
      summary={
        sources.length === 1
          ? l10n.t('The answer names 1 source')
          : l10n.t('The answer names {0} sources', sources.length)
      }
    >
      <SourceList sources={sources} />
    </Fold>
  );
}

/** Images of other hosts are never loaded. */
function Images({ images }: { images: readonly WebImage[] }): VNode {
  return (
    <>
      <div class="tool-label">{l10n.t('Images')}</div>
      <ul class="sources" title={l10n.t('Images are not loaded')}>
        {images.map((image, index) => (
          <li key={index}>
            <ImageEntry image={image} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ImageEntry({ image: { url, page, caption } }: { image: WebImage }): VNode {
  const target = linkTarget(page ?? url, caption ?? '');
  const host = sourceHost(page ?? url);
  const text = headingOf(caption ?? '', 120) || l10n.t('Image');
  if (target.kind === 'text' || host === undefined) return <Plain text={text} />;
  return (
    <>
      <WebLink href={target.href} name={l10n.t('{0}, {1}', visibleText(text), host)}>
        <span dir="auto">
          <Plain text={text} />
        </span>
      </WebLink>
      <span class="source-host"> {host}</span>
      <Doubt says={target.misleads} host={host} />
    </>
  );
}
