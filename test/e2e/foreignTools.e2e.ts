/** Tools of an MCP server: chosen in the list, called by the model through their namespace, each call allowed or not by the person. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

import type { HistoryItem, RequestBody } from '../../src/core/responses/wire.ts';
import { fetchMcpServer } from '../run/fetchLocked.ts';
import { answer, functionCall, parallel, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('tools of an MCP server', () => {
  const stage = useStage();
  /** As VS Code names the server of these tests, from what that calls itself. */
  const namespace = 'mcp_everything_re';

  let server: string;
  before('bring the server', async function bring() {
    // The first run brings it from npm.
    this.timeout(600_000);
    server = await fetchMcpServer();
  });
  before('have VS Code start the server', async function start() {
    this.timeout(120_000);
    await stage.bench.inside(async (vscode, script) => {
      const { lm, McpStdioServerDefinition } = vscode;
      lm.registerMcpServerDefinitionProvider('kimi-chat-tests.servers', {
        provideMcpServerDefinitions: () => [
          new McpStdioServerDefinition('everything', process.execPath, [script], {}),
        ],
      });
      // What VS Code does by itself when its own chat is used.
      const ready = { waitForLiveTools: true };
      while (!lm.tools.some(({ name }) => name.endsWith('_echo')))
        await vscode.commands.executeCommand('workbench.mcp.startServer', '*', ready);
    }, server);
  });

  const row = (name: string): Locator =>
    stage.bench.page.locator('.quick-input-list .monaco-list-row').filter({
      has: stage.bench.page.locator('.label-name', { hasText: new RegExp(`^${name}$`) }),
    });
  /** Opens the list, and checks or unchecks tools in it. */
  const choose = async (...names: readonly string[]): Promise<void> => {
    const { bench } = stage;
    await bench.runCommand('Kimi Chat: Choose Tools…');
    for (const name of names) {
      const input = bench.page.locator('.quick-input-widget input.input');
      await input.fill(name);
      await row(name).waitFor();
      await row(name).click();
    }
    await bench.page.locator('.quick-input-widget input.input').fill('');
    await bench.screenshot('tools-list');
    await bench.page.keyboard.press('Enter');
    await bench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  };
  const bodyOf = async (index: number): Promise<RequestBody> =>
    JSON.parse((await stage.request(index)).bodyText) as RequestBody;
  const offered = ({ tools = [] }: RequestBody): readonly string[] =>
    tools.flatMap((tool) =>
      tool.type === 'namespace' ? tool.tools.map(({ name }) => `${tool.name}/${name}`) : [],
    );
  const outputs = ({ input }: RequestBody): readonly string[] =>
    input.flatMap((item: HistoryItem) => (item.type === 'function_call_output' ? [item.output] : []));

  it('are offered once they are chosen, and called once they are allowed', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('I have no clock.')));
    await chat.ask('Which tools do you have?');
    await chat.says(chat.answer, 'I have no clock.');
    assert.deepEqual(offered(await bodyOf(0)), []);

    await choose('echo', 'get-sum');
    simulator.reply(
      answer(
        parallel(
          functionCall('get-sum', { a: 2, b: 40 }, namespace),
          functionCall('echo', { message: 'out of the workspace' }, namespace),
        ),
      ),
      answer(text('Together 42.')),
    );
    await chat.ask('What is the sum?');
    const asked = chat.panel.getByRole('group', { name: /^Call this tool\?/ });
    await chat.says(asked.first(), /get-sum/);
    await chat.says(asked.first(), /MCP server everything_re/);
    await chat.says(asked.first(), /"b": 40/);
    await bench.screenshot('tools-asked');
    await chat.press(asked.first().getByRole('button', { name: 'Call once', exact: true }), async () => {
      return (await asked.count()) === 1;
    });
    await chat.says(asked, /out of the workspace/);
    await chat.press(asked.getByRole('button', { name: 'Deny', exact: true }));
    await chat.says(chat.answer.last(), 'Together 42.');
    await bench.screenshot('tools-called');

    const body = await bodyOf(2);
    assert.deepEqual(offered(body), [`${namespace}/echo`, `${namespace}/get-sum`]);
    const [sum, echo] = outputs(body);
    assert.equal(sum, 'The sum of 2 and 40 is 42.');
    assert.match(echo ?? '', /^The person did not allow it, and it was not run\./);
    const called = body.input.flatMap((item) => (item.type === 'function_call' ? [item.namespace] : []));
    assert.deepEqual(called, [namespace, namespace]);
  });

  it('are asked about by VS Code in addition, where it does so', async () => {
    const { bench, chat, simulator } = stage;
    const tool = 'toggle-simulated-logging';
    await choose(tool);
    simulator.reply(
      answer(functionCall(tool, {}, namespace)),
      answer(functionCall(tool, {}, namespace)),
      answer(text('It logs.')),
    );
    await chat.ask('Log something');
    const asked = chat.panel.getByRole('group', { name: /^Call this tool\?/ });
    const allow = async (): Promise<void> => {
      await asked.waitFor();
      await chat.press(asked.getByRole('button', { name: 'Call once', exact: true }));
    };
    const dialog = bench.page.locator('.monaco-dialog-box');
    await allow();
    await chat.says(dialog, /Toggle Simulated Logging/);
    await bench.screenshot('tools-asked-by-vscode');
    await bench.takesKeys(dialog);
    await bench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await allow();
    await chat.says(dialog, /Toggle Simulated Logging/);
    await bench.takesKeys(dialog);
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.answer.last(), 'It logs.');
    const [refused, done] = outputs(await bodyOf(2));
    assert.match(refused ?? '', /did not allow it|not run/);
    assert.match(done ?? '', /^Started simulated/);
    await choose(tool);
  });

  it('can be read about in the list, which leads to their servers', async () => {
    const { bench } = stage;
    await bench.runCommand('Kimi Chat: Choose Tools…');
    await bench.pressInRow(row('echo'), 'Show what the model is told of it');
    const dialog = bench.page.locator('.monaco-dialog-box');
    assert.match(await stage.chat.says(dialog, /"Message to echo"/), /echo of MCP server everything_re/);
    await bench.screenshot('tools-told');
    await bench.takesKeys(dialog);
    await bench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await bench.page.getByRole('button', { name: 'Show the MCP servers, to start them' }).click();
    await row('everything').waitFor();
    await bench.takesKeys(bench.page.locator('.quick-input-widget'));
    await bench.page.keyboard.press('Escape');
    await bench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  });

  it('are not offered any more when they are taken out', async () => {
    const { chat, simulator } = stage;
    await choose('echo');
    simulator.reply(answer(text('One tool.')), answer(text('No tool.')));
    await chat.ask('Which tools do you have?');
    await chat.says(chat.answer, 'One tool.');
    assert.deepEqual(offered(await bodyOf(0)), [`${namespace}/get-sum`]);
    await choose('get-sum');
    await chat.ask('And now?');
    await chat.says(chat.answer.last(), 'No tool.');
    assert.deepEqual(offered(await bodyOf(1)), []);
  });
});
