import { expect } from 'chai';
import type { ReadOptions, Recorded } from '../../../src/events/store.ts';
import { findRequest } from '../../../src/http/console/find-requests.ts';

const START_MS = Date.parse('2026-11-01T00:00:00Z');
const EVENTS = 20_000;

/**
 * Streams of a charge each `everyMs`; every tenth request chose its id itself, the other ids are of a
 * clock that is so far ahead.
 */
const createLog = ({ everyMs = 60_000, aheadMs = 0 } = {}) => {
  let read = 0;
  const timeOf = (revision: number) => START_MS + revision * everyMs;
  /** An id as the service makes it for the event. */
  const idOf = (revision: number) => {
    const hex = (timeOf(revision) + aheadMs).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
  };
  const eventAt = (revision: number) => {
    const at = new Date(timeOf(revision)).toISOString();
    const requestId = revision % 10 === 0 ? `own-${revision}` : idOf(revision);
    const data = { chargeId: `chg_${revision}`, at };
    return { type: 'ChargeReserved', revision, meta: { at, requestId }, data };
  };
  return {
    log: {
      async read(_: string, { from, direction, limit = 1 }: ReadOptions = {}) {
        const step = direction === 'backwards' ? -1 : 1;
        const first = from ?? (step === 1 ? 0 : EVENTS - 1);
        const revisions = Array.from({ length: limit }, (_, count) => first + count * step);
        const found = revisions.filter((revision) => revision >= 0 && revision < EVENTS);
        read += found.length;
        return found.map(eventAt) as unknown as Recorded[];
      },
    },
    count: () => read,
    idOf,
  };
};

describe('The search for a request', () => {
  const { idOf } = createLog();
  const search = async (
    requestId: string,
    accounts: readonly string[] = ['acc_1'],
    { log, count } = createLog(),
  ) => {
    const found = await findRequest(log, accounts, requestId);
    return { charges: found.map(({ chargeId }) => chargeId), read: count() };
  };

  it('finds an id of the service however old it is, by its time', async () => {
    for (const revision of [1, 4_321, EVENTS - 1]) {
      const { charges, read } = await search(idOf(revision));
      expect(charges, String(revision)).to.deep.equal([`chg_${revision}`]);
      expect(read).to.be.lessThan(2_100);
    }
  });

  for (const [where, written] of [
    ['on a busy account', { everyMs: 20 }],
    ['where the clock that made it was ahead', { aheadMs: 30_000 }],
  ] as const) {
    it(`finds an id of the service ${where}`, async () => {
      const log = createLog(written);
      const { charges, read } = await search(log.idOf(5_001), ['acc_1'], log);
      expect(charges).to.deep.equal(['chg_5001']);
      expect(read).to.be.lessThan(2_500);
    });
  }

  it('finds an id that a caller chose among the newest events', async () => {
    expect((await search(`own-${EVENTS - 10}`)).charges).to.deep.equal([`chg_${EVENTS - 10}`]);
    expect((await search('own-10')).charges).to.deep.equal([]);
  });

  it('reads no more events of many accounts than of one', async () => {
    const accounts = Array.from({ length: 200 }, (_, number) => `acc_${number}`);
    expect((await search('own-10', accounts)).read).to.be.lessThan(10_500);
    expect((await search('own-10')).read).to.be.lessThan(10_500);
  });

  it('reads nothing for a text that is no id of a request', async () => {
    expect((await search('Ada’s shop')).read).to.equal(0);
  });
});
