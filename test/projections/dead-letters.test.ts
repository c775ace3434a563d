import { DeadLetterKept, DeadLetterRetried } from '../../src/events/dead-letter.ts';
import { deadletters } from '../../src/projections/dead-letters.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';

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
  it('are resolved when a retry takes them in', () =>
    history(kept, retried(false, 'x'), retried(true, null)).thenShows('dl_1', {
      resolved: true,
      retries: 2,
    }));
});
