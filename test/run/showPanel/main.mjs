/** Opens the Kimi view when VS Code has started. VS Code itself would show its own chat, which is switched off, as an empty bar. */
import { commands } from 'vscode';

export async function activate() {
  await commands.executeCommand('kimiChat.chat.focus');
}
