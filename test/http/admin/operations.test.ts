import { expect } from 'chai';
import { projections } from '../../../src/projections/all.ts';
import { inboundPayload, threadOf, typesOf, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, openTenant, statusPayload } from '../../support/waybill.ts';

describe('Operations', () => {
  const on = useWaybill();

  describe('dead letters', () => {
    const letters = async (query = '?limit=100'): Promise<Json> =>
      (await on.waybill.admin('GET', `/dead-letters${query}`)).body;
    const strangers = async (id: string) => {
      const place = { phoneNumberId: `5550000${id}`, wabaId: `6660000${id}` };
      await on.waybill.webhook(
        inboundPayload(place, { id: `wamid.DL${id}`, at: on.waybill.clock.now() }),
      );
      return place;
    };
    const retry = (id: string) => on.waybill.admin('POST', `/dead-letters/${id}/retry`, {});

    it('are listed newest first, with reason and raw JSON', async () => {
      await strangers('1');
      const place = await strangers('2');
      const { deadLetters, nextCursor } = await letters('?limit=1');
      const [letter] = deadLetters;
      expect(letter).to.deep.equal({
        id: letter.id,
        field: 'message',
        ...place,
        reason: 'the number is not linked',
        raw: letter.raw,
        rawLength: letter.raw.length,
        state: 'open',
        resolved: false,
        retries: 0,
        createdAt: new Date(on.waybill.clock.now()).toISOString(),
        dismissedAt: null,
        dismissedBy: null,
      });
      expect(JSON.parse(letter.raw).entry[0].changes[0].value.messages[0].id).to.equal('wamid.DL2');
      const next = await letters(`?limit=1&cursor=${nextCursor}`);
      expect(next.deadLetters[0].phoneNumberId).to.equal('55500001');
    });

    it('are taken in by a retry once the reason is gone, with no second effect', async () => {
      const place = await strangers('3');
      const [letter] = (await letters()).deadLetters;
      const failed = await retry(letter.id);
      expect(failed.status).to.equal(200);
      expect(failed.body).to.deep.include({
        resolved: false,
        retries: 1,
        problem: 'the number is not linked',
      });
      const tenant = await openTenant(on.waybill, { number: false });
      await on.waybill.admin('POST', `/accounts/${tenant.accountId}/numbers`, place);
      for (const taken of await Promise.all([retry(letter.id), retry(letter.id)])) {
        expect(taken.body).to.deep.include({ resolved: true, retries: 2, problem: null });
      }
      const thread = threadOf({ ...tenant, ...place });
      expect(typesOf(await on.waybill.events(thread))).to.deep.equal(['MessageReceived']);
      const again = await retry(letter.id);
      expect(again.body).to.deep.include({ resolved: true, retries: 2, problem: null });
      expect(await on.waybill.events(thread)).to.have.length(1);
    });

    it('that nobody understands stay, and unknown ones are 404', async () => {
      const place = { phoneNumberId: '1', wabaId: '2' };
      await on.waybill.webhook(statusPayload(place, { id: 'wamid.X', status: 'sent' }));
      const [letter] = (await letters()).deadLetters;
      expect((await retry(letter.id)).body.resolved).to.equal(false);
      expect((await retry('none')).status).to.equal(404);
    });
  });

  describe('projections', () => {
    const list = async (): Promise<Json[]> =>
      (await on.waybill.admin('GET', '/projections')).body.projections;

    it('are all listed with how far they are', async () => {
      await on.waybill.settled();
      const all = await list();
      expect(all.map(({ name }) => name)).to.have.members(projections.map(({ name }) => name));
      for (const one of all) {
        expect(one).to.include.keys('name', 'version', 'position', 'lag', 'state', 'error');
        expect(one).to.deep.include({ state: 'live', error: null });
      }
    });

    it('are rebuilt on demand while the old one serves, and come to the same', async () => {
      const tenant = await openTenant(on.waybill, { number: false, credits: 42 });
      const credits = async () =>
        (await on.waybill.call('GET', '/v1/credits', { token: tenant.apiKey })).body;
      const before = await credits();
      for (const name of ['ledger', 'accounts']) {
        const { status, body } = await on.waybill.admin('POST', `/projections/${name}/rebuild`, {});
        expect([status, body.name]).to.deep.equal([202, name]);
        expect(await credits()).to.deep.equal(before);
      }
      await untilTrue('the rebuilds', async () => {
        const all = await list();
        return all.every(({ state, rebuild }) => state === 'live' && rebuild === null);
      });
      expect(await credits()).to.deep.equal(before);
    });

    it('that do not exist are 404', async () => {
      const { status, body } = await on.waybill.admin('POST', '/projections/none/rebuild', {});
      expect(status).to.equal(404);
      expect(body.error).to.be.a('string');
    });
  });
});
