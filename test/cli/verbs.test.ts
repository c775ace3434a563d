import { expect } from 'chai';
import { TOKEN, useStub } from './support.ts';

/** Method and path below the administration API with the query, the body, and the standard input. */
type Case = readonly [asks: string, body?: unknown, stdin?: string];

const cases: Record<string, Case> = {
  'organisation create "Corner Shop"': ['POST /organisations', { name: 'Corner Shop' }],
  'organisation show "org 1/x"': ['GET /organisations/org%201%2Fx'],
  'organisation suspend o1 --reason Owes': ['POST /organisations/o1/suspend', { reason: 'Owes' }],
  'organisation reinstate o1': ['POST /organisations/o1/reinstate', {}],
  'account create "Web shop" --organisation o1 --plan gold --lenient': [
    'POST /organisations/o1/accounts',
    { name: 'Web shop', planId: 'gold' },
  ],
  'account show a1': ['GET /accounts/a1'],
  'account plan a1 gold': ['PUT /accounts/a1/plan', { planId: 'gold' }],
  'account limits a1 --per-minute 60 --daily none --paused': [
    'PATCH /accounts/a1/limits',
    { perMinute: 60, daily: null, paused: true },
  ],
  'account limits a1 --monthly 0 --no-paused': [
    'PATCH /accounts/a1/limits',
    { monthly: 0, paused: false },
  ],
  'account limits a1 --strict': ['PATCH /accounts/a1/limits', { strict: true }],
  'account limits a1 --no-strict': ['PATCH /accounts/a1/limits', { strict: false }],
  'account retention a1 --months 24': [
    'PATCH /accounts/a1/retention',
    { contentRetentionMonths: 24 },
  ],
  'account retention a1 --months none': [
    'PATCH /accounts/a1/retention',
    { contentRetentionMonths: null },
  ],
  'contact erasure era_1': ['GET /erasures/era_1'],
  'administrator create Asha --email a@example.com --role auditor': [
    'POST /administrators',
    { name: 'Asha', email: 'a@example.com', role: 'auditor' },
  ],
  'administrator revoke ad1': ['POST /administrators/ad1/revoke'],
  'key create Checkout --account a1': ['POST /accounts/a1/keys', { name: 'Checkout' }],
  'key create Reports --account a1 --rate-limit 30 --scope messages:read --scope credits:read --allowed-origin https://shop.example --expires-at 90d --opaque-is-idempotent':
    [
      'POST /accounts/a1/keys',
      {
        name: 'Reports',
        rateLimit: 30,
        scopes: ['messages:read', 'credits:read'],
        allowedOrigins: ['https://shop.example'],
        expiresAt: '2027-02-19T12:00:00.000Z',
        opaqueIsIdempotent: true,
      },
    ],
  'key deactivate k1': ['POST /keys/k1/deactivate'],
  'key activate k1': ['POST /keys/k1/activate'],
  'key revoke k1': ['POST /keys/k1/revoke'],
  'number link 100 --account a1 --waba 200': [
    'POST /accounts/a1/numbers',
    { phoneNumberId: '100', wabaId: '200' },
    'not to be read',
  ],
  'number link 100 --account a1 --waba 200 --access-token-file - --messages-per-second 20 --display-phone-number "+91 98123" --verified-name "Corner Shop"':
    [
      'POST /accounts/a1/numbers',
      {
        phoneNumberId: '100',
        wabaId: '200',
        accessToken: 'EAAtoken',
        displayPhoneNumber: '+91 98123',
        verifiedName: 'Corner Shop',
        messagesPerSecond: 20,
      },
      'EAAtoken\n',
    ],
  'number show 100': ['GET /numbers/100'],
  'number token 100 --access-token EAA': ['PUT /numbers/100/access-token', { accessToken: 'EAA' }],
  'number token 100 --remove': ['PUT /numbers/100/access-token', { accessToken: null }],
  'number register 100': ['POST /numbers/100/register', { pin: '012345' }, '012345\n'],
  'number refresh 100': ['POST /numbers/100/refresh'],
  'number unlink 100': ['DELETE /numbers/100'],
  'ledger balance a1 --as-of 2026-11-01': [
    'GET /accounts/a1/balance?asOf=2026-11-01T00:00:00.000Z',
  ],
  'ledger balance a1': ['GET /accounts/a1/balance'],
  'message show wamid.1': ['GET /messages/wamid.1'],
  'dead-letter show d1': ['GET /dead-letters/d1'],
  'dead-letter retry d1': ['POST /dead-letters/d1/retry'],
  'dead-letter dismiss d1': ['POST /dead-letters/d1/dismiss'],
  'deadletter retry d1': ['POST /dead-letters/d1/retry'],
  'projection rebuild ledger': ['POST /projections/ledger/rebuild'],
};

const lists: (readonly [line: string, asks: string, field: string])[] = [
  ['organisation list', 'GET /organisations', 'organisations'],
  ['account list', 'GET /accounts', 'accounts'],
  [
    'account list --organisation o1 --limit 5',
    'GET /accounts?organisationId=o1&limit=5',
    'accounts',
  ],
  ['administrator list', 'GET /administrators', 'administrators'],
  ['key list --account a1', 'GET /accounts/a1/keys', 'keys'],
  ['number list --account a1 --cursor abc', 'GET /accounts/a1/numbers?cursor=abc', 'numbers'],
  ['plan list', 'GET /plans', 'plans'],
  ['ratecard list', 'GET /rate-cards', 'rateCards'],
  [
    'ledger list a1 --since 7d --until "2026-11-21 10:30 UTC" --type refund --charge c1',
    'GET /accounts/a1/ledger?since=2026-11-14T12:00:00.000Z&until=2026-11-21T10:30:00.000Z&type=REFUND&chargeId=c1',
    'entries',
  ],
  ['message list --charge chg_1', 'GET /messages?chargeId=chg_1', 'messages'],
  ['dead-letter list', 'GET /dead-letters', 'deadLetters'],
  ['dead-letter list --state open', 'GET /dead-letters?state=open', 'deadLetters'],
  ['projection list', 'GET /projections', 'projections'],
  ['projection partitions', 'GET /projections', 'partitions'],
];

/** The words of a line, of which those in quotes are one. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

const PREFIX = '/api/admin/v1';

describe('waybill: the request of each verb', () => {
  const stub = useStub();

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

  for (const [line, [asks, body, stdin = '']] of Object.entries(cases)) {
    it(line, async () => {
      stub.answers({ status: line.includes('rebuild') ? 202 : 200, body: { id: 'x1' } });
      const ended = await stub.run([...wordsOf(line), '--json'], { stdin });
      expect(ended).to.deep.equal({ status: 0, stdout: '{"id":"x1"}\n', stderr: '' });
      expect(onlyRequest()).to.deep.equal({ asks, body });
    });
  }

  it('account create makes the account strict, unless --lenient', async () => {
    stub.answers({ status: 201, body: { id: 'a 1' } });
    const line = ['account', 'create', 'Web shop', '--organisation', 'o1'];
    expect(await stub.run(line)).to.include({ status: 0, stderr: '' });
    const asked = stub.asked.map(({ method, path, body }) => [method, path, body]);
    expect(asked).to.deep.equal([
      ['POST', `${PREFIX}/organisations/o1/accounts`, { name: 'Web shop' }],
      ['PATCH', `${PREFIX}/accounts/a%201/limits`, { strict: true }],
    ]);
  });

  it('projection list offers no pages, which its API does not have', async () => {
    stub.answers({ body: { projections: [] } });
    for (const option of ['--limit 5', '--cursor x', '--all']) {
      const { status, stderr } = await stub.run(`projection list ${option}`);
      expect(status, option).to.equal(2);
      expect(stderr).to.include(`unknown option '${option.split(' ')[0]}'`);
    }
    expect(stub.asked).to.deep.equal([]);
  });

  for (const [line, asks, field] of lists) {
    it(line, async () => {
      const answer = { [field]: [{ id: 'x1' }], nextCursor: null };
      stub.answers({ body: answer });
      const asJson = await stub.run([...wordsOf(line), '--json']);
      expect(asJson).to.include({ status: 0, stderr: '' });
      expect(JSON.parse(asJson.stdout)).to.deep.equal(answer);
      expect(onlyRequest()).to.deep.equal({ asks, body: undefined });

      const asTable = await stub.run(wordsOf(line));
      expect(asTable).to.include({ status: 0, stderr: '' });
      expect(asTable.stdout.trimEnd().split('\n')).to.have.length(2);
    });
  }
});
