import { crash } from '../../support/journalCrash.ts';

describe('a process that writes a conversation and is killed', () => {
  it('loses no more than half a second, and nothing that was written before', async function () {
    this.timeout(120_000);
    const { lost, torn } = await crash(12);
    console.log(`      at most ${lost} ms lost, ${torn} lines cut off`);
  });
});
