/** API keys in VS Code's real secret storage, and in the requests that carry them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { defaultBaseUrl, readAddress } from '../../src/host/address.ts';
import { keepKey } from '../../src/host/chat/keyCommands.ts';
import { KimiClient } from '../../src/host/kimiClient.ts';
import type { Log } from '../../src/host/log.ts';
import { Network } from '../../src/host/network.ts';
import { networkSettings } from '../../src/host/networkSettings.ts';
import { ApiKeys } from '../../src/host/secrets.ts';
import { answer, startSimulator, text, type ReceivedRequest, type Simulator } from '../simulator/main.ts';
import { collect, smallBody, textOf } from '../support/client.ts';
import { hostContext, newLog } from './chatStage.ts';

const evolink = new URL(defaultBaseUrl).origin;
const elsewhere = 'https://gateway.example';

describe('API keys', () => {
  let secrets: vscode.SecretStorage;
  let keys: ApiKeys;
  /** As another window has it: only the storage is the same. */
  let other: ApiKeys;
  let log: Log;
  const simulators: Simulator[] = [];

  before(async () => {
    ({ secrets } = await hostContext());
    log = newLog();
  });
  after(() => log.dispose());
  beforeEach(() => {
    keys = new ApiKeys(secrets);
    other = new ApiKeys(secrets);
  });
  afterEach(async () => {
    for (const simulator of simulators.splice(0)) {
      await keys.clear(simulator.url);
      await simulator.close();
    }
    await keys.clear(evolink);
    await keys.clear(elsewhere);
    keys.dispose();
    other.dispose();
    assert.deepEqual(await secrets.keys(), []);
  });

  const start = async (): Promise<Simulator> => {
    const simulator = await startSimulator({ mind: () => answer(text('Fine.')), auth: 'optional' });
    simulators.push(simulator);
    return simulator;
  };
  const client = (baseUrl: string, from = keys): KimiClient =>
    new KimiClient({
      address: () => readAddress(baseUrl),
      key: (origin) => from.get(origin),
      silenceSeconds: () => 60,
      network: new Network(networkSettings),
      userAgent: 'kimi-chat/test',
      log,
    });
  const ask = async (simulator: Simulator, from = keys): Promise<ReceivedRequest> => {
    const chunks = await collect(client(`${simulator.url}/v1`, from));
    assert.match(textOf(chunks), /Fine\./);
    return simulator.nextRequest();
  };

  it('are kept for one origin each, in the storage alone', async () => {
    await keys.set(evolink, 'sk-for-evolink');
    await keys.set(elsewhere, 'sk-for-gateway');
    assert.equal(await other.get(evolink), 'sk-for-evolink');
    assert.equal(await other.get(elsewhere), 'sk-for-gateway');
    for (const origin of ['https://evolink.ai', `${evolink}:8443`, 'http://direct.evolink.ai', '', 'null']) {
      assert.equal(await keys.get(origin), undefined, origin);
    }
  });

  it('are given up on when the storage never answers, and can then be used until the window closes', async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const mute: vscode.SecretStorage = {
      keys: never,
      get: never,
      store: never,
      delete: never,
      onDidChange: secrets.onDidChange,
    };
    const patient = new ApiKeys(mute, 1);
    await Promise.all(
      [patient.get(evolink), patient.set(evolink, 'sk-1'), patient.clear(evolink)].map((answer) =>
        assert.rejects(answer, /does not answer/),
      ),
    );
    patient.useUntilClosed(evolink, 'sk-1');
    assert.equal(await patient.get(evolink), 'sk-1');
    patient.dispose();
  });

  it('go to their own origin and to no other, not even on this machine', async () => {
    const [mine, its] = [await start(), await start()];
    await keys.set(evolink, 'sk-for-evolink');
    assert.equal((await ask(mine)).headers.authorization, undefined);
    await keys.set(mine.url, 'sk-for-mine');
    assert.equal((await ask(mine)).headers.authorization, 'Bearer sk-for-mine');
    assert.equal((await ask(its)).headers.authorization, undefined);
    for (const { headers, bodyText } of [...mine.requests, ...its.requests]) {
      assert.doesNotMatch(`${JSON.stringify(headers)}${bodyText}`, /sk-for-evolink/);
    }
  });

  it('are asked for by the exact origin, and without one no connection is made', async () => {
    await keys.set(evolink, 'sk-for-evolink');
    for (const baseUrl of [
      elsewhere,
      'https://direct.evolink.ai.example',
      'https://direct.evolink.ai:8443',
    ]) {
      const chunks = await collect(client(baseUrl));
      assert.deepEqual(chunks, [{ kind: 'failed', failure: { kind: 'noKey' } }], baseUrl);
    }
  });

  it('are read anew for each request, so that a change in another window counts at once', async () => {
    const simulator = await start();
    await keys.set(simulator.url, 'sk-number-one');
    assert.equal((await ask(simulator)).headers.authorization, 'Bearer sk-number-one');
    await other.set(simulator.url, 'sk-number-two');
    assert.equal((await ask(simulator)).headers.authorization, 'Bearer sk-number-two');
    await other.clear(simulator.url);
    assert.equal((await ask(simulator)).headers.authorization, undefined);
  });

  it('tell of changes that another window made', async () => {
    const changed = next(keys.onDidChange);
    await other.set(evolink, 'sk-for-evolink');
    await changed;
    const cleared = next(keys.onDidChange);
    await other.clear(evolink);
    await cleared;
    assert.equal(await keys.get(evolink), undefined);
  });

  it('do not tell of secrets that are none of theirs', async () => {
    let told = 0;
    keys.onDidChange(() => {
      told += 1;
    });
    const stored = next(secrets.onDidChange);
    await secrets.store('something else', 'x');
    await stored;
    assert.equal(told, 0);
    await secrets.delete('something else');
  });

  it('say whether there was one to clear', async () => {
    assert.equal(await keys.clear(evolink), false);
    await keys.set(evolink, 'sk-for-evolink');
    assert.equal(await keys.clear(evolink), true);
    keys.useUntilClosed(evolink, 'sk-for-now');
    assert.equal(await keys.clear(evolink), true);
    assert.equal(await keys.get(evolink), undefined);
  });

  describe('where the storage can’t be written', () => {
    let unwritable: ApiKeys;
    beforeEach(() => {
      unwritable = new ApiKeys(withoutKeyring(secrets));
    });
    afterEach(async () => {
      unwritable.dispose();
      await vscode.commands.executeCommand('notifications.clearAll');
    });

    it('are offered for use until the window closes, and written nowhere', async () => {
      const simulator = await start();
      await answered(
        keepKey(unwritable, simulator.url, 'sk-for-now', log),
        'notification.acceptPrimaryAction',
      );
      assert.equal((await ask(simulator, unwritable)).headers.authorization, 'Bearer sk-for-now');
      assert.deepEqual(await secrets.keys(), []);
      assert.equal(await other.get(simulator.url), undefined);
      unwritable.dispose();
      assert.equal(await new ApiKeys(withoutKeyring(secrets)).get(simulator.url), undefined);
    });

    it('are not used when that is turned down', async () => {
      await answered(keepKey(unwritable, evolink, 'sk-for-now', log), 'notifications.clearAll');
      assert.equal(await unwritable.get(evolink), undefined);
      assert.deepEqual(await secrets.keys(), []);
    });

    it('are told to be there still when they could not be cleared', async () => {
      await keys.set(evolink, 'sk-for-evolink');
      await assert.rejects(unwritable.clear(evolink));
      assert.equal(await unwritable.get(evolink), 'sk-for-evolink');
    });

    it('give way to one that another window could keep', async () => {
      unwritable.useUntilClosed(evolink, 'sk-for-now');
      assert.equal(await unwritable.get(evolink), 'sk-for-now');
      const changed = next(unwritable.onDidChange);
      await other.set(evolink, 'sk-kept');
      await changed;
      assert.equal(await unwritable.get(evolink), 'sk-kept');
    });
  });

  it('never stand in what is sent beside them', async () => {
    const simulator = await start();
    await keys.set(simulator.url, 'sk-for-mine');
    const { headers, bodyText } = await ask(simulator);
    const { authorization: _, ...others } = headers;
    assert.doesNotMatch(JSON.stringify(others) + bodyText, /sk-for-mine/);
    assert.equal(bodyText, JSON.stringify(smallBody));
  });
});

/** The real storage on a system without a keyring: reading works, writing does not. */
function withoutKeyring(real: vscode.SecretStorage): vscode.SecretStorage {
  const fail = (): Promise<never> => Promise.reject(new Error('no keyring'));
  return {
    keys: () => real.keys(),
    get: (key) => real.get(key),
    store: fail,
    delete: fail,
    onDidChange: real.onDidChange,
  };
}

function next<T>(event: vscode.Event<T>): Promise<T> {
  return new Promise((resolve) => {
    const listener = event((value) => {
      listener.dispose();
      resolve(value);
    });
  });
}

/** Gives the command until the question is answered by it: VS Code has no event for a notification that has come up. */
async function answered(asking: Promise<void>, command: string): Promise<void> {
  const asked = { answered: false };
  void asking.then(() => {
    asked.answered = true;
  });
  while (!asked.answered) {
    await vscode.commands.executeCommand(command);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
