import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { verifyDirectory } from '../../src/audit/offline.ts';
import { parseVerifierKey } from '../../src/audit/seals/note.ts';
import { parseSeal } from '../../src/audit/seals/seal.ts';
import { CHAIN_START, linkHash } from '../../src/commands/account/chain.ts';
import { selectRows } from '../../src/events/sqlite/format.ts';
import { unpackRow } from '../../src/events/sqlite/packing.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import { foundInstallation } from '../support/sealed-books.ts';
import type { Tenant } from '../support/waybill.ts';

interface Link {
  position: number;
  type: string;
  data: Record<string, unknown> & { hash: string; amount: number; balanceAfter: number };
}

describe('a chain that was changed and hashed anew', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  beforeEach(async () => {
    world = await openWorld();
    tenant = await world.tenant({ credits: 10 });
    for (let count = 0; count < 3; count += 1) {
      expect((await world.send(tenant)).status).to.equal(200);
    }
  });
  afterEach(() => world.close());

  /** The links of the account, as the file holds them, each as the change makes it. */
  const rewrite = (change: (link: Link) => void): Link[] => {
    const file = join(world.waybill.directory, 'events.db');
    const database = new DatabaseSync(file, { timeout: 5_000 });
    const stream = `account-${tenant.accountId}`;
    const rows = selectRows(database, 'stream = ? ORDER BY revision').all(stream);
    const put = database.prepare('UPDATE events SET data = ?, sealed = NULL WHERE position = ?');
    const links = rows
      .map(unpackRow)
      .map((row): Link => ({ ...row, data: JSON.parse(row.data) }))
      .filter(({ data }) => 'hash' in data);
    let [previousHash, balance] = [CHAIN_START, 0];
    for (const link of links) {
      change(link);
      balance += link.data.amount;
      Object.assign(link.data, { balanceAfter: balance, previousHash });
      link.data.hash = previousHash = linkHash(link.type, link.data);
      put.run(JSON.stringify(link.data), link.position);
    }
    database.close();
    return links;
  };

  const forge = () =>
    rewrite(({ type, data }) => {
      if (type === 'CreditsGranted') data.amount += 1_000_000;
    });

  it('row 31: is found by the seals, those of the log and those that were kept elsewhere', async () => {
    await foundInstallation(world.waybill);
    const sealed = await world.waybill.admin('POST', '/ledger/seals');
    expect(sealed.status).to.equal(201);
    const { directory } = world.waybill;
    const { body } = await world.waybill.admin('GET', '/ledger/seals');
    const seals = { kept: [parseSeal(sealed.body.note)!], keys: [parseVerifierKey(body.key)] };
    expect(await verifyDirectory(directory, { seals })).to.include({ ok: true });
    forge();
    for (const given of [{}, { seals }]) {
      const { problems } = await verifyDirectory(directory, given);
      expect(problems.map(({ kind }) => kind)).to.include('seal');
      expect(problems.map(({ accountId }) => accountId)).to.include(tenant.accountId);
    }
  });

  it('row 31: holds without seals, and differs from what was kept elsewhere', async () => {
    const honest = rewrite(() => undefined).map(({ data }) => data.hash);
    const kept = (await world.waybill.events(`account-${tenant.accountId}`)).at(-1)!;
    expect((kept.data as { hash: string }).hash).to.equal(honest.at(-1));
    const forged = forge();
    expect(await verifyDirectory(world.waybill.directory)).to.include({ ok: true });
    expect(forged.map(({ data }) => data.hash)).to.not.include(honest.at(-1));
  });
});
