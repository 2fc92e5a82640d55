/** What a conversation costs, told before and after, held back where the person said so, and written down. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import { requestsOf, sumOf } from '../../src/core/cost/bill.ts';
import { contextKinds } from '../../src/core/cost/estimate.ts';
import { defaultPrices } from '../../src/core/cost/prices.ts';
import type { UsageRecord } from '../../src/core/cost/usageRecord.ts';
import { costProblemTexts, tellCostProblems } from '../../src/host/cost/costProblems.ts';
import { Ledger } from '../../src/host/cost/ledger.ts';
import { UsageHistory } from '../../src/host/cost/usageHistory.ts';
import { usageText } from '../../src/host/cost/usageText.ts';
import { answer, endEarly, reasoning, refuse, text } from '../simulator/main.ts';
import { ChatStage, choice, lastTurn, testedExtension, type ChatStageOptions } from './chatStage.ts';

const long = 'What is the total of the cart, and why is it rounded? '.repeat(60);

describe('what a conversation costs', () => {
  let folder: string;
  let stage: ChatStage;

  async function open(options: ChatStageOptions = {}): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), 'kimi-chat-cost-'));
    stage = await ChatStage.open({ usageFolder: folder, ...options });
    await stage.connect();
  }

  afterEach(async () => {
    await stage.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function ask(question: string): Promise<void> {
    const session = stage.sessions.current;
    assert.ok(session.ask(question, [], stage.settings.choice));
    await session.whenIdle();
  }

  async function kept(): Promise<readonly UsageRecord[]> {
    const records = await stage.cost.ledger.all();
    return records.toSorted((a, b) => a.at - b.at);
  }

  it('is reckoned before each request, the better the more was counted', async () => {
    await open();
    stage.simulator.reply(
      answer(reasoning('Hm. '.repeat(50)), text('Because. '.repeat(80))),
      answer(text('Yes.')),
    );
    await ask(long);
    await ask('Is that so in every country?');
    const [first, second] = requestsOf(stage.sessions.current.conversation);
    assert.ok(first?.usage && second?.usage);
    near(first.expectedInput, first.usage.input, 0.3);
    near(second.expectedInput, second.usage.input, 0.05);
    assert.ok(second.usage.cached > 0, 'the beginning is found again');
  });

  it('is told with what fills the window, and what the next question will cost', async () => {
    await open();
    const { gate } = stage.cost;
    const session = stage.sessions.current;
    const empty = gate.context(session);
    assert.ok(empty.used > 0 && empty.estimated === empty.used && empty.level === 'fine');
    assert.equal(empty.cacheUntil, undefined);
    assert.equal(empty.breakdown.questions, 0);
    stage.simulator.reply(answer(reasoning('Hm. '.repeat(50)), text('Because. '.repeat(80))));
    let changes = 0;
    gate.onDidChange(() => {
      changes += 1;
    });
    await ask(long);
    assert.equal(changes, 2);
    const [request] = requestsOf(session.conversation);
    assert.ok(request?.usage);
    const context = gate.context(session);
    assert.equal(context.used, request.usage.input + request.usage.output);
    assert.equal(context.estimated, 0);
    assert.equal(context.window, 1_048_576);
    assert.ok(context.breakdown.questions > context.breakdown.reasoning && context.breakdown.reasoning > 0);
    assert.equal(
      contextKinds.reduce((sum, kind) => sum + context.breakdown[kind], 0),
      context.used,
    );
    assert.equal(context.cacheUntil, (request.endedAt ?? 0) + 5 * 60_000);

    const { next, today, prices, limits, unkept } = gate.spending(session, { text: long, attachments: [] });
    assert.deepEqual([prices, limits, unkept], [defaultPrices, {}, undefined]);
    assert.ok(next.input > context.used + 500);
    assert.ok(
      next.cached > 0 && next.money.least <= next.money.likely && next.money.likely < next.money.most,
    );
    const attached = {
      id: 'a',
      kind: 'file',
      path: 'a.ts',
      uri: 'file:///a.ts',
      languageId: 'typescript',
      text: long.repeat(20),
    } as const;
    const withFile = gate.forecastOf(session, { text: long, attachments: [attached] });
    near(withFile.input - next.input, 20 * (next.input - context.used), 0.05);
    assert.deepEqual(gate.forecastOf(session, { text: long, attachments: [attached] }), withFile);
    assert.equal(today.counted, 1);
    assert.ok(today.money > 0 && today.isEstimate);
  });

  it('is written down for each request, by what is known of it, and never with a word of it', async () => {
    await open();
    stage.simulator.reply(
      answer(text('One.')),
      answer(text('Two', endEarly)),
      refuse(400, { message: 'no', type: 'invalid_request_error' }),
    );
    await ask('A secret question');
    await ask('Another one');
    await ask('And one more');
    await stage.cost.ledger.whenKept();
    const records = await kept();
    assert.deepEqual(
      records.map(({ kind }) => kind),
      ['counted', 'uncounted', 'unbilled'],
    );
    const uncounted = records[1];
    assert.ok(uncounted?.kind === 'uncounted' && uncounted.reckoned > 0);
    const files = await readdir(join(folder, 'usage'));
    assert.equal(files.length, 1);
    const written = await readFile(join(folder, 'usage', files[0] ?? ''), 'utf8');
    assert.ok(!/secret|One|Another/.test(written), written);
  });

  it('is held back at the limit of a conversation: nothing is sent, and a new conversation may go on', async () => {
    await open();
    stage.simulator.reply(answer(text('One.')), answer(text('Two.')));
    await ask(long);
    await stage.written.set('kimiChat.conversationLimit', 0.000_001);
    await ask('Again?');
    const { end } = lastTurn(stage.sessions.current);
    assert.ok(end?.kind === 'failed' && end.failure.kind === 'spendingLimit');
    assert.equal(end.failure.scope, 'conversation');
    assert.ok(end.failure.spent > 0 && end.failure.expected > 0);
    assert.equal(stage.simulator.requests.length, 1);
    await stage.written.set('kimiChat.conversationLimit', 1);
    stage.sessions.startNew();
    await ask('Again?');
    assert.equal(lastTurn(stage.sessions.current).end?.kind, 'completed');
  });

  it('is held back at the limit of a conversation whichever version is shown, deleted turns or not', async () => {
    await open();
    const { sessions, written, simulator, panel } = stage;
    panel.show();
    const whole = async (): Promise<number> => {
      await stage.cost.ledger.whenKept();
      return (await kept()).reduce((sum, one) => sum + (one.kind === 'counted' ? one.money : NaN), 0);
    };
    const refusal = (): { readonly spent: number; readonly limit: number } => {
      const { end } = lastTurn(sessions.current);
      assert.ok(end?.kind === 'failed' && end.failure.kind === 'spendingLimit');
      assert.equal(end.failure.scope, 'conversation');
      return end.failure;
    };
    simulator.reply(answer(text('One.')), answer(text('Two. '.repeat(400))), answer(text('Again.')));
    await ask('First?');
    await ask(long);
    const edit = async (question: string): Promise<void> => {
      const { id } = sessions.current.conversation.turns[1] ?? assert.fail();
      panel.tell({ kind: 'edit', id: question, turn: id, text: question, attachments: [] });
      await stage.dealtWith();
      await sessions.current.whenIdle();
    };
    await edit('Shorter?');
    const spent = await whole();
    const shown = requestsOf(sessions.current.conversation);
    assert.equal(simulator.requests.length, 3);
    assert.equal(shown.length, 2);
    const own = sumOf(shown, defaultPrices).money;
    assert.ok(own < spent / 2, 'most of it was for what is not shown');

    // The panel is told the same sum.
    await panel.until(({ mirror }) => mirror?.panel.spending?.family?.otherVersions?.running === 0);
    await panel.until(({ mirror }) => mirror?.panel.spending?.family?.whole.told === 3);
    const { family, today } = panel.state.mirror?.panel.spending ?? {};
    near(family?.whole.money, spent, 1e-9);
    near(today?.money, spent, 1e-9);
    near(family?.otherVersions?.money, spent - own, 1e-9);
    assert.equal(family?.beforeFork, undefined);

    // Above what is shown, below what was spent.
    await written.set('kimiChat.conversationLimit', spent * 0.9);
    await edit('Shorter still?');
    near(refusal().spent, spent, 1e-9);
    const [first] = sessions.current.conversation.turns;
    assert.equal(sessions.current.remove(first?.id ?? ''), undefined);
    await ask('Is it free now?');
    near(refusal().spent, spent, 1e-9);
    assert.equal(simulator.requests.length, 3);
  });

  it('counts the versions that an earlier window left as soon as they are back', async () => {
    await open();
    const { sessions, simulator, panel } = stage;
    panel.show();
    simulator.reply(answer(text('One.')));
    await ask('First?');
    await panel.until(({ mirror }) => (mirror?.panel.spending?.today.money ?? 0) > 0);
    const turn = lastTurn(sessions.current);
    const seed = sessions.current.seed(turn.id, 'version') ?? assert.fail();
    const conversation = { ...seed.conversation, turns: [{ ...turn, id: 'otherwise' }] };
    sessions.window.restore({ ...seed, conversation, begunWith: new Map() }, turn.startedAt + 1);
    await panel.until(({ mirror }) => mirror?.panel.spending?.family?.whole.told === 2);
    const { family } = panel.state.mirror?.panel.spending ?? {};
    near(family?.otherVersions?.money, sumOf(turn.requests, defaultPrices).money, 1e-9);
  });

  it('is that of a fork from the fork on', async () => {
    await open();
    const { sessions, written, simulator, panel } = stage;
    panel.show();
    simulator.reply(answer(text('One. '.repeat(400))), answer(text('Two.')));
    await ask(long);
    const before = sumOf(requestsOf(sessions.current.conversation), defaultPrices).money;
    panel.tell({ kind: 'fork', id: 'f', turn: lastTurn(sessions.current).id });
    await stage.dealtWith();
    await panel.until(({ mirror }) => mirror?.panel.spending?.family?.whole.told === 0);
    await ask('And now?');
    await panel.until(({ mirror }) => mirror?.panel.spending?.family?.whole.told === 1);
    const { family, today } = panel.state.mirror?.panel.spending ?? {};
    const since = sumOf(lastTurn(sessions.current).requests, defaultPrices).money;
    near(family?.beforeFork?.money, before, 1e-9);
    near(family?.whole.money, since, 1e-9);
    near(today?.money, before + since, 1e-9);
    await written.set('kimiChat.conversationLimit', since);
    await ask('Once more?');
    const { end } = lastTurn(sessions.current);
    assert.ok(end?.kind === 'failed' && end.failure.kind === 'spendingLimit');
    near(end.failure.spent, since, 1e-9);
    assert.equal(simulator.requests.length, 2);
  });

  it('is held back at the limit of a day, whatever window spent it', async () => {
    await open();
    const other = new Ledger({
      folder: join(folder, 'usage'),
      clock: Date.now,
      onFailure: () => assert.fail('it can be written'),
      log: stage.log,
    });
    const tokens = { input: 1, regular: 1, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, visible: 0 };
    const common = { id: 'other', at: Date.now(), model: 'kimi-k3', effort: 'max' };
    other.add({ kind: 'counted', ...common, tokens, money: 4.9999, isEstimate: false });
    await other.whenKept();
    await stage.written.set('kimiChat.dailyLimit', 5);
    await ask(long);
    const { end } = lastTurn(stage.sessions.current);
    assert.ok(end?.kind === 'failed' && end.failure.kind === 'spendingLimit');
    assert.deepEqual([end.failure.scope, end.failure.limit, end.failure.spent], ['day', 5, 4.9999]);
    assert.equal(stage.simulator.requests.length, 0);
  });

  it('goes on when nothing can be written', async () => {
    await open();
    await writeFile(join(folder, 'usage'), 'a file stands where the folder should');
    stage.simulator.reply(answer(text('One.')));
    await ask('Does it work?');
    await stage.cost.ledger.whenKept();
    assert.equal(lastTurn(stage.sessions.current).end?.kind, 'completed');
    const facts = stage.cost.gate.spending(stage.sessions.current, { text: '', attachments: [] });
    assert.equal(facts.unkept, true);
    assert.equal(facts.today.counted, 1);
  });

  describe('is shown: what was sent', () => {
    it('exactly, with what came of it, in a document that can’t be changed', async () => {
      await open();
      stage.simulator.reply(answer(reasoning('Hm.'), text('One.')), answer(text('Two.')));
      await ask('First');
      await ask('Second');
      const session = stage.sessions.current;
      const { id } = session.conversation;
      for (const index of [0, 1]) {
        assert.ok(await stage.cost.sent.open(id, index));
        const editor = vscode.window.activeTextEditor;
        assert.ok(editor);
        const shown = editor.document.getText();
        const { request, response } = JSON.parse(shown) as {
          readonly request: { readonly to: string; readonly body: unknown };
          readonly response: {
            readonly usage: unknown;
            readonly itemsKept: readonly { readonly type: string }[];
          };
        };
        assert.deepEqual(request.body, stage.simulator.requests[index]?.body);
        assert.equal(request.to, stage.simulator.url);
        assert.deepEqual(response.usage, requestsOf(session.conversation)[index]?.usage);
        assert.deepEqual(
          response.itemsKept.map(({ type }) => type),
          index === 0 ? ['reasoning', 'message'] : ['message'],
        );
        assert.ok(!shown.includes(stage.simulator.key), 'the key is in it');
        assert.equal(editor.document.languageId, 'json');
        assert.equal(editor.document.uri.path, `/Request ${index + 1}.json`);
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'x')).then(undefined, () => false);
        assert.equal(editor.document.getText(), shown);
      }
    });

    it('without the key, though the person wrote it into the question and the service repeats it', async () => {
      await open();
      const { key } = stage.simulator;
      await stage.keys.set(stage.simulator.url, key);
      try {
        stage.simulator.reply(answer(text(`Is ${key} your key?`)));
        await ask(`My key is ${key}, is it not? \ud800`);
        const session = stage.sessions.current;
        assert.ok(!JSON.stringify(stage.simulator.requests[0]?.body).includes(key), 'the key went out');
        assert.ok(await stage.cost.sent.open(session.conversation.id, 0));
        const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
        assert.match(shown, /My key is ••••••••, is it not\? \ufffd/);
        assert.match(shown, /Is •+ your key\?/);
        assert.ok(!shown.includes(key));
      } finally {
        await stage.keys.clear(stage.simulator.url);
      }
    });

    it('not when there is no such request', async () => {
      await open();
      assert.equal(await stage.cost.sent.open('nobody', 0), false);
      assert.equal(await stage.cost.sent.open(stage.sessions.current.conversation.id, 0), false);
      const gone = await vscode.workspace.openTextDocument(stage.cost.sent.uriOf('nobody', 0));
      assert.match(gone.getText(), /no longer known/);
    });
  });

  describe('is shown: the usage history', () => {
    it('by day and by model, brought up to date when it is shown again', async () => {
      await open();
      await stage.cost.commands['kimiChat.showUsage']();
      const editor = vscode.window.activeTextEditor;
      assert.match(editor?.document.getText() ?? '', /^# Usage history\n\nNothing was asked yet\.\n$/);
      stage.simulator.reply(answer(text('One.')));
      await ask('First');
      const changed = new Promise<void>((resolve) => {
        const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
          if (document !== editor?.document) return;
          listener.dispose();
          resolve();
        });
      });
      await stage.cost.commands['kimiChat.showUsage']();
      await changed;
      assert.match(editor?.document.getText() ?? '', /\| K3\.1 Pro +\| +1 \|/);
      assert.equal(editor?.document.languageId, 'markdown');
    });

    it('with sums, and with question marks where nobody knows', () => {
      const at = new Date(2026, 10, 30, 12).getTime();
      const tokens = {
        input: 1000,
        regular: 500,
        cached: 500,
        cacheWrite: 0,
        output: 100,
        reasoning: 60,
        visible: 40,
      };
      const common = { at, effort: 'max' };
      const shown = usageText({
        records: [
          { kind: 'counted', id: 'a', model: 'kimi-k3', ...common, tokens, money: 0.5, isEstimate: true },
          { kind: 'uncounted', id: 'b', model: 'kimi|k9', ...common, reckoned: 0.25 },
        ],
        unkept: true,
      });
      const rows = shown.split('\n').filter((line) => line.startsWith('|'));
      assert.equal(rows.length, 6);
      assert.equal(new Set(rows.map(({ length }) => length)).size, 1, shown);
      assert.match(rows[2] ?? '', /2026-11-30 \| K3 +\| .* 1,000 \| .* ≈ \$0\.50 \|$/);
      assert.match(rows[3] ?? '', /kimi\\\|k9 +\| +1 \| +\? \| .* \? \|$/);
      assert.match(rows[5] ?? '', /^\| Total .* ≈ \$0\.50 \+ \? \|$/);
      assert.match(shown, /at least \$0\.25 in all/);
      assert.match(shown, /can’t be written to the disk/);
      const little = usageText({
        records: [
          {
            kind: 'counted',
            id: 'a',
            model: 'kimi-k3',
            ...common,
            tokens,
            money: 0.000_12,
            isEstimate: false,
          },
          { kind: 'uncounted', id: 'b', model: 'kimi-k3', ...common, reckoned: 0.000_02 },
        ],
        unkept: false,
      });
      assert.match(little, /\$0\.00012 \+ \? \|/);
      assert.match(little, /at least \$0\.00002 in all/);
    });

    it('by the commands of the extension itself', async () => {
      await open();
      await testedExtension().activate();
      await vscode.commands.executeCommand('kimiChat.showUsage');
      assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'kimi-usage');
      const commands = await vscode.commands.getCommands(true);
      assert.ok(commands.includes('kimiChat.exportUsage'));
    });

    it('as a table in a file', async () => {
      await open();
      stage.simulator.reply(answer(text('One.')));
      await ask('First');
      const history = new UsageHistory(stage.cost.ledger, `${stage.schemes.proposal}-history`);
      try {
        const file = join(folder, 'usage.csv');
        assert.equal(await history.export(() => Promise.resolve(undefined)), undefined);
        const written = await history.export(() => Promise.resolve(vscode.Uri.file(file)));
        assert.equal(written?.fsPath, file);
        const lines = (await readFile(file, 'utf8')).split('\r\n');
        assert.match(lines[0] ?? '', /^\uFEFFday,time,model,/);
        assert.match(lines[1] ?? '', /,kimi-k3\.1-pro,high,counted,\d+,/);
        await assert.rejects(
          history.export(() => Promise.resolve(vscode.Uri.file(join(file, 'below a file.csv')))),
        );
      } finally {
        history.dispose();
      }
    });
  });

  describe('is set', () => {
    it('by the person: prices, limits and the time to live', async () => {
      await open();
      const { settings, written } = stage;
      assert.deepEqual(settings.choice, choice);
      assert.deepEqual([settings.prices, settings.limits], [defaultPrices, {}]);
      await written.set('kimiChat.cacheTtl', '1h');
      assert.deepEqual(settings.choice, { ...choice, cacheTtl: '1h' });
      await written.set('kimiChat.prices', { 'kimi-k3': { input: 1 } });
      assert.equal(settings.prices['kimi-k3'].input, 1);
      await written.set('kimiChat.dailyLimit', 2.5);
      assert.deepEqual(settings.limits, { day: 2.5 });
      stage.simulator.reply(answer(text('One.')), answer(text('Two.')));
      await ask('First');
      const sent = stage.simulator.requests[0]?.body as { readonly prompt_cache_options?: unknown };
      assert.deepEqual(sent.prompt_cache_options, { mode: 'implicit', ttl: '1h' });
      assert.equal(requestsOf(stage.sessions.current.conversation)[0]?.cacheTtl, '1h');
      await written.set('kimiChat.model', 'kimi-k3');
      await ask('Second');
      const second = stage.simulator.requests[1]?.body as { readonly prompt_cache_options?: unknown };
      assert.equal(second.prompt_cache_options, undefined);
    });

    it('and what can’t be read is told, once', async () => {
      await open();
      const told: string[] = [];
      const { settings, written } = stage;
      stage.store.add(tellCostProblems(settings, (problem, setting) => told.push(`${setting}: ${problem}`)));
      assert.deepEqual(told, []);
      await written.set('kimiChat.dailyLimit', 'five');
      await written.set('kimiChat.saveAfterAccept', false);
      assert.deepEqual(told, [
        'kimiChat.dailyLimit: kimiChat.dailyLimit is no amount of US dollars, so nothing is limited by it.',
      ]);
      await written.set('kimiChat.dailyLimit', 5);
      assert.equal(told.length, 1);
      const problems = [
        { kind: 'noObject' },
        { kind: 'unknownModel', model: 'kimi-k9' },
        { kind: 'modelNoObject', model: 'kimi-k3' },
        { kind: 'unknownPrice', model: 'kimi-k3', price: 'cached' },
        { kind: 'badPrice', model: 'kimi-k3', price: 'input' },
      ] as const;
      for (const problem of problems) {
        const [one] = costProblemTexts({ prices: [problem], limits: [] });
        assert.match(one?.text ?? '', /kimiChat\.prices/);
      }
      assert.deepEqual(
        costProblemTexts({ prices: [], limits: ['confirmAbove', 'conversation'] }).map(
          ({ setting }) => setting,
        ),
        ['kimiChat.confirmAbove', 'kimiChat.conversationLimit'],
      );
    });
  });
});

function near(tokens: number | undefined, real: number, share: number): void {
  assert.ok(
    tokens !== undefined && Math.abs(tokens - real) <= real * share,
    `${tokens} is not within ${share} of ${real}`,
  );
}
