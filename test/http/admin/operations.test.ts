import { expect } from 'chai';
import { projections } from '../../../src/projections/all.ts';
import { answered } from '../../support/answered.ts';
import { makeAdministrator } from '../../support/people.ts';
import { inboundPayload, threadOf, typesOf, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { ADMIN_TOKEN, type Json, openTenant } from '../../support/waybill.ts';

describe('Operations', () => {
  const logLines: Json[] = [];
  const on = useWaybill({ logLines });

  describe('dead letters', () => {
    const letters = async (query = '?limit=100'): Promise<Json> =>
      (await on.waybill.admin('GET', `/dead-letters${query}`)).body;
    const strangers = async (id: string) => {
      const place = { phoneNumberId: `5550000${id}`, wabaId: `6660000${id}` };
      const at = on.waybill.clock.now();
      await on.waybill.webhook(inboundPayload(place, { id: `wamid.DL${id}`, at }));
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
      const failed = await answered(200, retry(letter.id));
      const problem = 'the number is not linked';
      expect(failed.body).to.deep.include({ resolved: false, retries: 1, problem });
      const tenant = await openTenant(on.waybill, { number: false });
      await on.waybill.admin('POST', `/accounts/${tenant.accountId}/numbers`, place);
      for (const taken of await Promise.all([retry(letter.id), retry(letter.id)])) {
        expect(taken.body).to.deep.include({ resolved: true, retries: 2, problem: null });
      }
      const thread = await threadOf(on.waybill, { ...tenant, ...place });
      expect(typesOf(await on.waybill.events(thread))).to.deep.equal(['MessageReceived']);
      const again = await retry(letter.id);
      expect(again.body).to.deep.include({ resolved: true, retries: 2, problem: null });
      expect(await on.waybill.events(thread)).to.have.length(1);
    });

    const dismiss = (id: string, token = ADMIN_TOKEN) =>
      on.waybill.call('POST', `/admin/v1/dead-letters/${id}/dismiss`, { token, body: {} });
    const read = (id: string) => on.waybill.admin('GET', `/dead-letters/${id}`);

    it('are read one by one, whole, where the list has the beginning', async () => {
      const place = { phoneNumberId: '55500004', wabaId: '66600004' };
      const body = 'long '.repeat(5_000);
      const payload = inboundPayload(place, { id: 'wamid.DL4', at: on.waybill.clock.now(), body });
      await on.waybill.webhook(payload);
      const [letter] = (await letters()).deadLetters;
      expect(letter.raw).to.have.length(8_000);
      const whole = await answered(200, read(letter.id));
      expect(whole.body.raw).to.have.length(letter.rawLength);
      const [{ text }] = JSON.parse(whole.body.raw).entry[0].changes[0].value.messages;
      expect(text).to.deep.equal({ body });
      expect({ ...whole.body, raw: letter.raw }).to.deep.equal(letter);
      await answered(404, read('none'));
    });

    it('are dismissed once, with the administrator, and can be filtered out', async () => {
      await strangers('5');
      const [letter] = (await letters()).deadLetters;
      const { id, token, name, email } = await makeAdministrator(on.waybill, 'admin');
      const done = await answered(200, dismiss(letter.id, token));
      const by = { id, name, email };
      expect(done.body).to.deep.include({ state: 'dismissed', resolved: false, dismissedBy: by });
      expect((await dismiss(letter.id)).body).to.deep.equal(done.body);
      const stream = await on.waybill.events(`deadletter-${letter.id}`);
      expect(typesOf(stream)).to.deep.equal(['DeadLetterKept', 'DeadLetterDismissed']);
      expect(stream[1]!.meta.by).to.deep.equal(by);
      const idsOf = async (state: string) =>
        (await letters(`?limit=100&state=${state}`)).deadLetters.map(({ id }: Json) => id);
      expect(await idsOf('dismissed')).to.deep.equal([letter.id]);
      expect(await idsOf('open')).to.not.include(letter.id);
      expect((await letters('?state=closed')).error.fieldErrors).to.have.property('state');
      await answered(404, dismiss('none'));
    });
  });

  describe('projections', () => {
    const list = async (): Promise<Json[]> =>
      (await on.waybill.admin('GET', '/projections')).body.projections;

    it('are listed with their progress', async () => {
      await on.waybill.settled();
      const all = await list();
      expect(all.map(({ name }) => name)).to.have.members(projections.map(({ name }) => name));
      for (const one of all) {
        expect(one).to.include.keys('name', 'version', 'position', 'lag', 'state', 'error');
        expect(one).to.deep.include({ state: 'live', error: null });
        expect(one.partitions.map(({ lag }: Json) => lag)).to.include(0);
      }
    });

    it('are listed with their partitions, each with its worker', async () => {
      await on.waybill.settled();
      const { partitions } = (await on.waybill.admin('GET', '/projections')).body;
      expect(partitions).to.have.length.of.at.least(1);
      for (const [index, { partition, worker, lag }] of partitions.entries()) {
        expect([partition, lag]).to.deep.equal([index, 0]);
        expect(worker).to.be.a('string');
      }
    });

    it('are rebuilt on demand while the old one serves, with the same result', async () => {
      const tenant = await openTenant(on.waybill, { number: false, credits: 42 });
      const credits = async () =>
        (await on.waybill.call('GET', '/v1/credits', { token: tenant.apiKey })).body;
      const before = await credits();
      for (const name of ['ledger', 'accounts']) {
        const rebuilding = on.waybill.admin('POST', `/projections/${name}/rebuild`, {});
        expect((await answered(202, rebuilding)).body.name).to.equal(name);
        expect(await credits()).to.deep.equal(before);
      }
      await untilTrue('the rebuilds', async () => {
        const all = await list();
        return all.every(({ state, rebuild }) => state === 'live' && rebuild === null);
      });
      expect(await credits()).to.deep.equal(before);
    });
  });
});
