import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { folderInSuite } from '../support/folder.ts';
import { useTenant } from '../support/surface.ts';
import {
  type Json,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  templateAnswer,
} from '../support/waybill.ts';
import { runHere, runnerAt } from './support.ts';

const lines = (text: string) => text.trimEnd().split('\n');

describe('waybill ledger, backup and restore @long', () => {
  const on = useTenant({ once: true, credits: 10 });
  const folder = folderInSuite();
  let accountId: string;
  let messageIds: string[];
  before(async () => {
    accountId = on.tenant.accountId;
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    messageIds = providerAccepts(on.tenant, 2).ids;
    for (let sends = 0; sends < 2; sends += 1) {
      await answered(200, on.call('POST', '/v1/notifications/send', orderShipped()));
      on.waybill.clock.advance(60_000);
    }
  });

  const run = runnerAt(() => on.waybill);
  const inFolder = (name: string) => join(folder.path, name);
  const files = () => `--data ${on.waybill.directory}`;
  const verifyFile = (file: string) => runHere(`ledger verify --file ${file}`);

  it('replays the movements, the same over the API and from files', async () => {
    const over = await answered(0, run('ledger', 'replay', accountId));
    expect(over.stderr).to.include('all in order');
    const [granted, first, second, ...rest] = lines(over.stdout);
    expect(granted).to.match(/GRANT {2,}\+10 {2,}10 /);
    expect(first).to.match(/DEDUCT {2,}-1 {2,}9 .*order_shipped/);
    expect(second).to.match(/DEDUCT {2,}-1 {2,}8 /);
    expect(rest).to.deep.equal(['3 movements, balance 8 credits']);
    const from = await answered(0, runHere(`ledger replay ${accountId} ${files()}`));
    expect(from.stdout).to.equal(over.stdout);
  });

  it('verifies the service, one account, and files', async () => {
    for (const args of [[], [accountId], ['--data', on.waybill.directory]]) {
      const { stderr } = await answered(0, run('ledger', 'verify', ...args));
      expect(stderr).to.include('1 account, 3 movements: all in order');
    }
    const { stdout } = await run('ledger', 'verify', '--json');
    expect(JSON.parse(stdout)).to.deep.include({ ok: true, movements: 3, readModel: true });
  });

  it('exports a file that can be verified alone, and one for a spreadsheet', async () => {
    const file = inFolder('ledger.jsonl');
    await answered(0, run('ledger', 'export', accountId, '--out', file));
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(existsSync(`${file}.partial`)).to.equal(false);
    await answered(0, verifyFile(file));
    writeFileSync(file, readFileSync(file, 'utf8').replace('order_shipped', 'order_status'));
    const changed = await answered(1, verifyFile(file));
    expect(changed.stderr).to.include('hash').and.include(accountId);

    const sheet = inFolder('ledger.csv');
    await run('ledger', 'export', accountId, '--format', 'csv', '--out', sheet);
    const [header, ...rows] = lines(readFileSync(sheet, 'utf8'));
    expect(header).to.equal(
      'position,revision,entryId,at,type,amount,balanceAfter,billing,reason,chargeId,sequence,hash,' +
        'currency,category,country,market,price,providerCost,plan,planVersion,rateCard,grantedBy,messageId,cause,account,erased',
    );
    expect(rows).to.have.length(3);
    expect(rows[1]!.split(',').slice(4, 9).join()).to.equal('DEDUCT,-1,9,credits,order_shipped');
  });

  it('tells the balance of any time, the same of service, files and an export alone', async () => {
    const file = inFolder('balance.jsonl');
    await run('ledger', 'export', accountId, '--out', file);
    const times = ['2026-11-01', '2026-11-21T12:00:00Z', '2026-11-21T12:00:59.999Z', '2027-01-01'];
    const balances: number[] = [];
    for (const asOf of times) {
      const at = ['--as-of', asOf, '--json'];
      const over = await answered(0, run('balance', accountId, ...at));
      balances.push(JSON.parse(over.stdout).balance);
      for (const source of [['--data', on.waybill.directory], []]) {
        const other = await run('ledger', 'balance', accountId, ...at, ...source);
        expect(other.stdout, other.stderr).to.equal(over.stdout);
      }
      const alone = await runHere(`balance --file ${file} ${at.join(' ')}`);
      expect(alone.stdout, alone.stderr).to.equal(over.stdout);
    }
    expect(balances).to.deep.equal([0, 9, 9, 8]);
    const after = await runHere(`balance --file ${file} --as-of 2027-01-01`);
    expect(after.stderr).to.match(/^The export ends with an event of 2026-11-21T12:01:00/);

    const period = inFolder('balance-period.jsonl');
    const since = ['--since', '2026-11-21T12:00:30Z'];
    await run('ledger', 'export', accountId, ...since, '--out', period);
    const { stderr } = await answered(
      1,
      runHere(`balance --file ${period} --as-of 2026-11-21T12:00:40Z`),
    );
    expect(stderr).to.equal(
      'error: The export has no movement up to 2026-11-21T12:00:40.000Z: export an earlier period, or all of it\n',
    );
    const late = await runHere(`balance --file ${period} --as-of 2027-01-01`);
    expect(late.stdout).to.match(/^balance: +8$/m);
    const text = readFileSync(file, 'utf8').replace('"balanceAfter":9,', '"balanceAfter":10,');
    writeFileSync(file, text);
    const changed = await answered(1, runHere(`balance --file ${file}`));
    expect(changed.stdout).to.equal('');
    expect(changed.stderr).to.include('hash');
    for (const wrong of [[], [accountId, '--file', file]]) {
      await answered(2, run('balance', ...wrong));
    }
    const unknown = await runHere(`balance acc_0 ${files()}`);
    expect(unknown.stderr).to.equal('error: There is no account acc_0\n');
  });

  it('exports movements with their price and message, and refuses to verify these', async () => {
    const sheet = inFolder('prices.csv');
    const asked = ['ledger', 'export', accountId, '--format', 'csv', '--out'];
    const done = await run(...asked, sheet);
    expect(done.stdout).to.equal(`Wrote 3 movements to ${sheet}\n`);
    const [, granted, sent] = lines(readFileSync(sheet, 'utf8')).map((line) =>
      line.split(',').slice(12).join(),
    );
    const root = 'Root administrator <root@localhost>';
    expect(granted).to.equal(`USD,,,,,,,,,${root},,,${accountId},`);
    const price = 'UTILITY,IN,India,0.00168,0.0014,standard,1,default-usd-2026-10';
    expect(sent).to.equal(`USD,${price},,${messageIds[0]},,${accountId},false`);
    // The ids of messages are personal: files do not tell them.
    const printed = await runHere(`${asked.join(' ')} - ${files()}`);
    const withoutIds = messageIds.reduce(
      (text, id) => text.replace(id, ''),
      readFileSync(sheet, 'utf8').replaceAll(',false\n', ',\n'),
    );
    expect(printed.stdout).to.equal(withoutIds);
    const { stderr } = await answered(1, verifyFile(sheet));
    expect(stderr).to.equal(
      `error: ${sheet} is a CSV, whose hashes cannot be checked: verify an export of events, which waybill ledger export --format jsonl writes\n`,
    );
  });

  it('backs up and restores, and refuses directories in use', async () => {
    const [copy, data] = [inFolder('copy'), inFolder('data')];
    const backUp = () => runHere(`backup ${files()} --out ${copy}`);
    const restore = (to: string) => runHere(`restore --from ${copy} --data ${to} --json`);
    expect((await answered(0, backUp())).stderr).to.include('all in order');
    const told: Json = JSON.parse((await answered(0, restore(data))).stdout);
    expect(told.report).to.deep.include({ ok: true, movements: 3 });
    for (const target of [data, on.waybill.directory]) {
      const refused = await answered(1, restore(target));
      expect(refused.stderr).to.match(/is not empty|already in use/);
    }
    await answered(1, backUp());
    const nowhere = await runHere(`backup --data ${inFolder('none')} --out ${inFolder('x')}`);
    expect(nowhere.stderr).to.equal(`error: there is no event log in ${inFolder('none')}\n`);
  });

  it('reports unknown accounts and options that exclude each other', async () => {
    const unknown = await answered(1, runHere(`ledger replay acc_0 ${files()}`));
    expect(unknown.stderr).to.equal('error: There is no account acc_0\n');
    await answered(1, run('ledger', 'replay', 'acc_0'));
    await answered(2, runHere('ledger verify acc_0 --file x'));
    const nowhere = inFolder('none/ledger.jsonl');
    const unwritten = await answered(1, run('ledger', 'export', accountId, '--out', nowhere));
    expect(unwritten.stderr).to.match(/^error: ENOENT: .*none\/ledger\.jsonl/);
    expect((await answered(1, verifyFile(inFolder('none')))).stderr).to.include('ENOENT');
  });
});
