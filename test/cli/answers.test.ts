import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { useStub } from './support.ts';

const account = {
  id: 'acc_00000001',
  organisationId: 'org_1',
  name: 'Web shop',
  planId: 'standard',
  billing: 'credits',
  currency: 'USD',
  balance: 480,
  limits: { perMinute: 60, daily: null, monthly: null, paused: false },
  usage: { minute: 2, day: 14, month: 214 },
  createdAt: '2026-11-21T10:00:00.000Z',
};
const metadata = JSON.stringify({
  category: 'UTILITY',
  countryCode: 'IN',
  providerCost: '0.0014',
  sellPrice: '0.00168',
  chargeId: 'ch_1',
});
const movement = {
  id: 'e2',
  amount: -1,
  balanceAfter: 479,
  type: 'DEDUCT',
  reason: 'order_shipped',
  metadata,
  createdAt: '2026-11-21T10:00:00.000Z',
  grantedBy: null,
};
const deduct = { ...movement, messageId: 'wamid.1' };
const grant = {
  ...movement,
  id: 'e1',
  amount: 500,
  balanceAfter: 500,
  type: 'GRANT',
  reason: 'Welcome',
  metadata: null,
  grantedBy: { id: 'root', name: 'Root', email: 'root@localhost' },
};

describe('waybill shows @long', () => {
  const stub = useStub();
  const shown = stub.run;

  it('an account, with its usage beside its caps', async () => {
    stub.answers({ body: { ...account, billing: 'wallet', balance: '25.0000', currency: 'EUR' } });
    const { stdout } = await shown('account show acc_00000001');
    expect(stdout).to.match(/^plan: +standard \(wallet, EUR\)$/m);
    expect(stdout).to.match(/^balance: +25\.0000 EUR$/m);
    expect(stdout).to.match(/^sent in the last minute: +2 of 60$/m);
    expect(stdout).to.match(/^sent today: +14 \(no cap\)$/m);
  });

  it('that what was asked for waits for another administrator', async () => {
    const approval = { id: 'apr_1', state: 'waiting', expiresAt: '2026-11-22T10:00:00.000Z' };
    stub.answers({ status: 202, body: { approval } });
    for (const line of ['credits grant acc_1 500', 'account plan acc_1 gold']) {
      const { stdout, stderr } = await answered(0, shown(line));
      expect(stdout).to.equal(`\
id:          apr_1
state:       waiting
expires at:  2026-11-22 10:00:00 UTC
`);
      expect(stderr).to.include('waits for the yes of another administrator');
    }
    expect((await shown('credits grant acc_1 500 --json')).stdout).to.equal(
      `${JSON.stringify({ approval })}\n`,
    );
  });

  it('a message, with a line for each of its events', async () => {
    const at = '2026-11-21T10:00:00.000Z';
    const timeline = [
      { type: 'MessageSent', at, data: {} },
      { type: 'StatusUpdated', at, data: { status: 'read' } },
    ];
    stub.answers({ body: { id: 'wamid.1', timeline } });
    const { stdout } = await shown('message show wamid.1');
    expect(stdout).to.equal(`\
id:     wamid.1
event:  2026-11-21 10:00:00 UTC  MessageSent
event:  2026-11-21 10:00:00 UTC  StatusUpdated read
`);
  });

  it('a list as aligned columns, whole when it is piped', async () => {
    stub.answers({ body: { entries: [deduct, grant], nextCursor: null } });
    const { stdout, stderr } = await shown('ledger list acc_1');
    expect(stderr).to.equal('');
    expect(stdout).to.equal(`\
TIME (UTC)           TYPE    AMOUNT  BALANCE  REASON         CATEGORY  COUNTRY    PRICE  CAUSE  CHARGE  MESSAGE
2026-11-21 10:00:00  DEDUCT      -1      479  order_shipped  UTILITY   IN       0.00168  -      ch_1    wamid.1
2026-11-21 10:00:00  GRANT     +500      500  Welcome        -         -              -  -      -       -
`);
  });

  it('a list that fits a narrow terminal, with whole ids', async () => {
    const name = 'A name that goes on and on and on until nobody wants to read it any more';
    stub.answers({ body: { accounts: [{ ...account, name }], nextCursor: null } });
    const { stdout } = await shown('account list', { columns: 60, env: { NO_COLOR: '1' } });
    expect(stdout).to.equal(`\
ID            NAME                           BALANCE  PAUSED
acc_00000001  A name that goes on and…   480 credits  no
`);
  });

  it('colours on a terminal only, and none with NO_COLOR', async () => {
    stub.answers({ body: { accounts: [account], nextCursor: null } });
    const [terminal, refused, piped] = await Promise.all([
      shown('account list', { columns: 120 }),
      shown('account list', { columns: 120, env: { NO_COLOR: '1' } }),
      shown('account list'),
    ]);
    expect(terminal.stdout).to.include('\u001b[1mID');
    expect(refused.stdout).to.not.include('\u001b');
    expect(piped.stdout).to.not.include('\u001b');
  });

  it('no characters that control a terminal', async () => {
    const error = { formErrors: ['\u001b[2Jgone'], fieldErrors: { 'na\u0007me': ['\u202etxt'] } };
    stub.answers({ body: { ...account, name: 'Shop\u001b]0;owned\u0007\nline' } });
    const good = await shown('account show a');
    expect(good.stdout).to.include('Shop\\u001b]0;owned\\u0007 line\n');
    stub.answers({ status: 400, body: { error } });
    const bad = await shown('account show a');
    expect(bad.stderr).to.equal(
      'error: The request is invalid:\n  \\u001b[2Jgone\n  na\\u0007me: \\u202etxt\n',
    );
  });

  it('a new key once, with a note to keep it', async () => {
    stub.answers({ status: 201, body: { id: 'key_1', key: 'wb_live_abcdefgh_secret' } });
    const { stdout, stderr } = await shown('key create Checkout --account acc_1');
    expect(stdout).to.equal('id:   key_1\nkey:  wb_live_abcdefgh_secret\n');
    expect(stderr).to.equal('Keep the key now: it is not shown again.\n');
  });

  it('that a page is not the last', async () => {
    stub.answers({ body: { entries: [deduct], nextCursor: 'abc' } });
    const { stderr } = await shown('ledger list acc_1');
    expect(stderr).to.equal('There are more: --all, or --cursor abc\n');
  });

  it('all pages under --all, as one answer under --json', async () => {
    const pages: Record<string, object> = {
      first: { entries: [deduct], nextCursor: 'second', extra: 1 },
      second: { entries: [grant], nextCursor: null, extra: 1 },
    };
    stub.answers(({ query }) => ({ body: pages[query.cursor ?? 'first'] }));
    const { stdout } = await shown('ledger list acc_1 --all --json --type GRANT');
    expect(JSON.parse(stdout)).to.deep.equal({ ...pages.second!, entries: [deduct, grant] });
    expect(stub.asked.map(({ query }) => query)).to.deep.equal([
      { type: 'GRANT', limit: '100' },
      { type: 'GRANT', limit: '100', cursor: 'second' },
    ]);
  });

  it('a cursor after 500 pages', async () => {
    stub.answers(() => {
      const page = stub.asked.length;
      return { body: { plans: [{ id: `p${page}` }], nextCursor: `c${page}` } };
    });
    const { stdout, stderr } = await answered(0, shown('plan list --all --limit 1'));
    expect(stub.asked).to.have.length(500);
    expect(stdout.trimEnd().split('\n')).to.have.length(501);
    expect(stderr).to.equal('There are more: --all, or --cursor c500\n');
  });

  it('the ledger entry of a movement, made with the given idempotency key', async () => {
    stub.answers({ status: 201, headers: { 'idempotency-replayed': 'true' }, body: grant });
    const { stdout, stderr } = await shown('wallet adjust acc_1 -3.50 --idempotency-key mine-1');
    expect(stub.asked[0]).to.deep.include({
      method: 'POST',
      path: '/api/admin/v1/accounts/acc_1/wallet/adjust',
      body: { amount: '-3.50' },
    });
    expect(stub.asked[0]?.headers['idempotency-key']).to.equal('mine-1');
    expect(stdout).to.match(/^amount: +\+500$/m);
    expect(stdout).to.match(/^granted by: +Root <root@localhost>$/m);
    expect(stderr).to.match(/^This was done before/);
  });

  for (const [line, path, body] of [
    ['credits grant a1 500', 'accounts/a1/credits/grant', { amount: 500 }],
    ['credits revoke a1 5 --reason X', 'accounts/a1/credits/revoke', { amount: 5, reason: 'X' }],
    ['wallet top-up a1 25.00', 'accounts/a1/wallet/top-up', { amount: '25.00' }],
    [
      'plan create Gold --id gold --billing wallet --currency EUR --markup-percent 12.5 ' +
        '--no-refund-failed-deliveries --disconnect-refunds-per-day none --free-writes-mb-per-day 5 --charge-service',
      'plans',
      {
        id: 'gold',
        name: 'Gold',
        billing: 'wallet',
        currency: 'EUR',
        markupPercent: '12.5',
        refundFailedDeliveries: false,
        disconnectRefundsPerDay: null,
        freeWritesMbPerDay: 5,
        chargeService: true,
      },
    ],
  ] as const) {
    it(`an idempotency key of its own to the API: ${line}`, async () => {
      stub.answers({ status: 201, body: grant });
      expect(await shown(line)).to.include({ status: 0, stderr: '' });
      expect(stub.asked).to.have.length(1);
      const asked = { method: 'POST', path: `/api/admin/v1/${path}`, body };
      expect(stub.asked[0]).to.deep.include(asked);
      expect(stub.asked[0]?.headers['idempotency-key']).to.equal('uuid-1');
    });
  }

  it('the rest of a plan again to the API when a part of it changes', async () => {
    const plan = {
      id: 'gold',
      version: 3,
      name: 'Gold',
      billing: 'credits',
      currency: 'USD',
      markupPercent: '20',
      creditValue: '0.01',
      refundFailedDeliveries: false,
      disconnectRefundsPerDay: null,
      freeWritesMbPerDay: 50,
      chargeService: true,
    };
    const list = { plans: [{ id: 'other' }, plan], nextCursor: null };
    stub.answers(({ method }) => ({ body: method === 'GET' ? list : plan }));
    expect(await shown('plan update gold --markup-percent 25')).to.include({ status: 0 });
    const { id: _id, version: _version, ...terms } = plan;
    expect(stub.asked[1]).to.deep.include({
      method: 'PUT',
      path: '/api/admin/v1/plans/gold',
      body: { ...terms, markupPercent: '25' },
    });
    expect(await shown('plan update gold --no-charge-service')).to.include({ status: 0 });
    expect(stub.asked.at(-1)!.body).to.deep.equal({ ...terms, chargeService: false });
    const unknown = await answered(1, shown('plan update none --name X'));
    expect(unknown.stderr).to.equal('error: Plan not found\n');
  });

  it('how far the projections are', async () => {
    const halted = { message: 'unknown event', position: '7', stream: 's' };
    const projections = [
      { name: 'ledger', version: 1, position: '0012', lag: 1234, state: 'live', error: null },
      { name: 'usage', version: 2, position: '0007', lag: null, state: 'halted', error: halted },
    ];
    stub.answers({ body: { projections } });
    const { stdout } = await shown('projection list');
    expect(stdout).to.match(/^ledger +1 +live +1\.2 s +- +0012$/m);
    expect(stdout).to.match(/^usage +2 +halted +- +unknown event +0007$/m);
  });
});
