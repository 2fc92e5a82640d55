/** A journal that another window writes to is read on as it grows: each line once, in order, and none before it is whole. */
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { FollowedJournal } from '../../../src/host/journal/followJournal.ts';
import { readLines } from '../../../src/host/journal/lines.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

describe(`a journal that somebody else writes to (seed ${seed})`, () => {
  let folder: string;
  let path: string;
  let told: string[];
  let breaks: number;
  let followed: FollowedJournal | undefined;
  /** Called at the next line or break. */
  let news: () => void;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kimi-chat-follow-'));
    path = join(folder, 'c.jsonl');
    told = [];
    breaks = 0;
    news = () => undefined;
  });
  afterEach(async () => {
    followed?.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function follow(from: number): FollowedJournal {
    followed = new FollowedJournal(path, from, {
      onLines: (lines) => {
        told.push(...lines);
        news();
      },
      onDidBreak: () => {
        breaks += 1;
        news();
      },
    });
    return followed;
  }

  const next = (): Promise<void> =>
    new Promise((resolve) => {
      news = resolve;
    });

  it('is told of by itself, from where it was read', async () => {
    await writeFile(path, 'one\ntwo\nthr');
    const { ended } = await readLines(path, { take: () => undefined });
    assert.equal(ended, 8);
    const journal = follow(ended);
    await journal.look();
    assert.deepEqual(told, [], 'no line is told before it is whole');
    const whole = next();
    await appendFile(path, 'ee\n\nfour');
    await whole;
    assert.deepEqual(told, ['three', '']);
    journal.dispose();
    await appendFile(path, '\n');
    await journal.look();
    assert.deepEqual(told, ['three', '']);
  });

  it('has each line once and in order, wherever the writing of it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => JSON.stringify(text))),
        fc.array(fc.nat(20), { minLength: 1 }),
        async (lines, lengths) => {
          await writeFile(path, '');
          told = [];
          const journal = follow(0);
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          let at = 0;
          for (let turn = 0; at < bytes.length; turn++) {
            const to = at + (lengths[turn % lengths.length] ?? 0) + 1;
            await appendFile(path, bytes.subarray(at, to));
            at = to;
            if (turn % 3 === 0) await journal.look();
          }
          await journal.look();
          journal.dispose();
          assert.deepEqual(told, lines);
        },
      ),
      { seed, numRuns: 20 },
    );
    assert.equal(breaks, 0);
  });

  it('says once that what was read is no longer what stands there', async () => {
    await writeFile(path, 'one\ntwo\n');
    let journal = follow(8);
    await journal.look();
    await truncate(path, 4);
    await journal.look();
    await appendFile(path, 'three\n');
    await journal.look();
    assert.deepEqual([told, breaks], [[], 1]);

    journal = follow(10);
    await rm(path);
    await journal.look();
    await journal.look();
    assert.equal(breaks, 2);
  });
});
