import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { folderInSuite } from '../support/folder.ts';
import { program, TOKEN, useStub, waybill } from './support.ts';

const organisation = {
  id: 'org_1',
  name: 'Corner Shop',
  suspended: false,
  suspendedReason: null,
  createdAt: '2026-11-21T12:00:00.000Z',
};

describe('waybill, as a program @long', () => {
  const stub = useStub();
  const folder = folderInSuite();

  it('shows its nouns in groups, the settings and examples', async () => {
    const { stdout, ...ended } = await stub.run('--help');
    expect(ended).to.deep.equal({ status: 0, stderr: '' });
    const headings = stdout.split('\n').filter((line) => /^[A-Z].*:$/.test(line));
    expect(headings).to.deep.equal([
      'Customers:',
      'Messages:',
      'Money:',
      'Operation:',
      'Setup:',
      'Programs:',
      'Options:',
      'Environment:',
      'Examples:',
    ]);
    expect(stdout).to.match(/^Usage: waybill <noun> <verb> \[options\]\n/);
    expect(stdout).to.match(/Customers:\n {2}organisation {2,}Legal owners of accounts: /);
    expect(stdout).to.include('  waybill organisation create "Corner Shop"\n');
    expect(stdout).to.include('WAYBILL_ADMIN_TOKEN_FILE');
  });

  it('shows one thing as label and value, with a readable time', async () => {
    stub.answers({ status: 201, body: organisation });
    const { stdout, ...ended } = await stub.run(['organisation', 'create', 'Corner Shop']);
    expect(ended).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.equal(
      [
        'id:                org_1',
        'name:              Corner Shop',
        'suspended:         no',
        'suspended reason:  -',
        'created at:        2026-11-21 12:00:00 UTC\n',
      ].join('\n'),
    );
    expect(stub.asked).to.have.length(1);
    expect(stub.asked[0]).to.deep.include({
      method: 'POST',
      path: '/api/admin/v1/organisations',
      body: { name: 'Corner Shop' },
    });
    expect(stub.asked[0]!.headers).to.include({
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json',
      'content-type': 'application/json',
    });
  });

  it('prints the JSON of the API as one line', async () => {
    const answer = { organisations: [organisation], nextCursor: 'more' };
    stub.answers({ body: JSON.stringify(answer, null, 2) });
    const ended = await stub.run('organisation list --json');
    expect(ended).to.deep.equal({ status: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: '' });
  });

  it('prefers options to the environment, at any place of the command line', async () => {
    stub.answers({ body: { organisations: [], nextCursor: null } });
    const env = { WAYBILL_URL: 'http://127.0.0.1:1/api', WAYBILL_ADMIN_TOKEN: 'other' };
    const line = `--url ${stub.url}/ organisation list --token ${TOKEN}`;
    const ended = await stub.run(line, { env });
    expect(ended).to.deep.equal({ status: 0, stdout: '', stderr: 'None.\n' });
    expect(stub.asked[0]?.headers.authorization).to.equal(`Bearer ${TOKEN}`);
    expect(stub.asked[0]?.path).to.equal('/api/admin/v1/organisations');
  });

  it('reads the administrator token from the file that a variable names', async () => {
    const file = join(folder.path, 'token');
    await writeFile(file, `${TOKEN}\n`);
    stub.answers({ body: organisation });
    const env = { WAYBILL_ADMIN_TOKEN: '', WAYBILL_ADMIN_TOKEN_FILE: file };
    expect(await stub.run('organisation show org_1', { env })).to.include({ status: 0 });
    expect(stub.asked[0]?.headers.authorization).to.equal(`Bearer ${TOKEN}`);
  });

  it('reads an access token from standard input, and never shows it', async () => {
    stub.answers({ body: { phoneNumberId: '100', hasAccessToken: true } });
    const { stdout, ...ended } = await stub.run('number token 100', { stdin: 'EAAsecret\n' });
    expect(ended).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.include('has access token:  yes').and.not.include('EAAsecret');
    expect(stub.asked[0]).to.deep.include({
      method: 'PUT',
      path: '/api/admin/v1/numbers/100/access-token',
      body: { accessToken: 'EAAsecret' },
    });
  });

  it('publishes a rate card from a file, with an idempotency key', async () => {
    const file = join(folder.path, 'card.json');
    const rate = { MARKETING: '0.02', UTILITY: '0.01', AUTHENTICATION: '0.01' };
    const from = '2027-01-01T00:00:00Z';
    const card = { currency: 'EUR', effectiveFrom: from, rates: { Other: rate } };
    await writeFile(file, JSON.stringify(card, null, 2));
    stub.answers({ status: 201, body: { id: 'card_1', ...card } });
    const { stdout } = await answered(
      0,
      waybill(['ratecard', 'publish', '--file', file], { env: stub.env() }),
    );
    expect(stdout).to.include('effective from:  2027-01-01 00:00:00 UTC');
    const [{ method, path, headers, body }] = stub.asked as [(typeof stub.asked)[number]];
    expect([method, path, body]).to.deep.equal(['POST', '/api/admin/v1/rate-cards', card]);
    expect(headers['idempotency-key']).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });

  it('names the address when the connection is refused', async () => {
    const env = { WAYBILL_URL: 'http://127.0.0.1:1/api' };
    expect(await stub.run('projection list', { env })).to.deep.equal({
      status: 1,
      stdout: '',
      stderr:
        'error: Cannot reach http://127.0.0.1:1/api: connection refused: is the service running?\n',
    });
  });

  it('ends quietly when the reader of its output closes the pipe', async () => {
    const entries = Array.from({ length: 100 }, (_, id) => ({ id, reason: 'x'.repeat(10_000) }));
    stub.answers({ body: { entries, nextCursor: null } });
    const child = spawn(process.execPath, [program, 'ledger', 'list', 'a1'], { env: stub.env() });
    child.stdout.destroy();
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ stderr, status }).to.deep.equal({ stderr: '', status: 0 });
  });
});
