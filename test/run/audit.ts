/**
 * Asks the registry for known vulnerabilities of all packages that the lock names, those that ship and those for development. Fails
 * where there is one that is not explained here. Not every registry answers: then it says that nothing was checked, and does not fail.
 */
import { spawnSync } from 'node:child_process';
import { readAudit, type Explained } from './auditReport.ts';
import { repository } from './places.ts';

const explained: Explained = {};

const { stdout, error } = spawnSync('npm audit --json --package-lock-only --loglevel=silent', {
  cwd: repository,
  encoding: 'utf8',
  shell: true,
  maxBuffer: 1 << 26,
});
const result = readAudit(error === undefined ? stdout : error.message, explained);
switch (result.kind) {
  case 'clean':
    console.log(`No known vulnerability in ${result.packages} packages.`);
    break;
  case 'found':
    for (const line of result.explained) console.log(`explained: ${line}`);
    for (const line of result.open) console.log(line);
    if (result.open.length > 0) process.exitCode = 1;
    break;
  case 'notChecked':
    console.log(`Not checked: the registry gave no report. ${result.why}`);
}
