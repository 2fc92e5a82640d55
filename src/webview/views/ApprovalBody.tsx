/** What a running tool asks about, whole: the same while it is asked and afterwards. Decides nothing. */
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApprovalRequest } from '../../core/conversation/conversation.ts';
import { approvalPieces } from '../approvalText.ts';
import { inputText } from '../callWords.ts';
import { exactCount, runningTime } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { Pieces, Plain } from '../markdown/Plain.tsx';
import { SecretList } from './SecretList.tsx';

export function ApprovalBody({ request }: { request: ApprovalRequest }): VNode {
  switch (request.kind) {
    case 'command':
      return (
        <>
          <WholeText label={l10n.t('Command')} text={request.command} />
          <Facts>
            <Fact name={l10n.t('Folder')}>
              <Code text={request.folder} />
            </Fact>
            <Fact name={l10n.t('Time limit')}>{runningTime(request.seconds * 1000)}</Fact>
          </Facts>
        </>
      );
    case 'read':
      return (
        <>
          <WholeText label={l10n.t('Path')} text={request.path} />
          {request.target === undefined ? null : (
            <Facts>
              <Fact name={l10n.t('Leads to')}>
                <Code text={request.target} />
              </Fact>
            </Facts>
          )}
        </>
      );
    case 'foreignTool':
      return (
        <>
          <Facts>
            <Fact name={l10n.t('Tool')}>
              <Code text={request.name} />
            </Fact>
            <Fact name={l10n.t('Belongs to')}>
              <bdi>
                <Plain text={request.owner} />
              </bdi>
            </Fact>
          </Facts>
          {request.description.trim() === '' ? null : (
            <p
              class="approval-description"
              data-unsearched
              dir="auto"
              tabIndex={0}
              role="group"
              aria-label={l10n.t('Description')}
            >
              <Plain text={request.description.trim()} />
            </p>
          )}
          <WholeText label={l10n.t('Input')} text={inputText(request.input)} />
        </>
      );
    case 'secrets':
      return (
        <>
          <Facts>
            <Fact name={l10n.t('In')}>
              <Code text={request.from} />
            </Fact>
          </Facts>
          <div
            class="secret-places"
            data-unsearched
            tabIndex={0}
            role="group"
            aria-label={l10n.t('What was found')}
          >
            <SecretList found={request.found} />
          </div>
        </>
      );
  }
}

function Facts({ children }: { children: ComponentChildren }): VNode {
  return (
    <dl class="approval-facts" data-unsearched>
      {children}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Code({ text }: { text: string }): VNode {
  const shown = useMemo(() => approvalPieces(text), [text]);
  return (
    <code class="approval-code" dir="ltr">
      <Pieces pieces={shown} />
    </code>
  );
}

/** Never cut: what is longer than its box is scrolled, and it is said that there is more. */
function WholeText({ label, text }: { label: string; text: string }): VNode {
  const box = useRef<HTMLPreElement>(null);
  const [more, setMore] = useState(false);
  const shown = useMemo(() => approvalPieces(text), [text]);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const look = (): void => setMore(current.scrollHeight > current.clientHeight + 1);
    const observer = new ResizeObserver(look);
    observer.observe(current);
    look();
    return () => observer.disconnect();
  }, [text]);
  const lines = text.split('\n').length;
  return (
    <div class="approval-whole">
      <pre ref={box} dir="ltr" tabIndex={0} role="group" aria-label={label}>
        {text === '' ? l10n.t('(nothing)') : <Pieces pieces={shown} />}
      </pre>
      {more ? (
        <p class="approval-more" data-unsearched>
          {lines === 1
            ? l10n.t('There is more of it: scroll to read it to its end.')
            : l10n.t('{0} lines: scroll to read them to their end.', exactCount(lines))}
        </p>
      ) : null}
    </div>
  );
}
