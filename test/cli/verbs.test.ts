import { expect } from 'chai';
import { runHere, type Stub, startStub, TOKEN } from './support.ts';

interface Case {
  line: string[];
  /** Method and path below the administration API, query included. */
  asks: string;
  body?: unknown;
  stdin?: string;
}

const cases: Case[] = [
  {
    line: ['organisation', 'create', 'Corner Shop'],
    asks: 'POST /organisations',
    body: { name: 'Corner Shop' },
  },
  { line: ['organisation', 'show', 'org 1/x'], asks: 'GET /organisations/org%201%2Fx' },
  {
    line: ['organisation', 'suspend', 'o1', '--reason', 'Unpaid'],
    asks: 'POST /organisations/o1/suspend',
    body: { reason: 'Unpaid' },
  },
  {
    line: ['organisation', 'reinstate', 'o1'],
    asks: 'POST /organisations/o1/reinstate',
    body: {},
  },
  {
    line: ['account', 'create', 'Web shop', '--organisation', 'o1', '--plan', 'gold', '--lenient'],
    asks: 'POST /organisations/o1/accounts',
    body: { name: 'Web shop', planId: 'gold' },
  },
  { line: ['account', 'show', 'a1'], asks: 'GET /accounts/a1' },
  {
    line: ['account', 'plan', 'a1', 'gold'],
    asks: 'PUT /accounts/a1/plan',
    body: { planId: 'gold' },
  },
  {
    line: ['account', 'limits', 'a1', '--per-minute', '60', '--daily', 'none', '--paused'],
    asks: 'PATCH /accounts/a1/limits',
    body: { perMinute: 60, daily: null, paused: true },
  },
  {
    line: ['account', 'limits', 'a1', '--monthly', '0', '--no-paused'],
    asks: 'PATCH /accounts/a1/limits',
    body: { monthly: 0, paused: false },
  },
  {
    line: ['account', 'limits', 'a1', '--strict'],
    asks: 'PATCH /accounts/a1/limits',
    body: { strict: true },
  },
  {
    line: ['account', 'limits', 'a1', '--no-strict'],
    asks: 'PATCH /accounts/a1/limits',
    body: { strict: false },
  },
  {
    line: ['account', 'retention', 'a1', '--months', '24'],
    asks: 'PATCH /accounts/a1/retention',
    body: { contentRetentionMonths: 24 },
  },
  {
    line: ['account', 'retention', 'a1', '--months', 'none'],
    asks: 'PATCH /accounts/a1/retention',
    body: { contentRetentionMonths: null },
  },
  { line: ['contact', 'erasure', 'era_1'], asks: 'GET /erasures/era_1' },
  {
    line: ['administrator', 'create', 'Asha', '--email', 'a@example.com', '--role', 'auditor'],
    asks: 'POST /administrators',
    body: { name: 'Asha', email: 'a@example.com', role: 'auditor' },
  },
  { line: ['administrator', 'revoke', 'ad1'], asks: 'POST /administrators/ad1/revoke' },
  {
    line: ['key', 'create', 'Checkout', '--account', 'a1'],
    asks: 'POST /accounts/a1/keys',
    body: { name: 'Checkout' },
  },
  {
    line: [
      'key',
      'create',
      'Reports',
      '--account',
      'a1',
      '--rate-limit',
      '30',
      '--scope',
      'messages:read',
      '--scope',
      'credits:read',
      '--allowed-origin',
      'https://shop.example',
      '--expires-at',
      '90d',
    ],
    asks: 'POST /accounts/a1/keys',
    body: {
      name: 'Reports',
      rateLimit: 30,
      scopes: ['messages:read', 'credits:read'],
      allowedOrigins: ['https://shop.example'],
      expiresAt: '2027-02-19T12:00:00.000Z',
    },
  },
  { line: ['key', 'deactivate', 'k1'], asks: 'POST /keys/k1/deactivate' },
  { line: ['key', 'activate', 'k1'], asks: 'POST /keys/k1/activate' },
  { line: ['key', 'revoke', 'k1'], asks: 'POST /keys/k1/revoke' },
  {
    line: ['number', 'link', '100', '--account', 'a1', '--waba', '200'],
    asks: 'POST /accounts/a1/numbers',
    body: { phoneNumberId: '100', wabaId: '200' },
    stdin: 'not to be read',
  },
  {
    line: [
      'number',
      'link',
      '100',
      '--account',
      'a1',
      '--waba',
      '200',
      '--access-token-file',
      '-',
      '--messages-per-second',
      '20',
      '--display-phone-number',
      '+91 98123',
      '--verified-name',
      'Corner Shop',
    ],
    asks: 'POST /accounts/a1/numbers',
    body: {
      phoneNumberId: '100',
      wabaId: '200',
      accessToken: 'EAAtoken',
      displayPhoneNumber: '+91 98123',
      verifiedName: 'Corner Shop',
      messagesPerSecond: 20,
    },
    stdin: 'EAAtoken\n',
  },
  { line: ['number', 'show', '100'], asks: 'GET /numbers/100' },
  {
    line: ['number', 'token', '100', '--access-token', 'EAA'],
    asks: 'PUT /numbers/100/access-token',
    body: { accessToken: 'EAA' },
  },
  {
    line: ['number', 'token', '100', '--remove'],
    asks: 'PUT /numbers/100/access-token',
    body: { accessToken: null },
  },
  {
    line: ['number', 'register', '100'],
    asks: 'POST /numbers/100/register',
    body: { pin: '012345' },
    stdin: '012345\n',
  },
  { line: ['number', 'refresh', '100'], asks: 'POST /numbers/100/refresh' },
  { line: ['number', 'unlink', '100'], asks: 'DELETE /numbers/100' },
  {
    line: ['ledger', 'balance', 'a1', '--as-of', '2026-11-01'],
    asks: 'GET /accounts/a1/balance?asOf=2026-11-01T00:00:00.000Z',
  },
  { line: ['ledger', 'balance', 'a1'], asks: 'GET /accounts/a1/balance' },
  { line: ['message', 'show', 'wamid.1'], asks: 'GET /messages/wamid.1' },
  { line: ['dead-letter', 'show', 'd1'], asks: 'GET /dead-letters/d1' },
  { line: ['dead-letter', 'retry', 'd1'], asks: 'POST /dead-letters/d1/retry' },
  { line: ['dead-letter', 'dismiss', 'd1'], asks: 'POST /dead-letters/d1/dismiss' },
  { line: ['deadletter', 'retry', 'd1'], asks: 'POST /dead-letters/d1/retry' },
  { line: ['projection', 'rebuild', 'ledger'], asks: 'POST /projections/ledger/rebuild' },
];

const lists: (Pick<Case, 'line' | 'asks'> & { field: string })[] = [
  { line: ['organisation', 'list'], asks: 'GET /organisations', field: 'organisations' },
  { line: ['account', 'list'], asks: 'GET /accounts', field: 'accounts' },
  {
    line: ['account', 'list', '--organisation', 'o1', '--limit', '5'],
    asks: 'GET /accounts?organisationId=o1&limit=5',
    field: 'accounts',
  },
  { line: ['administrator', 'list'], asks: 'GET /administrators', field: 'administrators' },
  { line: ['key', 'list', '--account', 'a1'], asks: 'GET /accounts/a1/keys', field: 'keys' },
  {
    line: ['number', 'list', '--account', 'a1', '--cursor', 'abc'],
    asks: 'GET /accounts/a1/numbers?cursor=abc',
    field: 'numbers',
  },
  { line: ['plan', 'list'], asks: 'GET /plans', field: 'plans' },
  { line: ['ratecard', 'list'], asks: 'GET /rate-cards', field: 'rateCards' },
  {
    line: [
      'ledger',
      'list',
      'a1',
      '--since',
      '7d',
      '--until',
      '2026-11-21 10:30 UTC',
      '--type',
      'refund',
      '--charge',
      'c1',
    ],
    asks:
      'GET /accounts/a1/ledger?since=2026-11-14T12:00:00.000Z&until=2026-11-21T10:30:00.000Z' +
      '&type=REFUND&chargeId=c1',
    field: 'entries',
  },
  {
    line: ['message', 'list', '--charge', 'chg_1'],
    asks: 'GET /messages?chargeId=chg_1',
    field: 'messages',
  },
  { line: ['dead-letter', 'list'], asks: 'GET /dead-letters', field: 'deadLetters' },
  {
    line: ['dead-letter', 'list', '--state', 'open'],
    asks: 'GET /dead-letters?state=open',
    field: 'deadLetters',
  },
  { line: ['projection', 'list'], asks: 'GET /projections', field: 'projections' },
  { line: ['projection', 'partitions'], asks: 'GET /projections', field: 'partitions' },
];

const PREFIX = '/api/admin/v1';

describe('waybill: the request of each verb', () => {
  let stub: Stub;
  before(async () => {
    stub = await startStub();
  });
  after(() => stub.close());

  const env = () => ({ WAYBILL_URL: stub.url, WAYBILL_ADMIN_TOKEN: TOKEN });
  const onlyRequest = () => {
    expect(stub.asked).to.have.length(1);
    const { method, path, query, headers, body } = stub.asked[0]!;
    expect(path.startsWith(PREFIX)).to.equal(true);
    expect(headers.authorization).to.equal(`Bearer ${TOKEN}`);
    expect(headers['content-type']).to.equal(body === undefined ? undefined : 'application/json');
    const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
    const line = `${method} ${path.slice(PREFIX.length)}`;
    return { asks: [line, search.join('&')].filter((part) => part !== '').join('?'), body };
  };

  for (const { line, asks, body, stdin } of cases) {
    it(line.join(' '), async () => {
      stub.answers({ status: line[1] === 'rebuild' ? 202 : 200, body: { id: 'x1' } });
      const { status, stdout, stderr } = await runHere([...line, '--json'], {
        env: env(),
        ...(stdin !== undefined && { stdin }),
      });
      expect({ status, stdout, stderr }).to.deep.equal({
        status: 0,
        stdout: '{"id":"x1"}\n',
        stderr: '',
      });
      expect(onlyRequest()).to.deep.equal({ asks, body });
    });
  }

  it('account create makes the account strict, unless --lenient', async () => {
    stub.answers({ status: 201, body: { id: 'a 1' } });
    const line = ['account', 'create', 'Web shop', '--organisation', 'o1'];
    expect(await runHere(line, { env: env() })).to.include({ status: 0, stderr: '' });
    const asked = stub.asked.map(({ method, path, body }) => [method, path, body]);
    expect(asked).to.deep.equal([
      ['POST', `${PREFIX}/organisations/o1/accounts`, { name: 'Web shop' }],
      ['PATCH', `${PREFIX}/accounts/a%201/limits`, { strict: true }],
    ]);
  });

  it('projection list offers no pages, which its API does not have', async () => {
    stub.answers({ body: { projections: [] } });
    for (const option of [['--limit', '5'], ['--cursor', 'x'], ['--all']]) {
      const { status, stderr } = await runHere(['projection', 'list', ...option], { env: env() });
      expect(status, option[0]).to.equal(2);
      expect(stderr).to.include(`unknown option '${option[0]}'`);
    }
    expect(stub.asked).to.deep.equal([]);
  });

  for (const { line, asks, field } of lists) {
    it(line.join(' '), async () => {
      const answer = { [field]: [{ id: 'x1' }], nextCursor: null };
      stub.answers({ body: answer });
      const asJson = await runHere([...line, '--json'], { env: env() });
      expect(asJson).to.include({ status: 0, stderr: '' });
      expect(JSON.parse(asJson.stdout)).to.deep.equal(answer);
      expect(onlyRequest()).to.deep.equal({ asks, body: undefined });

      const asTable = await runHere(line, { env: env() });
      expect(asTable).to.include({ status: 0, stderr: '' });
      expect(asTable.stdout.trimEnd().split('\n')).to.have.length(2);
    });
  }
});
