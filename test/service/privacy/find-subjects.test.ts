import { expect } from 'chai';
import { contactKeyOf } from '../../../src/events/contact.ts';
import type { Recorded } from '../../../src/events/store.ts';
import type { ContactDocument } from '../../../src/projections/contacts.ts';
import { NotReached, type Reader } from '../../../src/projections/engine/reader.ts';
import { createFindJoined } from '../../../src/service/privacy/find-subjects.ts';
import { createCountHeld } from '../../../src/service/privacy/held-data.ts';

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

/** Read models that show these joins, and may not come to where they should. */
const readerOf = (shown: Readonly<Record<string, string>>, failure?: Error) =>
  ({
    async reached() {
      if (failure) throw failure;
    },
    get: async (_: unknown, id: string) => {
      const ref = Object.keys(shown).find((one) => contactKeyOf(ACCOUNT, one) === id);
      return ref === undefined ? undefined : ({ contactRef: shown[ref] } as ContactDocument);
    },
    find: async () => [],
    count: async () => 0,
    scan: async () => ({ rows: [], next: null }),
  }) as unknown as Reader;

const late = new NotReached(['contacts'], '9');
const events = [
  join('1', 'old', 'ann'),
  join('3', 'u1', 'ann'),
  join('4', 'u3', 'u2'),
  join('5', 'u2', 'u1'),
  join('6', 'bob', 'bea'),
  join('7', 'zoe', 'ann', 'acc_2'),
];
const subjects = [{ accountId: ACCOUNT, ref: 'ann' }];

describe('what was joined with an erased contact', () => {
  it('is what the read model shows once it has come so far', async () => {
    const find = createFindJoined({ log: logOf(events), reader: readerOf({ ann: 'kept' }) });
    expect(await find(subjects, '2')).to.have.members(['ann', 'kept']);
  });

  it('is also what the log tells since the request, where the read model does not come so far', async () => {
    const find = createFindJoined({ log: logOf(events), reader: readerOf({ ann: 'kept' }, late) });
    expect(await find(subjects, '2')).to.have.members(['ann', 'kept', 'u1', 'u2', 'u3']);
  });

  it('is not known while the read models fail', async () => {
    const reader = readerOf({}, new Error('the views are away'));
    const refused = await createFindJoined({ log: logOf(events), reader })(subjects, '2').catch(
      (error) => error,
    );
    expect(refused.message).to.equal('the views are away');
  });
});

describe('what is held of a contact', () => {
  const none = { events: 0, messages: 0, conversations: 0, runs: 0, deadLetters: 0 };

  it('is counted in what the read models show, where they do not come so far', async () => {
    const count = createCountHeld({ log: logOf(events), reader: readerOf({}, late) });
    expect(await count(subjects, '9')).to.deep.equal(none);
  });

  it('is not counted while the read models fail', async () => {
    const reader = readerOf({}, new Error('the views are away'));
    const refused = await createCountHeld({ log: logOf(events), reader })(subjects, '9').catch(
      (error) => error,
    );
    expect(refused.message).to.equal('the views are away');
  });
});
