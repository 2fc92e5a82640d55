/** Reads from a tool's report what became of a patch. The report is prose, so this goes by words, the first line before the rest. */

export type Verdict = 'accepted' | 'amended' | 'partly' | 'rejected' | 'cancelled' | 'already' | 'failed';

const rejected = /\breject|\bdeclin|\bnot accepted|\brefused by the (?:person|user)/i;
const cancelled = /\bcancel|\bstopped|\baborted|\bnot decided/i;
const failing =
  /\bfail|\berror|\bconflict|could ?n[o']t|\bcannot|can't|\bnot (?:applied|found|changed|written)|\bnothing was|does not|doesn't|\binvalid|\bunknown|\bunsupported/i;
const accepted = /\baccept|\bapplied|\bupdated|\badded|\bcreated|\bdeleted|\bmoved|\bsuccess|\bdone\b/i;
const changedFile = /^[AMDR] (\S+)/;

export function verdictOf(report: string): Verdict {
  const lines = report.split('\n').filter((line) => line.trim() !== '');
  const first = lines[0] ?? '';
  if (/^nothing was changed/i.test(first)) return whyNothing(first, lines.slice(1));
  if (/\d+ of \d+ files?/i.test(first) && accepted.test(first)) return 'partly';
  if (/not all of it as proposed|\bwith changes by\b|\bamended\b/i.test(first)) return 'amended';
  // Further lines quote code and reasons, so they count only where the first one says nothing.
  if (accepted.test(first) && !rejected.test(first) && !failing.test(first)) {
    return lines.slice(1).some((line) => /^\S+: (?:rejected|not written|not decided)/i.test(line))
      ? 'partly'
      : 'accepted';
  }
  const good = lines.filter((line) => accepted.test(line) && !rejected.test(line) && !failing.test(line));
  const bad = lines.filter((line) => rejected.test(line) || failing.test(line) || cancelled.test(line));
  if (good.length > 0 && bad.length > 0) return 'partly';
  if (rejected.test(report)) return 'rejected';
  if (cancelled.test(report)) return 'cancelled';
  return good.length > 0 && bad.length === 0 ? 'accepted' : 'failed';
}

/** Whether the file is now as a patch wanted it, or as the person made it of that. */
export function wasTaken(report: string, path: string): boolean {
  const verdict = verdictOf(report);
  if (verdict === 'accepted' || verdict === 'already') return true;
  if (verdict !== 'partly' && verdict !== 'amended') return false;
  return report.split('\n').some((line) => changedFile.exec(line)?.[1] === path);
}

function whyNothing(first: string, rest: readonly string[]): Verdict {
  if (/\balready\b/i.test(first)) return 'already';
  if (rejected.test(first)) return 'rejected';
  if (cancelled.test(first)) return 'cancelled';
  if (failing.test(first.replace(/^nothing was changed/i, ''))) return 'failed';
  const said = (pattern: RegExp) => rest.some((line) => pattern.test(line));
  if (said(/: not written|could not be/i)) return 'failed';
  return said(/: rejected/i) ? 'rejected' : 'failed';
}
