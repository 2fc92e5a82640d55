/** What is fetched from npm to test with, each with its exact version. Must not know how it is fetched. */

/** The two versions of VS Code the extension is tested in: the current one, and the floor of `engines.vscode`. */
export type VsCodeVersion = '1.139' | '1.106';

export const vsCodeVersions: readonly VsCodeVersion[] = ['1.139', '1.106'];

export interface VsCodePin {
  /** As `vscode.version` reports it. */
  readonly vscode: string;
  /** The npm package that ships the server and the web workbench. */
  readonly codeServer: string;
  /** The Node it runs on: this project's own, or one fetched as well. */
  readonly node: 'own' | { readonly version: string };
  /** Rough download, for the line that announces it. */
  readonly megabytes: number;
}

export const vsCodePins: Readonly<Record<VsCodeVersion, VsCodePin>> = {
  '1.139': { vscode: '1.139.1', codeServer: '4.139.1', node: 'own', megabytes: 200 },
  '1.106': { vscode: '1.106.3', codeServer: '4.106.3', node: { version: '22.23.5' }, megabytes: 120 },
};

/** The search binary 1.106 would otherwise download while installing; our own search is compared with it too. */
export const ripgrepVersion = '1.18.0';

/** The lock of 4.106.3 names this package by a git address; the same version from npm serves as well. */
export const parcelWatcherVersion = '2.5.1';

/** A headless browser for machines without one, and fonts to see Latin, code, Chinese and Korean in it. */
export const browserPins = {
  chromium: { name: '@sparticuz/chromium', version: '153.0.0' },
  fonts: [
    { name: 'dejavu-fonts-ttf', version: '2.37.3' },
    { name: '@embedpdf/fonts-sc', version: '1.0.0' },
    { name: '@embedpdf/fonts-kr', version: '1.0.0' },
  ],
  megabytes: 145,
} as const;

export const codexVersion = '0.171.0';

/** A server for tests of the Model Context Protocol, by those who made the protocol: each of its tools does one thing that there is. */
export const mcpServerVersion = '2026.8.31';

/** Makes the VSIX. */
export const vsceVersion = '4.1.0';
