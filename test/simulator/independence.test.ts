/** The simulator is worth something only as long as it shares nothing with the product it checks. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** What a file imports: the module named after `from`, or alone. */
const imported = /(?:^import |^(?:import|export|\}) (?:[^'"\n]* )?from |\bimport\()\s*['"]([^'"]+)['"]/gm;

describe('the simulator', () => {
  it('imports nothing but Node and itself; its tests besides only what checks it', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    assert.ok(files.length > 30);
    const checks = new Set(['fast-check', 'openai', '@ai-sdk/openai', 'ai', '@openai/agents']);
    const inTests = (name: string) => /\.test\.ts$|^arbitraries\.ts$/.test(path.basename(name));
    for (const name of files) {
      const source = readFileSync(path.join(folder, name), 'utf8');
      for (const [, module = ''] of source.matchAll(imported)) {
        const target = path.relative(folder, path.resolve(path.dirname(path.join(folder, name)), module));
        const own = module.startsWith('.') && !target.startsWith('..');
        const fits = module.startsWith('node:') || own || (inTests(name) && checks.has(module));
        assert.ok(fits, `${name} imports ${module}`);
      }
    }
  });
});
