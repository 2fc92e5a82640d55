/**
 * Loaded into VS Code's server before its own code: answers `POST /mint-key`. With the key from there, the workbench in the browser
 * encrypts the secrets that it keeps; the server started by itself has no answer, and then every secret is lost at the next reload.
 * Must not know whose secrets these are.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Server } from 'node:http';
import path from 'node:path';

const folder = process.argv.find((one) => one.startsWith('--user-data-dir='))?.replace(/^[^=]*=/, '');
const emit = Server.prototype.emit;

Server.prototype.emit = function answerOrPass(name, ...rest) {
  const [request, response] = rest;
  if (name !== 'request' || request.method !== 'POST' || request.url !== '/mint-key' || !folder) {
    return emit.call(this, name, ...rest);
  }
  // Only the workbench itself asks; other pages and programs have no business with it.
  if (request.headers['sec-fetch-site'] !== 'same-origin') response.writeHead(403).end();
  else response.writeHead(200).end(keyIn(path.join(folder, 'secret-key')));
  return true;
};

/** 256 bits, as the workbench wants them: the same from start to start. */
function keyIn(file) {
  try {
    return readFileSync(file);
  } catch {
    const key = randomBytes(32);
    writeFileSync(file, key, { mode: 0o600 });
    return key;
  }
}
