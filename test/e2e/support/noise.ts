/** What VS Code's own web workbench complains about on every start. Anything else on the console is a finding. */
const known: readonly RegExp[] = [
  // It asks for a service worker and translations that this build does not ship.
  /Failed to load resource: the server responded with a status of 404 .*\/(static\/node_modules\/vsda\/|update\/check)/,
  /A bad HTTP response code \(404\) was received when fetching the script/,
  /Failed to register a ServiceWorker/,
  // No gallery, no update server, no sign-in while testing.
  /net::ERR_NAME_NOT_RESOLVED|ENOTFOUND|EAI_AGAIN/,
  /extension gallery|gallery service/i,
  /authentication provider 'github'/,
  // When a file is deleted or moved while a diff editor shows it.
  /TextModel got disposed before DiffEditorWidget model got reset/,
  // When what a diff shows is decided about while that diff is being opened.
  /Model is disposed![\s\S]*\.setDiffModel \(/,
  // On a busy machine it does not wait for all who have a say in saving, its own formatters included.
  /Aborted onWillSaveTextDocument-event after \d+ms/,
  // On a busy machine, when a webview is taken away while the page around it is still being loaded.
  /Found unexpected null\n\s+at assertIsDefined \([^)]*\/webview\/browser\/pre\/index\.html/,
  // On a busy machine, when a tab or the extension host is away for long: it asks for that again.
  /Request \d+ timed out \(15000ms\)/,
  // On a reload of the page.
  /IndexedDB database '[\w-]+' is closed/,
  /Failed to execute 'abort' on 'IDBTransaction': The transaction has finished/,
  // What it calls off itself, as on a reload or when it changes its workspace.
  /\bCanceled: Canceled\b/,
  /Long running operations during shutdown are unsupported in the web/,
];

export function isKnownNoise(text: string): boolean {
  return known.some((pattern) => pattern.test(text));
}
