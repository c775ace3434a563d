import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { fillMonths } from '../support/month.ts';
import { useWaybill } from '../support/surface.ts';
import { ADMIN_TOKEN, openTenant, type Tenant } from '../support/waybill.ts';

const text = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');

/** The command lines of the chapter, without their remarks. */
const commands = (): string[] => {
  const [, chapter = ''] = /^## An auditor's day\n(.*?)^## /ms.exec(text) ?? [];
  const blocks = [...chapter.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/ +#.*/, '').trim())
      .filter((line) => line !== ''),
  );
};

describe("an auditor's day in docs/audit.md", () => {
  const on = useWaybill();
  let tenant: Tenant;
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    folder = temporaryFolder();
    mkdirSync(join(folder.path, 'audit'));
    tenant = await openTenant(on.waybill, { credits: 100, templates: ['order_shipped'] });
    await fillMonths(on.waybill, tenant);
  });
  after(() => folder.remove());

  it('consists of commands that do what it says, one after the other', async () => {
    const env = { WAYBILL_URL: `${on.waybill.url}/api`, WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN };
    const found = commands();
    expect(found.length).to.be.greaterThan(8);
    let verifierKey = 'none yet';
    for (const line of found) {
      const [program, ...words] = line
        .replaceAll('<account>', tenant.accountId)
        .replaceAll('<verifier key>', verifierKey)
        .replaceAll(/\.\/data\b/g, on.waybill.directory)
        .replaceAll('./', `${folder.path}/`)
        .split(/ +/);
      expect(program, line).to.equal('waybill');
      const { status, stdout, stderr } = await runHere(words, { env });
      if (line === 'waybill ledger key') verifierKey = stdout.trim();
      // The provider has said nothing of these messages.
      const expected = words[0] === 'reconcile' ? 1 : 0;
      expect(status, `${line}: ${stderr}`).to.equal(expected);
    }
    const written = (name: string) => readFileSync(join(folder.path, 'audit', name), 'utf8');
    const statement = JSON.parse(written('november.json'));
    expect(statement).to.deep.include({ opening: 0, closing: 90 });
    const [header, ...movements] = written('movements.csv').trimEnd().split('\n');
    const amountAt = header!.split(',').indexOf('amount');
    const sum = movements.reduce((total, row) => total + Number(row.split(',')[amountAt]), 0);
    expect(sum).to.equal(statement.closing - statement.opening);
    expect(written('november.html')).not.to.match(/provider/i);
    expect(existsSync(join(folder.path, 'audit', 'log', 'keys.db'))).to.equal(false);
  });
});
