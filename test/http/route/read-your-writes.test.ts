import { expect } from 'chai';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { createUpToDate } from '../../../src/http/route/read-models.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import type { Lists } from '../../../src/projections/engine/lists.ts';
import { NotReached, type Reader, type Shown } from '../../../src/projections/engine/reader.ts';
import { keys } from '../../../src/projections/keys.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { answered } from '../../support/answered.ts';
import { useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { ADMIN_TOKEN, type Json, openTenant } from '../../support/waybill.ts';

describe('reading your writes', () => {
  type Given = Partial<Parameters<typeof createUpToDate>[0]>;
  /** Over a log whose head is 7. */
  const upToDateWith = (reached: (...given: never[]) => Promise<Shown>, given: Given = {}) =>
    createUpToDate({
      store: { head: async () => '7' },
      reader: { reached } as unknown as Reader,
      lists: {} as Lists,
      onLate: () => expect.fail('nothing lags'),
      ...given,
    });

  describe('a document that the read models lack', () => {
    const missingAfter = async (reached: () => Promise<Shown>) => {
      const late: (readonly string[])[] = [];
      const upToDate = upToDateWith(reached, { onLate: (names) => late.push(names) });
      const unknown = new AppError('resource.unknown', 'Account not found');
      return { unknown, error: (await upToDate([accounts])).notFound(unknown), late };
    };

    it('does not exist once the read models have seen the whole log', async () => {
      const { unknown, error, late } = await missingAfter(async () => 'all');
      expect(error).to.equal(unknown);
      expect(late).to.deep.equal([]);
    });
    it('may exist where one of them has halted, or has an older version for now', async () => {
      for (const shown of ['halted', 'older'] as const) {
        const { error, late } = await missingAfter(async () => shown);
        expect(error).to.be.instanceOf(AppError).and.include({ code: 'service.unavailable' });
        expect(late).to.deep.equal([]);
      }
    });
    it('may exist while the read models lag', async () => {
      const { error, late } = await missingAfter(async () => {
        throw new NotReached(['accounts'], '7');
      });
      expect(error).to.be.instanceOf(AppError).and.include({ code: 'service.unavailable' });
      expect((error as AppError).details.retryAfterSeconds).to.equal(5);
      expect(late).to.deep.equal([['accounts']]);
    });
  });

  describe('a head that does not come in time', () => {
    const positionsAfter = async (writes: boolean) => {
      const heads = [Promise.reject(new StoreUnavailable('too late')), Promise.resolve('7')];
      const reached: string[] = [];
      let late = 0;
      const upToDate = upToDateWith(
        async (_: unknown, position: string) => {
          reached.push(position);
          return 'all';
        },
        {
          store: { head: () => heads.shift()! },
          onLate: () => {
            late += 1;
          },
        },
      );
      await upToDate([accounts], { writes });
      return { reached, late };
    };

    it('is asked for again after a write, whose answer shows it', async () => {
      expect(await positionsAfter(true)).to.deep.equal({ reached: ['7'], late: 0 });
    });
    it('is no other than the end of a bucket that does not', async () => {
      const failures: Error[] = [new StoreUnavailable('too late')];
      const upToDate = upToDateWith(async () => {
        const failure = failures.pop();
        if (failure) throw failure;
        return 'all';
      });
      await upToDate([accounts], { writes: true });
      expect(failures).to.deep.equal([]);
    });
    it('leaves a GET with what the read models have', async () => {
      expect(await positionsAfter(false)).to.deep.equal({ reached: [], late: 1 });
    });
  });

  describe('a handler', () => {
    it('can read no projection that its route does not declare', async () => {
      const models = await upToDateWith(async () => 'all')([accounts]);
      expect(() => models.get(keys, 'key_1')).to.throw(/does not declare that it reads keys/);
    });
  });

  describe('in the whole service, while the read models lag', () => {
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
    /** While it is stalled, projections receive no events and `head()` fails. */
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

    it('answers a command 503 with Retry-After, and has done it', async () => {
      stall();
      const late = { name: 'Late and Sons' };
      const { headers, body } = await answered(
        503,
        on.waybill.admin('POST', '/organisations', late),
      );
      expect(headers['retry-after']).to.equal('5');
      expect(body.error).to.contain('behind its log');
      resume();
      await untilTrue('it is shown', async () => {
        const { body: shown } = await on.waybill.admin('GET', '/organisations?limit=100');
        return shown.organisations.filter(({ name }: Json) => name === late.name).length === 1;
      });
    });

    it('moves money once under its idempotency key', async () => {
      const { accountId } = await openTenant(on.waybill, { credits: 0 });
      const headers = { 'idempotency-key': 'grant-1' };
      const how = { token: ADMIN_TOKEN, body: { amount: 25 }, headers };
      const grant = () =>
        on.waybill.call('POST', `/admin/v1/accounts/${accountId}/credits/grant`, how);
      stall();
      const late = await answered(503, grant());
      expect(late.headers['retry-after']).to.equal('5');
      resume();
      const shown = await answered(201, grant());
      expect(shown.body.amount).to.equal(25);
      const account = await on.waybill.admin('GET', `/accounts/${accountId}`);
      expect(account.body.balance).to.equal(25);
    });

    it('answers an unknown id 503 until the read models have caught up, then 404', async () => {
      stall();
      const read = () => on.waybill.admin('GET', '/organisations/org_nowhere');
      const late = await read();
      expect([late.status, late.headers['retry-after']]).to.deep.equal([503, '5']);
      resume();
      await untilTrue('it is known not to be', async () => (await read()).status === 404);
    });

    it('shows what the read models have', async () => {
      const { accountId, apiKey: token } = await openTenant(on.waybill);
      stall();
      await answered(200, on.waybill.admin('GET', `/accounts/${accountId}`));
      await answered(200, on.waybill.call('GET', '/v1/messages', { token }));
    });
  });
});
