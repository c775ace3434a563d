import { expect } from 'chai';
import {
  DeadLetterDismissed,
  DeadLetterKept,
  DeadLetterRetried,
} from '../../src/events/dead-letter.ts';
import { deadletters } from '../../src/projections/dead-letters.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';
import { NOW } from '../support/samples.ts';

const history = given(deadletters);
const letter = {
  deadLetterId: 'dl_1',
  field: 'messages',
  wabaId: '2001',
  phoneNumberId: null,
  reason: 'not handled',
  raw: '{"a":1}',
};
const kept = written('deadletter-1', DeadLetterKept.of(letter));
const retried = (resolved: boolean, reason: string | null) =>
  written('deadletter-1', DeadLetterRetried.of({ deadLetterId: 'dl_1', resolved, reason }));

describe('dead letters', () => {
  it('show what could not be taken in, verbatim', () =>
    history(kept).thenIs('dl_1', {
      ...letter,
      rawLength: 7,
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
  it('hold the first 8,000 characters, and the length of all', () => {
    const long = (length: number) =>
      history(
        written('deadletter-1', DeadLetterKept.of({ ...letter, raw: 'x'.repeat(length) })),
      ).document('dl_1')!;
    for (const [length, shown] of [
      [8000, 8000],
      [8001, 8000],
    ] as const) {
      expect([long(length).raw.length, long(length).rawLength]).to.deep.equal([shown, length]);
    }
  });
  it('are dismissed at a time, and stay so after a retry that failed', () => {
    const dismissed = written(
      'deadletter-1',
      DeadLetterDismissed.of({ deadLetterId: 'dl_1' }),
      NOW + 5000,
    );
    const at = '2026-11-21T12:00:05.000Z';
    history(kept, dismissed).thenShows('dl_1', {
      ...{ state: 'dismissed', resolved: false, dismissedAt: at, dismissedBy: null },
    });
    history(kept, dismissed, retried(false, null)).thenShows('dl_1', { state: 'dismissed' });
    history(kept, retried(true, null)).thenShows('dl_1', { state: 'resolved' });
    history(dismissed).thenHas(0);
    history(retried(true, null)).thenHas(0);
  });
});
