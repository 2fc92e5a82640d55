/**
 * Run in a process of its own: `node bundleProbe.ts <bundle> [--host-first]`. Loads an extension's bundle as VS Code would, with
 * `vscode` stubbed and a `navigator` that throws, and prints as JSON what the bundle did to the process.
 */
import Module, { createRequire } from 'node:module';
import { resolve } from 'node:path';

export interface Probed {
  readonly exported: readonly string[];
  /** The slots of undici's global dispatcher which the bundle itself wrote to. */
  readonly writtenByBundle: readonly string[];
  /** Those which had a dispatcher before and have another one now. */
  readonly replaced: readonly string[];
  readonly newGlobals: readonly string[];
  readonly navigatorReads: number;
}

const bundle = resolve(process.argv[2] ?? '');
const slots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
const globals: Record<PropertyKey, unknown> = globalThis;

/** Stands for any class, function, namespace or value of the API. */
const anything: object = new Proxy(function () {}, {
  get: (target, name): unknown => {
    return name in target || typeof name === 'symbol' ? Reflect.get(target, name) : anything;
  },
  apply: () => anything,
});

/** The bundle copies a module's own properties and keeps its prototype, so that is where everything has to be found. */
const vscode: unknown = Object.create(anything);

/** Tells the bundle's writes from those of Node, which fills the slots for its own `fetch` when that is first touched. */
const writtenByBundle: string[] = [];
interface Definer {
  defineProperty(this: void, target: object, key: PropertyKey, descriptor: PropertyDescriptor): unknown;
}
for (const owner of [Object, Reflect] as Definer[]) {
  const define = owner.defineProperty;
  owner.defineProperty = (target, key, descriptor) => {
    if (target === globalThis && slots.some((slot) => slot === key)) {
      const caller = new Error('to see who calls').stack?.split('\n')[2];
      if (caller?.includes(bundle)) writtenByBundle.push(String(key));
    }
    return define(target, key, descriptor);
  };
}

if (process.argv.includes('--host-first')) await fetch('data:,');
const before = slots.map((slot) => globals[slot]);
const globalsBefore = new Set(Reflect.ownKeys(globals));

let navigatorReads = 0;
Object.defineProperty(globalThis, 'navigator', {
  configurable: true,
  get() {
    navigatorReads += 1;
    throw new Error('navigator is read');
  },
});

const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
const load = loader._load;
loader._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
const exported = Object.keys(createRequire(import.meta.url)(bundle) as object);

const probed: Probed = {
  exported,
  writtenByBundle,
  replaced: slots
    .filter((slot, index) => before[index] !== undefined && globals[slot] !== before[index])
    .map(String),
  newGlobals: Reflect.ownKeys(globals)
    .filter((key) => !globalsBefore.has(key) && !slots.some((slot) => slot === key))
    .map(String),
  navigatorReads,
};
console.log(JSON.stringify(probed));
