import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { type Answered, useStub } from './support.ts';

describe('waybill, when a request is refused,', () => {
  const stub = useStub();

  const told = async (line: string, answer: Answered, env: Record<string, string> = {}) => {
    stub.answers(answer);
    const { status, stdout, stderr } = await stub.run(line, { env });
    expect(stdout).to.equal('');
    return { status, stderr };
  };

  it('lists an invalid request field by field', async () => {
    const error = {
      formErrors: ['Something is odd'],
      fieldErrors: {
        currency: ['must be a code'],
        name: ['is short', 'is blank'],
        rates: ['rates.Other: is missing'],
      },
    };
    expect(await told('account show a', { status: 400, body: { error } })).to.deep.equal({
      status: 1,
      stderr: `\
error: The request is invalid:
  Something is odd
  currency: must be a code
  name: is short
  name: is blank
  rates.Other: is missing
`,
    });
  });

  const cases: [what: string, answer: Answered, text: string][] = [
    [
      'shows the code of a refusal',
      { status: 403, body: { error: 'Auditors may only read', code: 'READ_ONLY' } },
      'Auditors may only read [READ_ONLY]',
    ],
    [
      'says where the token comes from',
      { status: 401, body: { error: 'Unauthorized' } },
      'Unauthorized (it was the administrator token of WAYBILL_ADMIN_TOKEN)',
    ],
    [
      'says when to try again',
      { status: 429, headers: { 'retry-after': '7' }, body: { error: 'Too many requests' } },
      'Too many requests (try again in 7 s)',
    ],
    [
      'names the request id',
      { status: 500, headers: { 'x-request-id': 'req-1' }, body: { error: 'Internal error' } },
      'Internal error (status 500, request id req-1)',
    ],
    [
      'accepts an empty refusal',
      { status: 418, body: '' },
      'The service answered 418 without saying why',
    ],
  ];
  for (const [what, answer, text] of cases) {
    it(what, async () => {
      const refusal = await told('account show a', answer);
      expect(refusal).to.deep.equal({ status: 1, stderr: `error: ${text}\n` });
    });
  }

  it('doubts the address when the answer is not JSON', async () => {
    const doubt = /^error: http:\S+\/api answered 200 with something that is not JSON: is it the/;
    expect((await told('account show a', { body: '<html>' })).stderr).to.match(doubt);
    const moved = { status: 301, headers: { location: 'https://example.com/' }, body: '' };
    const redirected = await told('account show a', moved);
    expect(redirected.stderr).to.include('answered 301 with a redirect to https://example.com/');
    const root = { WAYBILL_URL: stub.url.replace('/api', '') };
    const unknown = { status: 404, body: { error: 'Not found' } };
    const { stderr } = await told('account show a', unknown, root);
    expect(stderr).to.match(/normally ends in \/api\)/);
    const without = await told('account list', { body: {} });
    expect(without.stderr).to.equal('error: The service answered without "accounts"\n');
  });

  it('says how to repeat a call that may have moved money', async () => {
    const { stderr } = await told('credits grant a1 5', { status: 504, body: { error: 'Late' } });
    expect(stderr).to.equal(`\
error: Late (status 504)
Whether it took effect is not known: repeat it with --idempotency-key uuid-1
`);
    const refused = await told('credits grant a1 5', { status: 409, body: { error: 'No' } });
    expect(refused.stderr).to.equal('error: No\n');
  });

  const usage: [line: string, text: RegExp][] = [
    ['account limits a1', /Nothing to change/],
    ['account limits a1 --daily many', /argument 'many' is invalid/],
    ['organisation show ..', /".." cannot be an id/],
    ['ledger list a1 --limit 101', /whole number, 1 to 100/],
    ['ledger list a1 --since yesterday', /Must be a time such as/],
    ['ledger list a1 --type SPENT', /Must be one of DEDUCT, REFUND, GRANT, REVOKE/],
    ['credits grant a1 0', /whole number, 1 or more/],
    ['wallet top-up a1 1,50', /Must be a decimal number/],
    ['wallet top-up a1 5 --idempotency-key ké', /printable ASCII/],
    ['number token 100 --access-token x --remove', /not both/],
    ['number token 100 --access-token x --access-token-file y', /not both/],
    ['number register 100 --pin 12', /The PIN must be 6 digits/],
    ['administrator create A --email a@b.c --role root', /Must be one of admin, auditor/],
    ['plan update gold', /Nothing to change/],
    ['organisation', /^Usage: waybill organisation <verb>/],
    ['organisaton list', /^error: unknown command 'organisaton'\n.*organisation\?/],
    ['key create Checkout', /^error: required option '--account <id>' not specified\n/],
    ['organisation list extra', /too many arguments/],
  ];
  const withKey: typeof usage = [
    ['send --to +919812345678', /Name one event, or give --text/],
    ['send order_shipped --text Hi --to +919812345678', /Name one event, or give --text/],
    ['send order_shipped A-1 --to +919812345678', /"A-1" has no name: write name=value/],
    ['send --text Hi --param A --to +919812345678', /--param goes with --template/],
    ['send order_shipped', /Give --to: number with country code/],
    ['message find --account a1 --status sent', /go with an API key alone/],
    ['message find --status lost', /Must be one of sent, delivered, read, failed/],
  ];
  for (const row of [...usage, ...withKey]) {
    const [line, text] = row;
    it(`exits with 2: ${line}`, async () => {
      const env = { WAYBILL_API_KEY: withKey.includes(row) ? 'wb_live_key' : '' };
      const { stderr } = await answered(2, told(line, {}, env));
      expect(stderr).to.match(text);
      expect(stub.asked).to.deep.equal([]);
    });
  }

  it('refuses wrong settings', async () => {
    const settings: [Record<string, string>, RegExp][] = [
      [{ WAYBILL_ADMIN_TOKEN: '' }, /^error: No administrator token: set /],
      [{ WAYBILL_ADMIN_TOKEN: 'two words' }, /must be printable ASCII without spaces\n$/],
      [{ WAYBILL_URL: 'localhost:8080' }, /^error: WAYBILL_URL must be an http or https URL/],
      [{ WAYBILL_URL: 'http://me:secret@host/api' }, /^error: WAYBILL_URL must be an http/],
    ];
    for (const [env, text] of settings) {
      const { status, stderr } = await told('account list', {}, env);
      expect({ status, text: text.test(stderr) }).to.deep.equal({ status: 2, text: true });
      expect(stderr).to.not.include('secret');
    }
    const unreadable = { WAYBILL_ADMIN_TOKEN: '', WAYBILL_ADMIN_TOKEN_FILE: '/no/such/file' };
    expect(await told('account list', {}, unreadable)).to.deep.equal({
      status: 1,
      stderr: 'error: WAYBILL_ADMIN_TOKEN_FILE cannot be read: ENOENT /no/such/file\n',
    });
  });

  it('reports that no secret was renewed before every instance had the key', async () => {
    stub.answers({ body: { key: 'k2', waitMs: 60_000, renewed: 0 } });
    const interrupt = AbortSignal.abort();
    const { status, stderr } = await stub.run('secret rotate --deep', { interrupt });
    expect([status, stderr]).to.deep.equal([1, 'error: Nothing was renewed yet: run it again\n']);
    expect(stub.asked).to.have.length(1);
  });

  it('reports what is wrong with a file', async () => {
    const { stderr } = await told('ratecard publish --file /no/such/card.json', {});
    expect(stderr).to.equal('error: /no/such/card.json cannot be read: ENOENT\n');
    const words = 'error: Access token is missing: the input is empty\n';
    expect(await told('number token 100', {})).to.deep.equal({ status: 1, stderr: words });
  });
});
