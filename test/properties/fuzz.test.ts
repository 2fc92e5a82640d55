/** Each boundary with some hundreds of whatever may come over it; `npm run bench -- "fuzz: "` tries a hundred thousand of each. */
import { seed } from '../simulator/arbitraries.ts';
import { boundaryNames, tryCases } from './fuzz/run.ts';

describe(`fuzz (seed ${seed})`, function () {
  this.timeout(60_000);
  for (const name of boundaryNames) it(name, async () => void (await tryCases(name, 200, seed)));
});
