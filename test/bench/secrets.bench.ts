/** Looking for secrets: in code as it is, and in texts that are made to be slow. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { findSecrets } from '../../src/core/secrets/findSecrets.ts';
import { milliseconds, NotMeasured, type Bench } from './bench.ts';

const size = 1_000_000;

/** The sources of this project, over and over: they hold none. */
function code(): string {
  const folder = fileURLToPath(new URL('../../src/core', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const text = files.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
  return repeated(text);
}

function repeated(piece: string): string {
  return piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
}

function scan(name: string, text: () => string, found: (count: number) => boolean): Bench {
  const made = { text: '' };
  return {
    name: `secrets: ${name}, 1 MB`,
    unit: 'ms',
    better: 'less',
    setup: () => {
      made.text = text();
    },
    measure: () => {
      let count = 0;
      const time = milliseconds(() => {
        count = findSecrets(made.text).length;
      });
      if (!found(count)) throw new NotMeasured(`${count} found`);
      return time;
    },
  };
}

const random = 'q7Zb2XvK9mTf4RwYc8JdP3sLhG6nAeUoB5iDxWkM';

export const benches: readonly Bench[] = [
  scan('code', code, (count) => count === 0),
  scan(
    'a secret in every line',
    () => repeated(`API_KEY=${random}\n`),
    (count) => count > 10_000,
  ),
  // What begins a search and ends none.
  scan(
    'beginnings of tokens',
    () => repeated('ghp_ sk- eyJ AKIA eyJaaaaaaaa.eyJaaaaaaaa. '),
    (count) => count === 0,
  ),
  scan(
    'beginnings of private keys',
    () => repeated('-----BEGIN RSA PRIVATE KEY-----\n'),
    (count) => count === 0,
  ),
  scan(
    'beginnings of addresses',
    () => repeated(`://${'a'.repeat(120)}:${'b'.repeat(250)}`),
    (count) => count === 0,
  ),
  scan(
    'names without values',
    () => repeated('apikey=apikey='),
    (count) => count === 0,
  ),
  scan(
    'one long word',
    () => repeated('passwordtoken'),
    (count) => count === 0,
  ),
  scan(
    'one line of base64',
    () => repeated(`${random}/`),
    (count) => count === 0,
  ),
];
