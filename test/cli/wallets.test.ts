import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import type { Tenant } from '../support/waybill.ts';
import { runnerAt, useStub } from './support.ts';

const lines = (text: string) => text.trimEnd().split('\n');

describe('waybill, of an account on a wallet plan', () => {
  useRealConnections();
  const world = inSuite(openWorld);
  let tenant: Tenant;
  before(async () => {
    tenant = await world.tenant({ wallet: '1.00' });
    expect((await world.send(tenant)).status).to.equal(200);
  });
  const run = runnerAt(() => world.waybill);

  it('shows a top-up and an adjustment in the currency, to the last millionth', async () => {
    const topped = await answered(0, run('wallet', 'top-up', tenant.accountId, '25.00'));
    expect(topped.stdout).to.match(/^amount: +\+25\.0000$/m);
    expect(topped.stdout).to.match(/^balance after: +25\.99\d+$/m);
    const adjusted = await run('wallet', 'adjust', tenant.accountId, '-0.000001', '--json');
    expect(JSON.parse(adjusted.stdout)).to.deep.include({ amount: '-0.000001', type: 'REVOKE' });
  });
});

describe('waybill ledger, over an API whose events come in pages', () => {
  const stub = useStub();
  const granted = (revision: number) => ({
    id: `e${revision}`,
    type: 'CreditsGranted',
    version: 1,
    stream: 'account-acc_1',
    revision,
    position: String(revision + 1).padStart(16, '0'),
    meta: {},
    data: {
      accountId: 'acc_1',
      entryId: `led_1_${revision}`,
      amount: 1,
      balanceAfter: revision,
      at: '2026-11-21T12:00:00.000Z',
      sequence: revision,
      reason: null,
      grantedBy: null,
      previousHash: 'g',
      hash: 'h',
    },
  });
  const report = { ok: true, accounts: 1, movements: 0, problems: [], problemCount: 0 };
  const pages: Record<string, object> = {
    0: { events: [granted(1), granted(2)], nextFrom: 2 },
    2: { events: [], nextFrom: 7 },
    7: { events: [granted(3)], nextFrom: null },
  };

  it('reads every page to the last, also after an empty one', async () => {
    stub.answers(({ query }) => ({ body: pages[query.from!] ?? report }));
    const { stdout } = await answered(0, stub.run('ledger replay acc_1'));
    expect(lines(stdout).at(-1)).to.equal('3 movements, balance 3 credits');
    const asked = stub.asked.filter(({ method }) => method === 'GET');
    const path = '/api/admin/v1/accounts/acc_1/events';
    expect(asked.map((one) => [one.path, one.query])).to.deep.equal(
      ['0', '2', '7'].map((from) => [path, { from, limit: '1000' }]),
    );
  });

  it('reports an answer without events, and the problems that the service finds', async () => {
    stub.answers({ body: { nextFrom: null } });
    const strange = await answered(1, stub.run('ledger replay acc_1'));
    expect(strange.stderr).to.include('The service answered without "events"');
    const problem = { accountId: 'acc_1', kind: 'hash', at: '', detail: 'link 2' };
    stub.answers({ body: { ...report, ok: false, problems: [problem], problemCount: 3 } });
    const broken = await answered(1, stub.run('ledger verify acc_1'));
    expect(stub.asked[0]).to.deep.include({ method: 'POST', body: { accountId: 'acc_1' } });
    expect(lines(broken.stderr)).to.deep.equal([
      'error: 1 account, 0 movements: 3 problems',
      '  hash  acc_1  -  link 2',
      '  and 2 more',
    ]);
  });

  it('refuses two sources at once', async () => {
    const both = '--data x --eventstore esdb://127.0.0.1:1';
    const { stderr } = await answered(2, stub.run(`ledger verify ${both}`));
    expect(stderr).to.include('--data and --eventstore exclude each other');
  });
});
