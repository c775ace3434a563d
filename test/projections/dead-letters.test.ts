import { expect } from 'chai';
import {
  DeadLetterDismissed,
  DeadLetterKept,
  DeadLetterRetried,
} from '../../src/events/dead-letter.ts';
import type { Recorded } from '../../src/events/store.ts';
import { deadletters } from '../../src/projections/dead-letters.ts';
import { foldAll, given } from '../support/projections.ts';
import { positionAt, recorded, written } from '../support/projections-facts.ts';
import { NOW } from '../support/samples.ts';

const history = given(deadletters);
const letter = {
  deadLetterId: 'dl_1',
  accountId: 'acc_1',
  field: 'messages',
  wabaId: '2001',
  phoneNumberId: null,
  reason: 'not handled',
  rawLength: 7,
};
const ofMia = { contactRefs: ['ref-of-mia'], raw: '{"a":1}' };
const kept = written('deadletter-1', DeadLetterKept.of({ ...letter, ...ofMia }));
const dismissed = written(
  'deadletter-1',
  DeadLetterDismissed.of({ deadLetterId: 'dl_1' }),
  NOW + 5000,
);
const retried = (resolved: boolean, reason: string | null) =>
  written('deadletter-1', DeadLetterRetried.of({ deadLetterId: 'dl_1', resolved, reason }));

describe('dead letters', () => {
  it('show what could not be taken in, without the item itself', () =>
    history(kept).thenIs('dl_1', {
      ...letter,
      contactRef: 'ref-of-mia',
      otherRef: null,
      sealedMonth: null,
      state: 'open',
      resolved: false,
      retries: 0,
      createdAt: '2026-11-21T12:00:00.000Z',
      dismissedAt: null,
      dismissedBy: null,
      order: positionAt(0),
    }));
  it('count what was tried again, and say why it failed the last time', () =>
    history(kept, retried(false, 'number not linked'), retried(false, null)).thenShows('dl_1', {
      resolved: false,
      retries: 2,
      reason: 'number not linked',
    }));
  it('are resolved when a retry ingests them', () =>
    history(kept, retried(false, 'x'), retried(true, null)).thenShows('dl_1', {
      resolved: true,
      retries: 2,
    }));
  it('are dismissed at a time, and stay so after a retry that failed', () => {
    const dismissedAt = '2026-11-21T12:00:05.000Z';
    const whole = { state: 'dismissed', resolved: false, dismissedAt, dismissedBy: null } as const;
    history(kept, dismissed).thenShows('dl_1', whole);
    const by = { kind: 'administrator', id: 'adm_1' } as const;
    history(kept, { ...dismissed, by }).thenShows('dl_1', { dismissedBy: by });
    history(kept, dismissed, retried(false, null)).thenShows('dl_1', { state: 'dismissed' });
    history(kept, retried(true, null)).thenShows('dl_1', { state: 'resolved' });
    history(dismissed).thenHas(0);
    history(retried(true, null)).thenHas(0);
  });
  for (const refs of [[], ['mia'], ['mia', 'her-user-id'], ['mia', 'tom', 'eve']]) {
    it(`of ${refs.length} ids are after an erasure as a rebuild makes them of null items`, () => {
      const one = DeadLetterKept.of({ ...letter, contactRefs: refs, raw: '{"a":1}' });
      const all = [written('deadletter-1', one), retried(false, 'x'), dismissed];
      const [first, ...rest] = recorded(all);
      const month = refs.length === 0 ? {} : { sealedMonth: '2026-11' };
      const gone = refs.length === 0 ? {} : { isErased: true as const };
      const whole = { ...first!, ...month };
      const emptied = { ...whole, ...gone, data: { ...one.data, raw: null } };
      const documentOf = (events: readonly Recorded[]) =>
        foldAll(deadletters, events).get('dl_1')!.document;
      const { by, document } = deadletters.erase!;
      for (let seen = 0; seen <= rest.length; seen += 1) {
        const held = documentOf([whole, ...rest.slice(0, seen)]);
        const found = [by].flat().some((field) => refs.includes(held[field as 'contactRef'] ?? ''));
        expect(found).to.equal(held.sealedMonth !== null);
        expect(held.sealedMonth).to.equal(refs.length > 0 && refs.length < 3 ? '2026-11' : null);
        const swept = found ? document(held, { refs }) : held;
        expect(swept).to.deep.equal(documentOf([emptied, ...rest.slice(0, seen)]));
      }
    });
  }
});
