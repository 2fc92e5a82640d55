/** The panel's page: a fixed frame without any content of its own. All that is shown later is built by the script as nodes. */
import * as vscode from 'vscode';

export interface PageParts {
  readonly extensionUri: vscode.Uri;
  readonly nonce: string;
  /** Translations of the panel's texts as JSON, from `panelTexts`; undefined where there are none. */
  readonly texts: string | undefined;
  /** The name of the editor tab that it stands in; undefined in the side bar. */
  readonly tab: string | undefined;
}

export function page(webview: vscode.Webview, { extensionUri, nonce, texts, tab }: PageParts): string {
  const uri = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${webview.cspSource}`,
    `style-src ${webview.cspSource}`,
    'img-src data: blob:',
    // These two do not follow `default-src`.
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${texts === undefined ? 'en' : escapeAttribute(vscode.env.language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <link rel="stylesheet" href="${uri('media', 'chat.css')}" />
    <title>${escapeText(vscode.l10n.t('Kimi Chat'))}</title>
  </head>
  <body${tab === undefined ? '' : ' class="in-tab"'}>
    <div id="root"${tab === undefined ? '' : ` data-tab="${escapeAttribute(tab)}"`} data-locale="${escapeAttribute(vscode.env.language)}" data-l10n="${escapeAttribute(texts ?? '{}')}">
      <p class="loading">${escapeText(vscode.l10n.t('Loading the conversation…'))}</p>
    </div>
    <script type="module" nonce="${nonce}" src="${uri('dist', 'webview', 'main.js')}"></script>
  </body>
</html>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
