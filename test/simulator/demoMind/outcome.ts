/** Reads from a tool's report what became of a patch. The report is prose, so this goes by words. */

export type Verdict = 'accepted' | 'partly' | 'rejected' | 'cancelled' | 'failed';

const rejected = /\breject|\bdeclin|\bnot accepted|\brefused by the (?:person|user)/i;
const cancelled = /\bcancel|\bstopped|\baborted/i;
const failing =
  /\bfail|\berror|\bconflict|could ?n[o']t|\bcannot|can't|\bnot (?:applied|found|changed|written)|\bnothing was|does not|doesn't|\binvalid|\bunknown|\bunsupported/i;
const accepted =
  /\baccept|\bapplied|\bupdated|\badded|\bcreated|\bdeleted|\bmoved|\bsuccess|\bdone\b|^[AMD] \S/im;

export function verdictOf(report: string): Verdict {
  const lines = report.split('\n').filter((line) => line.trim() !== '');
  const good = lines.filter((line) => accepted.test(line) && !rejected.test(line) && !failing.test(line));
  const bad = lines.filter((line) => rejected.test(line) || failing.test(line) || cancelled.test(line));
  if (good.length > 0 && bad.length > 0) return 'partly';
  if (rejected.test(report)) return 'rejected';
  if (cancelled.test(report)) return 'cancelled';
  if (failing.test(report)) return 'failed';
  return accepted.test(report) ? 'accepted' : 'failed';
}

export function wasAccepted(report: string): boolean {
  return ['accepted', 'partly'].includes(verdictOf(report));
}
