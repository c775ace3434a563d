import { expect } from 'chai';
import { verifyDirectory } from '../../src/audit/offline.ts';
import { parseVerifierKey } from '../../src/audit/seals/note.ts';
import { parseSeal } from '../../src/audit/seals/read-seals.ts';
import { openWorld } from '../support/faults/world.ts';
import { inEachTest } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { rewriteChain, type StoredLink } from '../support/sealed-books.ts';
import type { Tenant } from '../support/waybill.ts';

describe('a chain that was changed and hashed anew', () => {
  useRealConnections();
  let tenant: Tenant;
  const world = inEachTest(openWorld);
  beforeEach(async () => {
    tenant = await world.tenant({ credits: 10 });
    for (let count = 0; count < 3; count += 1) {
      expect((await world.send(tenant)).status).to.equal(200);
    }
  });

  const rewrite = (change: (link: StoredLink) => void) =>
    rewriteChain(world.waybill.directory, tenant.accountId, change);
  const forge = () =>
    rewrite(({ type, data }) => {
      if (type === 'CreditsGranted') data.amount += 1_000_000;
    });

  it('row 31: is found by the seals, those of the log and those that were kept elsewhere', async () => {
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
    const honest = rewrite(() => undefined).map(({ hash }) => hash);
    const kept = (await world.waybill.events(`account-${tenant.accountId}`)).at(-1)!;
    expect((kept.data as { hash: string }).hash).to.equal(honest.at(-1));
    const forged = forge();
    expect(await verifyDirectory(world.waybill.directory)).to.include({ ok: true });
    expect(forged.map(({ hash }) => hash)).to.not.include(honest.at(-1));
  });
});
