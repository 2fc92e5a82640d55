/** Random scripts and cuts for properties. Every script is one the service could have followed. */
import fc from 'fast-check';
import {
  annotated,
  answer,
  applyPatch,
  completed,
  errorEvent,
  failed,
  functionCall,
  incomplete,
  parallel,
  reasoning,
  text,
  unasked,
  vary,
  webSearch,
  type Answer,
  type Cut,
  type Ending,
  type Item,
  type Step,
} from './script.ts';

/** From FC_SEED where it is set, so that a failure can be had again. */
export const seed = Number(process.env['FC_SEED'] ?? Date.now() & 0x7f_ff_ff_ff);

/** Words in several scripts, so that cuts fall into UTF-8 sequences, and everything JSON has to escape. */
const prose = fc
  .array(
    fc.constantFrom('sum', ' of', '\n', '\r\n', '"', '\\', '\u2028', ' 合計', '😀', 'é', '`x`', '\t', '0.1'),
    {
      maxLength: 12,
    },
  )
  .map((words) => words.join(''));

const anyReasoning = fc.array(prose, { maxLength: 3 }).map((parts) => reasoning(...parts));
const anyAnnotation = fc.record({
  type: fc.constantFrom('url_citation', 'url_citation', 'file_citation'),
  url: fc.constantFrom('https://example.test/', 'https://other.test/'),
  title: prose,
  start_index: fc.nat(20),
  end_index: fc.nat(40),
});
const anyMessage = fc
  .tuple(
    fc.array(prose, { minLength: 1, maxLength: 3 }),
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(anyAnnotation, { maxLength: 3 })),
  )
  .map(([pieces, annotations]) => annotated(text(...pieces), ...annotations));
const anySearch = fc.tuple(prose, fc.boolean()).map(([query, told]) => {
  const search = webSearch(query, [{ url: 'https://example.test/', title: 'Example' }]);
  return told ? unasked(search) : search;
});
const anyCall: fc.Arbitrary<Item> = fc.oneof(
  prose.map((input) => applyPatch(input)),
  fc.tuple(fc.constantFrom('read_file', 'list'), prose).map(([name, path]) => functionCall(name, { path })),
  prose.map((id) => functionCall('lookup', { id }, 'crm')),
  fc.constant(functionCall('no_arguments', '')),
);
const anyEnding: fc.Arbitrary<Ending> = fc.oneof(
  fc.constant(completed),
  fc.constantFrom(incomplete(), incomplete('content_filter')),
  fc.constant(failed('The model is gone')),
  fc.constant(errorEvent('flat', 'Overloaded')),
);

/** In the documented order: search, reasoning, messages, calls; perhaps cut off in the last item. */
export const anyAnswer: fc.Arbitrary<Answer> = fc
  .record({
    searches: fc.array(anySearch, { maxLength: 1 }),
    reasonings: fc.array(anyReasoning, { maxLength: 2 }),
    messages: fc.array(anyMessage, { maxLength: 2 }),
    calls: fc.array(anyCall, { maxLength: 4 }),
    atOnce: fc.boolean(),
    ending: fc.option(anyEnding, { nil: undefined }),
    cutOff: fc.boolean(),
    deltas: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant('pieces' as const)),
    encryptReasoning: fc.boolean(),
  })
  .map(({ searches, reasonings, messages, calls, atOnce, ending, cutOff, deltas, encryptReasoning }) => {
    const steps: Step[] = [...searches, ...reasonings, ...messages];
    if (atOnce && calls.length > 1) steps.push(parallel(...calls));
    else steps.push(...calls);
    if (ending !== undefined) {
      if (cutOff && ending.kind !== 'completed') steps.push(text('half of', ending, ' it'));
      else steps.push(ending);
    }
    const fits = !(cutOff && calls.length > 0);
    return vary(answer(...(fits ? steps : steps.filter((step) => step.kind !== 'text'))), {
      deltas,
      encryptReasoning,
    });
  });

export const anyCut: fc.Arbitrary<Cut> = fc.oneof(
  fc.constant<Cut>({ kind: 'frames' }),
  fc.constant<Cut>({ kind: 'joined' }),
  fc.integer({ min: 1, max: 40 }).map((size): Cut => ({ kind: 'bytes', size })),
  fc
    .record({ seed: fc.integer(), max: fc.integer({ min: 1, max: 500 }) })
    .map((cut): Cut => ({ kind: 'random', ...cut })),
);
