/**
 * A second extension beside the tested one, in host tests only: hands out what VS Code gives an extension and nobody else, above
 * all a real secret storage, a view that has no provider yet, and a tool for models that does as its input says. Must not know the
 * tested extension.
 */
import * as vscode from 'vscode';

export function activate(context) {
  const calls = [];
  const waiting = [];
  const called = (call) => {
    calls.push(call);
    for (const resolve of waiting.splice(0)) resolve(call.input);
  };
  context.subscriptions.push(
    vscode.lm.registerTool('kimi_tests_stock', stock(called)),
    // How a test learns of its calls, those included whose results nobody waits for.
    vscode.commands.registerCommand('kimiChatTests.stockCalls', () => calls.splice(0)),
    vscode.commands.registerCommand(
      'kimiChatTests.nextStockCall',
      () => new Promise((resolve) => void waiting.push(resolve)),
    ),
  );
  return context;
}

function stock(called) {
  return {
    invoke: async ({ input }, token) => {
      const call = { input, cancelled: false };
      called(call);
      switch (input.item) {
        case 'nothing':
          return new vscode.LanguageModelToolResult([]);
        case 'unknown':
          throw new Error('There is no such item.');
        case 'endless':
          return new Promise((resolve) => {
            token.onCancellationRequested(() => {
              call.cancelled = true;
              resolve(new vscode.LanguageModelToolResult([]));
            });
          });
        case 'every kind':
          return new vscode.LanguageModelToolResult([
            new vscode.LanguageModelTextPart('text'),
            vscode.LanguageModelDataPart.json({ left: 3 }),
            vscode.LanguageModelDataPart.text('# Markdown', 'text/markdown'),
            vscode.LanguageModelDataPart.image(new Uint8Array(2048), 'image/png'),
            new vscode.LanguageModelPromptTsxPart({
              node: { type: 1, children: [{ type: 2, text: 'elements', lineBreakBefore: true }] },
            }),
          ]);
        default:
          return new vscode.LanguageModelToolResult([
            new vscode.LanguageModelTextPart(`3 of ${JSON.stringify(input)}`),
          ]);
      }
    },
  };
}
