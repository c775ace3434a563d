import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { openTenant } from '../support/faults/tenant.ts';
import { folderInSuite } from '../support/folder.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { openSimulated } from '../support/simulated.ts';
import { until } from '../support/until.ts';
import { type Json, orderShipped } from '../support/waybill.ts';
import { runnerAt } from './support.ts';

type Tenant = Awaited<ReturnType<typeof openTenant>>;

const ORDINARY = '+447400123456';
/** Of a row, by their names. */
const valuesOf = (row: Json, names: string) => names.split(' ').map((name) => row[name]);

describe('waybill reconcile @long', () => {
  useRealConnections();
  const on = inSuite(openSimulated);
  let agreeing: Tenant;
  let differing: Tenant;
  let keeping: Tenant;
  const folder = folderInSuite();

  const admin = async (method: string, path: string, body?: unknown) =>
    (await on.waybill.admin(method, path, body)).body;

  const send = async ({ apiKey: token }: Tenant, ...recipients: string[]) => {
    for (const to of recipients) {
      const body = orderShipped({ to });
      await on.waybill.call('POST', '/v1/notifications/send', { token, body });
    }
  };

  /** A free reply to a customer who has just written. */
  const reply = async ({ apiKey: token, phoneNumberId }: Tenant, to: string) => {
    await on.simulator.inbound(to, { phoneNumberId, text: 'Hi' });
    const body = { to, type: 'text', text: { body: 'Hello' } };
    await answered(200, on.waybill.call('POST', '/v1/messages/send', { token, body }));
  };

  before(async () => {
    const { simulator, waybill } = on;
    simulator.configure({ timings: { sentMs: 2, deliveredMs: 4, readMs: 6 } });
    agreeing = await openTenant(admin, simulator);
    differing = await openTenant(admin, simulator);
    keeping = await openTenant(admin, simulator, { refundFailedDeliveries: false, credits: 0 });
    await admin('POST', `/accounts/${keeping.accountId}/credits/grant`, { amount: 10 });
    // Refused, failed and refunded, and without the outdated field of the pricing.
    await send(agreeing, ORDINARY, '+919812345678', '+15550199901', '+15550199921', '+15550199964');
    await reply(agreeing, ORDINARY);
    await send(differing, '+15550199961', '+15550199962', '+15550199963', '+15550199914');
    await send(differing, '+15550199965');
    await reply(differing, '+15550199960');
    await send(keeping, '+15550199921', '+15550199966');
    await until('the simulator is quiet', () => simulator.pending() === 0);
    await waybill.settled();
  });

  const run = runnerAt(() => on.waybill, 'reconcile');
  const of = ({ accountId }: Tenant) => ['--month', '2026-11', '--account', accountId];

  it('leaves nothing over where charges and bill agree, with the volumes of the provider', async () => {
    const { stdout, stderr } = await answered(0, run(...of(agreeing), '--provider'));
    expect(stderr).to.equal('All is settled.\n');
    expect(stdout).to.include('6 charges, 0 differ');
    const { stdout: json } = await run(...of(agreeing), '--provider', '--json');
    const report: Json = JSON.parse(json);
    expect(report).to.deep.include({ ok: true, charges: 6, differences: [], undelivered: 0 });
    const counted = report.counts.map((row: Json) =>
      valuesOf(row, 'category countryCode charges charged givenBack free delivered'),
    );
    expect(counted).to.deep.equal([
      ['SERVICE', 'GB', 1, 0, 0, 1, 1],
      ['UTILITY', 'GB', 1, 1, 0, 0, 1],
      ['UTILITY', 'IN', 1, 1, 0, 0, 1],
      ['UTILITY', 'ZZ', 3, 1, 2, 0, 1],
    ]);
    const volumes = report.compared.rows.map(({ ours, theirs, ...row }: Json) => {
      const volume = valuesOf(ours, 'billed free');
      expect(valuesOf(theirs, 'billed free')).to.deep.equal(volume);
      return [...valuesOf(row, 'category countryCode isSame'), ...volume];
    });
    expect(volumes).to.deep.equal([
      ['SERVICE', 'GB', true, 0, 1],
      ['UTILITY', 'GB', true, 1, 0],
      ['UTILITY', 'IN', true, 1, 0],
      ['UTILITY', 'ZZ', true, 1, 0],
    ]);
    expect(report.compared.rows[1].theirs.cost).to.equal(0.004);
  });

  it('names each message of which they do not agree, and ends with status 1', async () => {
    const { stdout, stderr } = await answered(1, run(...of(differing)));
    expect(stderr).to.include('Left over: 5 messages');
    for (const words of ['charged, not billable', 'another category', 'no word of the provider']) {
      expect(stdout).to.include(words);
    }
    expect(stdout).to.include('0.0216 USD').and.to.include('Of 1 message that is not known.');
    expect(stdout).to.include('billed, not charged (plan)').and.to.include('free_entry_point');
    const report: Json = JSON.parse((await run(...of(differing), '--format', 'json')).stdout);
    const kinds = report.differences.map((row: Json) => [
      ...valuesOf(row, 'kind byPlan category amount refundCause status'),
      ...valuesOf(row.billedAs, 'type category'),
    ]);
    expect(kinds).to.have.deep.members([
      ['charged_not_billable', false, 'UTILITY', 1, null, 'read', 'free_entry_point', 'UTILITY'],
      ['other_category', false, 'UTILITY', 1, null, 'read', 'regular', 'MARKETING'],
      ['no_word', false, 'UTILITY', 1, null, 'read', null, null],
      ['billed_not_charged', false, 'UTILITY', 1, 'unknown_outcome', 'read', 'regular', 'UTILITY'],
      ['billed_not_charged', true, 'SERVICE', 0, null, 'read', 'regular', 'SERVICE'],
    ]);
    const sent = on.simulator.sends().filter(({ messageId }) => messageId !== null);
    for (const { chargeId, messageId } of report.differences) {
      expect(messageId).to.equal(sent.find((one) => one.chargeId === chargeId)?.messageId);
    }
  });

  it('leaves out what plans want, on demand', async () => {
    expect((await answered(1, run(...of(keeping)))).stdout).to.include('failed, but kept (plan)');
    await answered(0, run(...of(keeping), '--allow-by-plan'));
  });

  it('reads files without a service, and says what only a service knows', async () => {
    const files = ['--data', on.waybill.directory];
    const { stdout } = await answered(1, run(...of(differing), ...files, '--json'));
    const { differences }: Json = JSON.parse(stdout);
    expect(differences).to.have.length(5);
    // Without data keys no id of a message is shown.
    for (const { chargeId, messageId } of differences) {
      expect([chargeId.slice(0, 4), messageId]).to.deep.equal(['chg_', null]);
    }
    const provider = await answered(2, run(...of(differing), ...files, '--provider'));
    expect(provider.stderr).to.include('--provider asks the running service');
    for (const source of [[], files]) {
      const unknown = await answered(1, run('--month', '2026-11', '--account', 'acc_0', ...source));
      expect(unknown.stderr).to.match(/no account acc_0|Account not found/);
    }
  });

  it('compares the volumes of a file', async () => {
    const bill = join(folder.path, 'bill.csv');
    writeFileSync(
      bill,
      'Pricing category;Country;Pricing type;Volume;Cost\nutility;gb;REGULAR;1;"0,004"\nUTILITY;IN;REGULAR;1;\n"utility";ZZ;REGULAR;1;\nservice;GB;FREE_CUSTOMER_SERVICE;1;0\n',
    );
    await answered(0, run(...of(agreeing), '--bill', bill));
    writeFileSync(bill, 'country,category,volume\nGB,UTILITY,2\nIN,UTILITY,1\n');
    const other = await answered(1, run(...of(agreeing), '--bill', bill));
    expect(other.stderr).to.include('Left over: 0 messages; 3 volumes');
    writeFileSync(bill, 'country,kind\nGB,UTILITY\n');
    const wrong = await answered(1, run(...of(agreeing), '--bill', bill));
    expect(wrong.stderr).to.include('missing: category or pricing_category, volume or quantity');
    const absent = await run(...of(agreeing), '--bill', join(folder.path, 'none.csv'));
    expect(absent.stderr).to.include('none.csv cannot be read: ENOENT');
  });

  it('writes a file of what is left over', async () => {
    const out = join(folder.path, 'left.csv');
    await answered(1, run(...of(keeping), '--format', 'csv', '--out', out));
    expect(statSync(out).mode & 0o777).to.equal(0o600);
    const [header, row, ...more] = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(header).to.match(/^kind,byPlan,accountId,chargeId,messageId,at,category,country,amount/);
    expect(row)
      .to.match(/^failed_kept,true,acc_/)
      .and.to.match(/,-0\.0034,USD,false$/);
    expect(more).to.deep.equal([]);
  });

  describe('of an export alone', () => {
    const ledger = runnerAt(() => on.waybill, 'ledger');
    const exported = async ({ accountId }: Tenant, ...source: string[]) => {
      const file = join(folder.path, `${accountId}.jsonl`);
      await answered(0, ledger('export', accountId, '--messages', '--out', file, ...source));
      return file;
    };
    const alone = (file: string, ...how: string[]) =>
      run('--month', '2026-11', '--file', file, ...how);

    it('writes the bytes of the service, which leaves out the ids of messages', async () => {
      const bill = join(folder.path, 'of-export.csv');
      writeFileSync(bill, 'country,category,volume\nGB,UTILITY,2\nIN,UTILITY,1\n');
      for (const tenant of [agreeing, differing, keeping]) {
        const file = await exported(tenant);
        await answered(0, ledger('verify', '--file', file));
        for (const how of [['--format', 'json'], ['--format', 'csv'], [], ['--bill', bill]]) {
          const service = await run(...of(tenant), '--no-message-ids', ...how);
          expect(await alone(file, ...how), how.join(' ')).to.deep.equal(service);
        }
        const text = readFileSync(file, 'utf8');
        const copied = await exported(tenant, '--data', on.waybill.directory);
        expect(readFileSync(copied, 'utf8')).to.equal(text);
      }
    });

    it('row 81: holds nothing of another tenant, and nothing personal in clear', async () => {
      const text = readFileSync(await exported(differing), 'utf8');
      for (const line of text.trimEnd().split('\n')) {
        const { stream = '', end } = JSON.parse(line);
        const isOwn = new RegExp(`^(account-|message-)${differing.accountId}(\\.|$)`).test(stream);
        expect(isOwn || end, stream).to.equal(true);
      }
      for (const other of [agreeing, keeping]) {
        expect(text).not.to.include(other.accountId).and.not.to.include(other.phoneNumberId);
      }
      const told = on.simulator.sends().flatMap(({ messageId, to }) => [messageId, to]);
      for (const one of told) if (one) expect(text).not.to.include(one);
      expect(text).not.to.include('wamid');
    });

    it('refuses one without messages, a doctored one, and another source beside it', async () => {
      const file = await exported(differing);
      const lines = readFileSync(file, 'utf8').split('\n');
      const at = lines.findIndex((line) => line.includes('"type":"MessageSent"'));
      expect(at).to.be.above(0);
      writeFileSync(file, lines.toSpliced(at, 1).join('\n'));
      const cut = await answered(1, alone(file));
      expect(cut.stdout + cut.stderr).to.include('the last line says events');
      writeFileSync(file, lines.toSpliced(at, 0, lines[at]!).join('\n'));
      await answered(1, alone(file));
      const { accountId } = differing;
      await answered(0, ledger('export', accountId, '--out', file));
      const { stderr: without } = await alone(file);
      expect(without).to.include('has no messages').and.to.include('--messages');
      await answered(2, alone(file, '--account', accountId));
      const part = ['--messages', '--since', '2026-11-01', '--out', file];
      await answered(2, ledger('export', accountId, ...part));
    });
  });

  it('refuses periods and options that make no sense', async () => {
    const problems: [string[], string][] = [
      [[], 'is required, such as 2026-11'],
      [['--month', '2026-13'], 'must be a month such as 2026-11'],
      [['--from', '2026-11-02', '--to', '2026-11-01'], '--to must be later than from'],
      [['--month', '2026-11', '--provider', '--bill', 'x'], 'exclude each other'],
    ];
    for (const [args, problem] of problems) {
      expect((await answered(2, run(...args), problem)).stderr).to.include(problem);
    }
    const { stderr } = await answered(1, run('--month', '2025-10', '--provider'));
    expect(stderr).to.include('a year back at most: begin at 2025-11-21 or later');
  });
});
