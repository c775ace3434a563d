import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { folderInSuite } from '../support/folder.ts';
import { fillMonths } from '../support/month.ts';
import { useWaybill } from '../support/surface.ts';
import {
  type Json,
  openTenant,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
} from '../support/waybill.ts';
import { runHere, runnerAt } from './support.ts';

const lines = (text: string) => text.trimEnd().split('\n');

describe('waybill statement', () => {
  const on = useWaybill();
  let first: Tenant;
  let second: Tenant;
  const folder = folderInSuite();
  before(async () => {
    first = await openTenant(on.waybill, { credits: 100 });
    providerHasTemplates(first, templateAnswer('order_shipped'));
    second = await openTenant(on.waybill, { credits: 7, number: false });
    await fillMonths(on.waybill, first);
    // Opened in December: it has no statement of November.
    await openTenant(on.waybill, { credits: 1, number: false });
  });

  const run = runnerAt(() => on.waybill, 'statement');
  const files = () => ['--data', on.waybill.directory];
  const november = ['--month', '2026-11'];

  it('prints the same of a service and of its files, in every format', async () => {
    for (const format of ['text', 'csv', 'html', 'json']) {
      const asked = [first.accountId, ...november, '--format', format];
      const over = await run(...asked);
      expect([over.status, over.stderr], format).to.deep.equal([0, '']);
      expect(over.stdout).to.include(first.accountId);
      const from = await run(...asked, ...files());
      expect([from.status, from.stdout], format).to.deep.equal([0, over.stdout]);
    }
    const { stdout } = await run(first.accountId, ...november);
    expect(stdout).to.match(/^Statement\n/);
    expect((await run(first.accountId, ...november, '--no-cost')).stdout).not.to.include('Margin');
    const { stdout: json } = await run(first.accountId, ...november, '--json');
    expect(JSON.parse(json)).to.deep.include({ opening: 0, closing: 90, final: false });
  });

  it('prints the same of an export alone as the service does, of all of it or of a period', async () => {
    await answered(201, on.waybill.admin('POST', '/ledger/seals'));
    const runExport = runnerAt(() => on.waybill, 'ledger', 'export');
    const exportTo = async (name: string, ...options: string[]) => {
      const file = join(folder.path, name);
      await answered(0, runExport(first.accountId, '--out', file, ...options));
      return file;
    };
    const whole = await exportTo('whole.jsonl', '--proof');
    const copied = await exportTo('copied.jsonl', ...files());
    const later = await exportTo('later.jsonl', '--since', '2026-12-01');
    const month = await exportTo('month.jsonl', '--since', '2026-11-01', '--until', '2026-12-01');
    const away = (file: string, ...args: string[]) =>
      runHere(['statement', '--file', file, ...args], { env: {} });
    const december = ['--month', '2026-12'];
    const asked: readonly [file: string, period: string[]][] = [
      [whole, november],
      [whole, december],
      [copied, november],
      [later, december],
      [month, november],
    ];
    for (const [file, period] of asked) {
      for (const form of [[], ['--format', 'csv'], ['--format', 'html', '--no-cost'], ['--json']]) {
        const served = await run(first.accountId, ...period, ...form);
        const told = await away(file, ...period, ...form);
        expect(told, `${file} ${form}`).to.include({ status: 0, stdout: served.stdout });
      }
    }
    const sealed = await away(whole, ...november, '--json');
    expect(JSON.parse(sealed.stdout)).to.include({ final: true });
    const early = await away(later, ...november);
    expect(early.stderr).to.match(/The export begins at 2026-12-01T\S+: export an earlier period/);
    expect((await away(month, ...december)).stderr).to.match(/The export ends before 2026-12-01T/);
    const text = readFileSync(whole, 'utf8');
    expect(text).not.to.include(second.accountId);
    writeFileSync(whole, text.replace('"amount":100,', '"amount":900,'));
    const forged = await answered(1, away(whole, ...november));
    expect(forged.stdout).to.equal('');
    expect(forged.stderr).to.match(/hash .*was changed/);
    await answered(2, run(first.accountId, '--file', whole, ...november));
  });

  it('writes all accounts that there were as one CSV with one header, or as JSON Lines', async () => {
    const ids = [first.accountId, second.accountId].sort();
    const file = join(folder.path, 'november.csv');
    const done = await run('--all', ...november, '--out', file);
    expect([done.status, done.stdout]).to.deep.equal([0, `Wrote ${file}\n`]);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const [header, ...rows] = lines(readFileSync(file, 'utf8'));
    expect(header).to.match(/^accountId,from,to,/);
    expect([...new Set(rows.map((row) => row.split(',')[0]))]).to.deep.equal(ids);
    const asLines = await run('--all', ...november, '--format', 'json', ...files());
    const told: Json[] = lines(asLines.stdout).map((line) => JSON.parse(line));
    expect(told.map(({ accountId }) => accountId)).to.deep.equal(ids);
    expect(told.map(({ closing }) => closing).sort()).to.deep.equal([7, 90]);
  });

  it('takes days and times for both ends', async () => {
    const ends = ['--from', '2026-11-01', '--to', '2027-01-01', '--json'];
    const { stdout } = await run(first.accountId, ...ends);
    expect(JSON.parse(stdout)).to.deep.include({ opening: 0, closing: 89 });
  });

  it('says what is wrong with the command line, before it calls the service', async () => {
    const wrong = [
      [[...november], 'Name one account, or give --all'],
      [[first.accountId, '--all', ...november], 'Name one account, or give --all'],
      [[first.accountId], '--month is required'],
      [[first.accountId, '--month', 'November'], '--month must be a month such as 2026-11'],
      [['--all', ...november, '--format', 'html'], '--all writes csv or json'],
    ] as const;
    for (const [args, says] of wrong) {
      expect((await answered(2, run(...args))).stderr).to.include(says);
    }
    const unknown = await answered(1, run('acc_0', ...november, ...files()));
    expect(unknown.stderr).to.equal('error: There is no account acc_0\n');
    await answered(1, run('acc_0', ...november));
  });
});
