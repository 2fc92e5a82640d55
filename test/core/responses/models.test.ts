import assert from 'node:assert/strict';

import { effortFor, modelRow, models } from '../../../src/core/responses/models.ts';

describe('responses/models', () => {
  it('finds a model by its id, and nothing by another text', () => {
    for (const row of models) assert.equal(modelRow(row.id), row);
    assert.equal(modelRow('kimi-k9'), undefined);
  });

  it('gives the wanted effort where the model has it, and else its default', () => {
    const efforts = models.map((row) =>
      ['low', 'high', 'max', 'medium', undefined].map((want) => effortFor(row, want)),
    );
    assert.deepEqual(efforts, [
      ['low', 'high', 'max', 'max', 'max'],
      ['low', 'high', 'max', 'max', 'max'],
      ['max', 'max', 'max', 'max', 'max'],
    ]);
  });
});
