/** Makes the VSIX of the folder it is started in: `package.ts [OUT]`. What goes in is said by `.vscodeignore`. */
import { makePackage } from './makePackage.ts';
import { repository } from './places.ts';
import { tellAndFail } from './problem.ts';

await makePackage({ from: repository, out: process.argv[2], print: true }).catch(tellAndFail);
