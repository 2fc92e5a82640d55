/** What `npm audit --json` said, in lines for people. Knows neither npm nor the network. */

/** Vulnerabilities that do no harm here, each with the reason: by `package`, as npm names it. */
export type Explained = Readonly<Record<string, string>>;

export type AuditResult =
  | { readonly kind: 'clean'; readonly packages: number }
  /** Each a line. `open` are those that nobody explained. */
  | { readonly kind: 'found'; readonly open: readonly string[]; readonly explained: readonly string[] }
  /** No report came: that says nothing of the packages. */
  | { readonly kind: 'notChecked'; readonly why: string };

interface Report {
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range: string; readonly via: readonly unknown[] }>
  >;
  readonly metadata?: { readonly dependencies?: { readonly total?: number } };
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

/** @param output what npm wrote to its standard output */
export function readAudit(output: string, explained: Explained): AuditResult {
  let report: Report;
  try {
    report = JSON.parse(output) as Report;
  } catch {
    return { kind: 'notChecked', why: output.trim().slice(0, 300) || 'npm said nothing' };
  }
  const { vulnerabilities, metadata, auditReportVersion } = report;
  if (auditReportVersion === undefined || vulnerabilities === undefined)
    return { kind: 'notChecked', why: report.message ?? report.error?.summary ?? 'npm gave no report' };
  const found = Object.entries(vulnerabilities);
  if (found.length === 0) return { kind: 'clean', packages: metadata?.dependencies?.total ?? 0 };
  const line = ([name, { severity, range, via }]: (typeof found)[number]): string => {
    const titles = via.flatMap((each) =>
      typeof each === 'object' && each !== null && 'title' in each ? [String(each.title)] : [],
    );
    const why = explained[name] === undefined ? '' : ` (${explained[name]})`;
    return `${severity}: ${name} ${range}${titles.length > 0 ? `: ${titles.join('; ')}` : ''}${why}`;
  };
  return {
    kind: 'found',
    open: found.filter(([name]) => explained[name] === undefined).map(line),
    explained: found.filter(([name]) => explained[name] !== undefined).map(line),
  };
}
