import { expect } from 'chai';
import { readableLogLine } from '../../src/cli/demo/log-line.ts';
import { DEMO_HELP, readDemoSettings } from '../../src/cli/demo/settings.ts';

describe('waybill demo', () => {
  it('reads its options, and prefers --port to PORT', () => {
    const usual = { json: false, help: false, port: undefined, data: undefined };
    expect(readDemoSettings([], {})).to.deep.equal(usual);
    expect(readDemoSettings(['--data', './demo'], {})).to.include({ data: './demo' });
    expect(readDemoSettings(['--json'], { PORT: '0' })).to.include({ json: true, port: '0' });
    expect(readDemoSettings(['--port', '9000'], { PORT: '0' })).to.include({ port: '9000' });
    expect(readDemoSettings(['-h'], {})).to.include({ help: true });
    for (const words of [['--prot', '1'], ['--port', 'x'], ['--port', '65536'], ['extra']]) {
      expect(() => readDemoSettings(words, {}), words.join(' ')).to.throw();
    }
    for (const line of DEMO_HELP.split('\n')) expect(line.length).to.be.at.most(80);
  });

  it('logs a refusal in one line for people', () => {
    const refused = {
      level: 'warn',
      time: '2026-11-23T02:29:21.100Z',
      requestId: 'r',
      accountId: 'a',
      method: 'POST',
      route: '/api/v1/notifications/send',
      code: 'provider.refused',
      providerCode: 131026,
      msg: 'Request failed',
    };
    expect(readableLogLine(JSON.stringify(refused))).to.equal(
      '02:29:21 warn: Request failed (method POST, route /api/v1/notifications/send, code provider.refused, providerCode 131026)',
    );
    const err = { type: 'Error', message: 'disk\nfull', stack: 'Error: disk\n  at x' };
    const fault = { level: 'error', time: '2026-11-23T02:29:21.100Z', msg: 'Failed', err };
    expect(readableLogLine(JSON.stringify(fault))).to.match(
      /^02:29:21 error: Failed \(disk.*full\)$/,
    );
  });
});
