/** A strict `text.format` gets JSON of its schema, or the test is told that its script is wrong. */
import assert from 'node:assert/strict';

import { demoMind } from './demoMind/demoMind.ts';
import { answer, functionCall, gate, incomplete, reasoning, text, vary, type Answer } from './script.ts';
import { checkStructured } from './structured.ts';
import type { JsonObject } from './wire.ts';

const schema = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
  additionalProperties: false,
};

function wanting(strict: boolean, more: JsonObject = {}): JsonObject {
  return { text: { format: { type: 'json_schema', name: 'n', schema, strict } }, ...more };
}

function check(script: Answer, body = wanting(true)): void {
  checkStructured(body, script);
}

describe('a strict answer format', () => {
  it('is kept by JSON of the schema, in however many pieces', () => {
    check(answer(reasoning('Hm.'), text('{"title":', gate('half'), '"Carts"}')));
  });

  it('is not kept by anything else that comes to its end', () => {
    for (const said of ['Carts', '[]', '{}', '{"title":3}', '{"title":"x","more":1}', ''])
      assert.throws(() => check(answer(text(said))), /the script answers a strict text\.format with/, said);
    assert.throws(() => check(answer(reasoning('Hm.'))), /strict text\.format/);
  });

  it('says nothing of answers that break off, call something or are odd on purpose, and none where it is not strict', () => {
    check(answer(text('{"tit', incomplete())));
    check(answer(functionCall('look', {})));
    check(vary(answer(text('Carts')), { quirks: {} }));
    check(answer(text('Carts')), wanting(false));
    check(answer(text('Carts')), {});
  });

  it('knows only schemas that ours are made of', () => {
    const format = { type: 'json_schema', strict: true, schema: { type: 'tuple' } };
    assert.throws(() => check(answer(text('1')), { text: { format } }), /knows no schema/);
  });

  it('is kept by the demo mind, whatever it is asked', () => {
    const titleFor = (said: string): string => {
      const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: said }] }];
      const script = demoMind({ index: 0, body: wanting(true, { input }) });
      check(script);
      return script.steps
        .flatMap((step) => (step.kind === 'text' ? step.pieces : []))
        .filter((piece) => typeof piece === 'string')
        .join('');
    };
    assert.equal(
      titleFor('{"question":"Why is the total in src/cart.ts wrong?","answer":"The \\"loop\\"."}'),
      '{"title":"Total src/cart.ts wrong"}',
    );
    assert.equal(titleFor('{"question":"?"}'), '{"title":"A question"}');
    assert.equal(titleFor('no JSON'), '{"title":"A question"}');
  });
});
