/** Makes the copy of the sample that a debugged window opens, below a folder: `copySample.ts FOLDER`. What is there is kept. */
import path from 'node:path';
import { tellAndFail } from './problem.ts';
import { openableSample } from './workspace.ts';

await openableSample(path.join(process.argv[2] ?? '.', 'sample'), true).catch(tellAndFail);
