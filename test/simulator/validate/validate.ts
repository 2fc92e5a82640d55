/** The rules of each mode, in the order in which they are asked; the first broken one is the answer. */
import type { JsonObject } from '../wire.ts';
import {
  callIds,
  callNames,
  customCallsDeclared,
  customInputs,
  functionArguments,
  itemFieldsKnown,
  itemIds,
  itemsCompleted,
  itemTypesKnown,
  messageContents,
  messageRoles,
  reasoningItems,
  toolOutputs,
  webSearchItems,
} from './items.ts';
import type { Memory } from './memory.ts';
import {
  callIdsDistinct,
  callsHaveOutputs,
  outputKindsMatch,
  outputsHaveCalls,
  reasoningBeforeCalls,
  reasoningLeadsSomewhere,
} from './order.ts';
import {
  customTools,
  functionTools,
  namespaceTools,
  toolNamesDistinct,
  toolsList,
  webSearchTools,
} from './tools.ts';
import {
  cacheOptions,
  fieldsKnown,
  includeForWebSearch,
  inputGiven,
  instructionsText,
  maxOutputTokens,
  modelGiven,
  modelKnown,
  reasoningEffort,
  samplingFixed,
  streamBoolean,
  textFormat,
  toolChoiceAuto,
} from './topLevel.ts';
import { violationOf, type Rule, type Violation } from './violation.ts';

export type Mode = 'strict' | 'lenient';

/** Every rule that can be checked on a body alone. */
export const rules = {
  modelGiven,
  modelKnown,
  inputGiven,
  fieldsKnown,
  instructionsText,
  streamBoolean,
  maxOutputTokens,
  reasoningEffort,
  textFormat,
  toolChoiceAuto,
  samplingFixed,
  toolsList,
  functionTools,
  customTools,
  namespaceTools,
  webSearchTools,
  toolNamesDistinct,
  includeForWebSearch,
  cacheOptions,
  itemTypesKnown,
  itemsCompleted,
  itemFieldsKnown,
  itemIds,
  messageRoles,
  messageContents,
  reasoningItems,
  callIds,
  callNames,
  functionArguments,
  customInputs,
  toolOutputs,
  webSearchItems,
  callIdsDistinct,
  callsHaveOutputs,
  outputsHaveCalls,
  outputKindsMatch,
  reasoningBeforeCalls,
  reasoningLeadsSomewhere,
  customCallsDeclared,
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** What is left of the rules for clients written for other services: only what no service could do without. */
export const lenientRules: ReadonlySet<string> = new Set<RuleName>([
  'modelGiven',
  'inputGiven',
  'streamBoolean',
  'callIds',
  'callsHaveOutputs',
  'outputsHaveCalls',
]);

/** The first broken rule of a body, its history checked against what was answered before. */
export function validate(body: JsonObject, mode: Mode, memory: Memory): Violation | undefined {
  for (const [name, rule] of Object.entries<Rule>(rules)) {
    if (mode === 'lenient' && !lenientRules.has(name)) continue;
    for (const complaint of rule(body)) {
      const excused = name === 'reasoningBeforeCalls' && memory.hasNoReasoning(idAt(body, complaint.param));
      if (!excused) return violationOf(name, complaint);
    }
  }
  if (mode === 'lenient') return undefined;
  for (const complaint of memory.unaltered(body)) return violationOf('replayUnaltered', complaint);
  for (const complaint of memory.sameModel(body)) return violationOf('sealOfSameModel', complaint);
  for (const complaint of memory.whole(body)) return violationOf('replayWhole', complaint);
  return undefined;
}

function idAt(body: JsonObject, param: string): unknown {
  const index = Number(/^input\[(\d+)\]$/.exec(param)?.[1]);
  const input = body['input'];
  return Array.isArray(input) ? (input[index] as JsonObject | undefined)?.['id'] : undefined;
}
