/** Asks before patches are written without asking: by a dialog of the editor itself, for no message of a page is to switch that on. */
import * as vscode from 'vscode';

/** True when the person wants it so. What has the cursor at first changes nothing. */
export async function wantsWritingAtOnce(): Promise<boolean> {
  const keep = vscode.l10n.t('Keep Asking');
  const write = vscode.l10n.t('Write at Once');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Write patches of the model without asking?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'In every workspace, until you switch it off. You see afterwards what was changed, and can take it back. Files that others obey or run are still asked about.',
      ),
    },
    keep,
    write,
  );
  return answer === write;
}
