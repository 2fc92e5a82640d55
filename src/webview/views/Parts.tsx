/** All that answered a question, in its order. Which view draws which kind of part is said here. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Part, ToolPart, Turn } from '../../core/conversation/conversation.ts';
import { groupsOf } from '../partGroups.ts';
import { TurnSources } from '../sources.ts';
import { reasoningTokens } from '../turnFacts.ts';
import { Answer } from './Answer.tsx';
import { ApprovalCard } from './ApprovalCard.tsx';
import { Guard } from './Guard.tsx';
import { PatchCard } from './PatchCard.tsx';
import { Place } from './Place.tsx';
import { Reasoning } from './Reasoning.tsx';
import { NamedSources, SearchLine } from './SearchLine.tsx';
import { SourcesContext } from './Sources.tsx';
import { ToolLines } from './ToolLine.tsx';

export function Parts({ turn }: { turn: Turn }): VNode {
  const [known] = useState(() => new TurnSources());
  const sources = known.of(turn.parts);
  const ended = turn.end !== undefined;
  const groups = groupsOf(turn.parts, ended);
  const asked = groups.flatMap((group) => (group.kind === 'asking' ? [group.approval.id] : []));
  return (
    <SourcesContext.Provider value={sources}>
      {groups.map((group) => {
        if (group.kind === 'asking') {
          const { part, approval } = group;
          return (
            <Guard key={`asks ${approval.id}`} text={() => part.input}>
              <ApprovalCard
                approval={approval}
                call={part.id}
                place={asked.indexOf(approval.id) + 1}
                of={asked.length}
                shape={`${turn.parts.length} ${asked.join(' ')}`}
              />
            </Guard>
          );
        }
        if (group.kind === 'calls') {
          const { calls } = group;
          return (
            <Guard key={calls[0]?.id} text={() => calls.map(({ input }) => input).join('\n\n')}>
              <ToolLines calls={calls} ended={ended} />
            </Guard>
          );
        }
        const { part } = group;
        return (
          <Guard key={part.id} text={() => textOf(part)}>
            <Place name={part.id}>
              {group.kind === 'patch' ? (
                <PatchCard part={group.part} ended={ended} />
              ) : (
                <PartView part={group.part} turn={turn} current={part === turn.parts.at(-1)} />
              )}
            </Place>
          </Guard>
        );
      })}
      {sources.unlisted.length === 0 ? null : (
        <Place name="sources">
          <NamedSources sources={sources.unlisted} />
        </Place>
      )}
    </SourcesContext.Provider>
  );
}

interface PartViewProps {
  readonly part: Exclude<Part, ToolPart>;
  readonly turn: Turn;
  /** Nothing came after it. */
  readonly current: boolean;
}

function PartView({ part, turn, current }: PartViewProps): VNode {
  const ended = turn.end !== undefined;
  switch (part.kind) {
    case 'reasoning': {
      const tokens = reasoningTokens(turn, part);
      return (
        <Reasoning
          part={part}
          current={current && !ended}
          ended={ended}
          {...(tokens !== undefined && { tokens })}
        />
      );
    }
    case 'answer':
      return <Answer part={part} ended={ended} />;
    case 'search':
      return <SearchLine part={part} ended={ended} />;
  }
}

/** What is shown of a part that can't be drawn. */
function textOf(part: Part): string {
  switch (part.kind) {
    case 'reasoning':
    case 'answer':
      return part.sections.join('\n\n');
    case 'search':
      return part.search.sources.map(({ url }) => url).join('\n');
    case 'tool':
      return part.input;
  }
}
