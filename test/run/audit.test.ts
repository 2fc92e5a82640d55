/** What is made of the reports of `npm audit`, and of none. */
import assert from 'node:assert/strict';
import { readAudit } from './auditReport.ts';

const report = (vulnerabilities: object): string =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { dependencies: { total: 12 } } });

describe('the look for known vulnerabilities', () => {
  it('tells those that nobody explained from those that were', () => {
    assert.deepEqual(readAudit(report({}), {}), { kind: 'clean', packages: 12 });
    const found = report({
      a: { severity: 'high', range: '<2', via: [{ title: 'Reads too much' }, 'b'] },
      b: { severity: 'low', range: '*', via: ['a'] },
    });
    assert.deepEqual(readAudit(found, { b: 'never called' }), {
      kind: 'found',
      open: ['high: a <2: Reads too much'],
      explained: ['low: b * (never called)'],
    });
  });

  it('never takes the lack of a report for a clean one', () => {
    const why = (output: string): unknown => {
      const result = readAudit(output, {});
      return result.kind === 'notChecked' ? result.why : result;
    };
    assert.equal(why('{"message":"405 Method Not Allowed","method":"POST"}'), '405 Method Not Allowed');
    assert.equal(why('{"error":{"summary":"no network"}}'), 'no network');
    assert.equal(why('{}'), 'npm gave no report');
    assert.equal(why(''), 'npm said nothing');
    assert.equal(why('<html>'), '<html>');
  });
});
