import { expect } from 'chai';
import { ALL_BUCKETS } from '../../../src/events/bucket.ts';
import { contactKeyOf } from '../../../src/events/contact.ts';
import type { Recorded } from '../../../src/events/store.ts';
import { NotReached, type Reader } from '../../../src/projections/engine/reader.ts';
import { createCountHeld } from '../../../src/service/privacy/held-data.ts';
import { createFindJoined, createFindSubjects } from '../../../src/service/privacy/privacy.ts';
import { Interrupted } from '../../../src/shared/retry.ts';

const ACCOUNT = 'acc_1';
const join = (position: string, userRef: string, contactRef: string, accountId = ACCOUNT) =>
  ({ type: 'ContactIdsJoined', position, data: { accountId, userRef, contactRef } }) as never;

/** A log of these events, in pages of two. */
const logOf = (events: readonly Recorded[]) => ({
  head: async () => events.at(-1)!.position,
  read: async () => [],
  async readAll(after: string) {
    const page = events.filter(({ position }) => position > after).slice(0, 2);
    return { events: page, to: page.at(-1)?.position ?? after };
  },
});

/** What the read models show: of each id, the one that it was joined with. */
const readerOf = (
  shown: Readonly<Record<string, string>>,
  { failure, isLate = failure !== undefined }: { failure?: Error; isLate?: boolean } = {},
) => {
  const documents = Object.entries(shown).map(([ref, contactRef]) => ({
    id: contactKeyOf(ACCOUNT, ref),
    contactRef,
  }));
  return {
    async reached() {
      if (failure) throw failure;
      return isLate ? 'halted' : 'all';
    },
    shows: async () => new Set(isLate ? [] : ALL_BUCKETS),
    get: async (_: unknown, id: string) => documents.find((one) => one.id === id),
    find: async (_: unknown, { where }: { where: { contactRef: string } }) =>
      documents.filter(({ contactRef }) => contactRef === where.contactRef),
    count: async () => 0,
    scan: async () => ({ rows: [], next: null }),
  } as unknown as Reader;
};

const late = new NotReached(['contacts'], '9');
const { signal } = new AbortController();
const events = [
  join('1', 'u2', 'u1'),
  join('2', 'u3', 'u1'),
  join('3', 'bob', 'bea'),
  join('4', 'zoe', 'bob', 'acc_2'),
  join('5', 'u1', 'ann'),
];
const all = ['ann', 'u1', 'u2', 'u3'];
const subjects = [{ accountId: ACCOUNT, ref: 'ann' }];
const find = (reader: Reader, on = signal) =>
  createFindJoined({ log: logOf(events), reader })(subjects, on);

describe('what was joined with an erased contact', () => {
  it('is what the read model shows once it shows all', async () => {
    expect(await find(readerOf({ u9: 'ann' }))).to.have.members(['ann', 'u9']);
  });

  for (const [where, how] of [
    ['in another process', { failure: late }],
    ['in this one', { isLate: true }],
  ] as const) {
    it(`is also what the log tells, where the read model has halted ${where}`, async () => {
      expect(await find(readerOf({ u9: 'ann' }, how))).to.have.members([...all, 'u9']);
      // An earlier join that a later one leads to.
      expect(await find(readerOf({ u2: 'u1', u3: 'u1' }, how))).to.have.members(all);
    });
  }

  it('is not known while the read models fail', async () => {
    const reader = readerOf({}, { failure: new Error('the views are away') });
    const refused = await find(reader).catch((error) => error);
    expect(refused.message).to.equal('the views are away');
  });

  it('is not searched for any longer at a stop', async () => {
    const never = { ...readerOf({}), reached: () => new Promise<never>(() => undefined) };
    const refused = await find(never, AbortSignal.abort()).catch((error) => error);
    expect(refused).to.be.instanceOf(Interrupted);

    const stopping = new AbortController();
    const log = logOf(events);
    const readAll = (after: string) => {
      stopping.abort();
      return log.readAll(after);
    };
    const reader = readerOf({}, { isLate: true });
    const search = createFindJoined({ log: { ...log, readAll }, reader });
    const ended = await search(subjects, stopping.signal).catch((error) => error);
    expect(ended).to.be.instanceOf(Interrupted);
  });
});

describe('the subjects of a contact', () => {
  it('are not told while the read model of the accounts may lack one', async () => {
    const deps = {
      store: logOf(events),
      reader: readerOf({}, { isLate: true }),
      keys: { subjects: async () => [], subjectsOf: async () => [] },
      subjects: { hashOf: () => 'hash' },
    };
    const findSubjects = createFindSubjects(deps);
    expect(await findSubjects('1', ACCOUNT)).to.deep.equal([]);
    expect(await findSubjects('1', null).catch((error) => error)).to.be.instanceOf(NotReached);
  });
});

describe('what is held of a contact', () => {
  const none = { events: 0, messages: 0, conversations: 0, runs: 0, deadLetters: 0 };

  it('is counted in what the read models show, where they do not come so far; soon without a wait', async () => {
    let now = 0;
    const waits: (number | undefined)[] = [];
    const reader = {
      ...readerOf({}),
      async reached(_: unknown, __: string, waitMs?: number) {
        waits.push(waitMs);
        throw late;
      },
    };
    const count = createCountHeld({ log: logOf(events), reader }, () => now);
    for (now of [0, 1_000, 59_999, 60_000]) {
      expect(await count(subjects, '9')).to.deep.equal(none);
    }
    expect(waits).to.deep.equal([15_000, 0, 0, 15_000]);
  });

  it('is counted in the documents of messages, without a read of their streams', async () => {
    const message = { direction: 'outbound', errorMessage: null, sealedMonth: '2026-11' };
    const rows = [
      message,
      { ...message, errorMessage: 'Number not in service' },
      { ...message, direction: 'inbound' },
      { ...message, sealedMonth: null },
    ];
    const read: string[] = [];
    const log = {
      async read(stream: string) {
        read.push(stream);
        return [];
      },
    };
    const reader = { ...readerOf({}), scan: async () => ({ rows, next: null }) } as Reader;
    const found = await createCountHeld({ log, reader })(subjects, '9');
    // The charge and the record of each that was sent, and the status with the error.
    expect(found).to.deep.equal({ ...none, messages: 3, events: 5 });
    expect(read).to.deep.equal(['contact-acc_1.ann']);
  });

  it('is not counted while the read models fail', async () => {
    const reader = readerOf({}, { failure: new Error('the views are away') });
    const refused = await createCountHeld({ log: logOf(events), reader })(subjects, '9').catch(
      (error) => error,
    );
    expect(refused.message).to.equal('the views are away');
  });
});
