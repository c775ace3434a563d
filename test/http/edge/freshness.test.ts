import { expect } from 'chai';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { createCaughtUp } from '../../../src/http/edge/freshness.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { NotReached, type Reader } from '../../../src/projections/engine/reader.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { ADMIN_TOKEN, openTenant } from '../../support/waybill.ts';

describe('read models that are late', () => {
  describe('what is not in them', () => {
    const missingAfter = async (reached: () => Promise<void>) => {
      const told: unknown[] = [];
      const caughtUp = createCaughtUp({
        store: { head: async () => '7' },
        reader: { reached } as unknown as Reader,
        onLate: (names) => told.push(names),
      });
      const refusal = new AppError('resource.unknown', 'Account not found');
      return { refusal, missing: (await caughtUp(accounts))(refusal), told };
    };

    it('is not there once they have seen the whole log', async () => {
      const { refusal, missing, told } = await missingAfter(async () => undefined);
      expect(missing).to.equal(refusal);
      expect(told).to.deep.equal([]);
    });
    it('may be there as long as they have not', async () => {
      const { missing, told } = await missingAfter(async () => {
        throw new NotReached(['accounts'], '7');
      });
      expect(missing).to.be.instanceOf(AppError).and.include({ code: 'service.unavailable' });
      expect((missing as AppError).details.headers).to.deep.equal({ 'Retry-After': '5' });
      expect(told).to.deep.equal([['accounts']]);
    });
  });

  describe('in the whole service', () => {
    let isStalled = false;
    let goOn = Promise.withResolvers<void>();
    const stall = () => {
      goOn = Promise.withResolvers();
      isStalled = true;
    };
    const resume = () => {
      isStalled = false;
      goOn.resolve();
    };
    /** While it is stalled the projections are told nothing, and nobody how far they should be. */
    const stalling = (store: EventStore): EventStore => ({
      ...store,
      async head() {
        if (isStalled) throw new StoreUnavailable('stalled');
        return store.head();
      },
      async *follow(position, signal, types) {
        for await (const batch of store.follow(position, signal, types)) {
          if (isStalled && types === undefined) await goOn.promise;
          yield batch;
        }
      },
    });
    const on = useWaybill({ wrapStore: stalling });
    afterEach(resume);

    const organisationsNamed = async (name: string) => {
      const { body } = await on.waybill.admin('GET', '/organisations?limit=100');
      return body.organisations.filter((one: { name: string }) => one.name === name);
    };

    it('an act that cannot be shown yet is 503 with Retry-After, and was done', async () => {
      stall();
      const { status, headers, body } = await on.waybill.admin('POST', '/organisations', {
        name: 'Late and Sons',
      });
      expect([status, headers['retry-after']]).to.deep.equal([503, '5']);
      expect(body.error).to.contain('behind its log');
      resume();
      await untilTrue(
        'it is shown',
        async () => (await organisationsNamed('Late and Sons')).length === 1,
      );
    });

    it('money that cannot be shown yet is not moved again under its key', async () => {
      const { accountId } = await openTenant(on.waybill, { credits: 0 });
      const grant = () =>
        on.waybill.call('POST', `/admin/v1/accounts/${accountId}/credits/grant`, {
          token: ADMIN_TOKEN,
          body: { amount: 25 },
          headers: { 'idempotency-key': 'grant-1' },
        });
      stall();
      const late = await grant();
      expect([late.status, late.headers['retry-after']]).to.deep.equal([503, '5']);
      resume();
      const shown = await grant();
      expect([shown.status, shown.body.amount]).to.deep.equal([201, 25]);
      const account = await on.waybill.admin('GET', `/accounts/${accountId}`);
      expect(account.body.balance).to.equal(25);
    });

    it('what is not in them is 503 until they have caught up, and 404 then', async () => {
      stall();
      const read = () => on.waybill.admin('GET', '/organisations/org_nowhere');
      const late = await read();
      expect([late.status, late.headers['retry-after']]).to.deep.equal([503, '5']);
      resume();
      await untilTrue('it is known not to be', async () => (await read()).status === 404);
    });

    it('what is in them is shown all the same', async () => {
      const { accountId, apiKey: token } = await openTenant(on.waybill);
      stall();
      expect((await on.waybill.admin('GET', `/accounts/${accountId}`)).status).to.equal(200);
      expect((await on.waybill.call('GET', '/v1/messages', { token })).status).to.equal(200);
    });
  });
});
