/**
 * Loaded into VS Code's server before its own code: has an extension host note each connection, each datagram, each name that is looked
 * up and each program that is started, a line of JSON each, in the file that `KIMI_CHAT_NETWORK_LOG` names. Changes nothing of what they
 * do. Must not know whose they are.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const file = process.env['KIMI_CHAT_NETWORK_LOG'];

function note(kind, what) {
  appendFileSync(file, `${JSON.stringify({ kind, what })}\n`);
}

function told(holder, name, tell) {
  const before = holder[name];
  holder[name] = function noteAndDo(...parameters) {
    tell(parameters);
    return before.apply(this, parameters);
  };
}

/** Of the ways to name a target: an object, a port with a host, a path; or what Node itself makes of one of them. */
function targetOf([first, second]) {
  const target = Array.isArray(first) ? first[0] : first;
  if (typeof target === 'object' && target !== null)
    return target.path ?? `${target.host ?? 'localhost'}:${target.port}`;
  return typeof target === 'number'
    ? `${typeof second === 'string' ? second : 'localhost'}:${target}`
    : target;
}

if (file !== undefined && process.argv.includes('--type=extensionHost')) {
  told(net.Socket.prototype, 'connect', (parameters) => note('connect', String(targetOf(parameters))));
  told(dgram.Socket.prototype, 'send', () => note('datagram', ''));
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
    told(dns, name, ([host]) => note('name', String(host)));
    told(dns.promises, name, ([host]) => note('name', String(host)));
  }
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork'])
    told(childProcess, name, ([program]) => note('program', String(program)));
  for (const name of ['exec', 'execSync'])
    told(childProcess, name, ([line]) => note('program', String(line)));
  syncBuiltinESMExports();
  note('began', String(process.pid));
}
