import { templateDecider } from '../../../src/commands/templates/template.ts';
import {
  TemplateAdopted,
  TemplateChangeAnnounced,
  TemplateClaimed,
  TemplateNoticed,
  TemplateRecategorised,
  TemplateRemoved,
  TemplateStatusChanged,
  TemplateSubmitted,
} from '../../../src/events/template.ts';
import { spec } from '../../support/spec.ts';

describe('template', () => {
  const NOW = Date.UTC(2026, 10, 21, 12);
  const given = spec(templateDecider);
  const identity = { wabaId: '200000000000002', name: 'order_shipped', language: 'en_US' };
  const metaTemplateId = '3001';
  const row = { metaTemplateId, category: 'UTILITY', components: [] };
  const pending = { ...row, status: 'PENDING' as const, accountId: null };
  const submission = { type: 'NoteSubmission' as const, identity, ...pending, isNew: true };
  const submitted = TemplateSubmitted.of({ ...identity, ...pending });
  const givenSubmitted = given(submitted);
  const shown = { ...row, status: 'APPROVED' as const, statusReason: null };
  const seen = { type: 'NoteSeen' as const, identity, ...shown, now: NOW };
  const changed = (status: 'APPROVED' | 'REJECTED', statusReason: string | null = null) =>
    TemplateStatusChanged.of({ ...identity, metaTemplateId, status, statusReason });
  const [approved, rejected] = [changed('APPROVED'), changed('REJECTED')];
  const becomes = (
    status: 'APPROVED' | 'REJECTED',
    {
      statusReason = null,
      category = null,
    }: { statusReason?: string | null; category?: string | null } = {},
  ) => {
    const change = { metaTemplateId, status, statusReason, category, now: NOW };
    return { type: 'NoteStatus' as const, identity, ...change };
  };

  it('is submitted, approved, and read again without an event', () => {
    given().when(submission).thenHappened(submitted);
    givenSubmitted.when(seen).thenHappened(approved);
    given(submitted, approved).when(seen).thenNothing();
  });
  it('keeps what was recorded while the provider was read', () => {
    const { components: _, ...basis } = { ...row, status: 'PENDING' as const };
    const before = { basis: { ...basis, statusReason: null, changingTo: null } };
    const recategorised = TemplateRecategorised.of({ ...identity, category: 'MARKETING' });
    const removed = TemplateRemoved.of(identity);
    const removal = { type: 'NoteRemoval' as const, identity, metaTemplateId };
    givenSubmitted.when({ ...seen, ...before }).thenHappened(approved);
    givenSubmitted.when({ ...removal, ...before }).thenHappened(removed);
    for (const meanwhile of [approved, recategorised, removed]) {
      const givenMore = given(submitted, meanwhile);
      givenMore.when({ ...seen, category: 'AUTHENTICATION', ...before }).thenNothing();
      givenMore.when({ ...removal, ...before }).thenNothing();
    }
    givenSubmitted.when({ ...seen, basis: null }).thenNothing();
    given()
      .when({ ...seen, basis: null })
      .thenHappened('TemplateAdopted', identity);
  });
  it('is adopted when the provider shows an unknown one', () =>
    given()
      .when(seen)
      .thenHappened('TemplateAdopted', { ...identity, status: 'APPROVED' }));
  it('takes the category of the provider', () => {
    const inForce = {
      type: 'NoteCategory' as const,
      identity,
      metaTemplateId,
      changingTo: null,
    };
    givenSubmitted
      .when({ ...seen, status: 'PENDING', category: 'MARKETING' })
      .thenHappened(TemplateRecategorised.of({ ...identity, category: 'MARKETING' }));
    givenSubmitted
      .when({ ...inForce, category: 'MARKETING' })
      .thenHappened(TemplateRecategorised.of({ ...identity, category: 'MARKETING' }));
    givenSubmitted.when({ ...inForce, category: 'UTILITY' }).thenNothing();
  });
  describe('with an announced change of its category', () => {
    const at = '2026-11-22T12:00:00.000Z';
    const changingTo = { category: 'MARKETING', at };
    const announced = TemplateChangeAnnounced.of({ ...identity, changingTo });
    const givenAnnounced = given(submitted, announced);
    const withdrawn = TemplateChangeAnnounced.of({ ...identity, changingTo: null });
    const recategorised = TemplateRecategorised.of({ ...identity, category: 'MARKETING' });
    const note = (category: string | null, next: typeof changingTo | null) => ({
      type: 'NoteCategory' as const,
      identity,
      metaTemplateId,
      category,
      changingTo: next,
    });

    it('stores it once, whether or not the notice names the category in force', () => {
      for (const category of ['UTILITY', null]) {
        givenSubmitted.when(note(category, changingTo)).thenHappened(announced);
        givenAnnounced.when(note(category, changingTo)).thenNothing();
      }
    });
    it('stores another time or category', () => {
      for (const change of [{ at: null }, { category: 'AUTHENTICATION' }]) {
        const other = { ...changingTo, ...change } as typeof changingTo;
        givenAnnounced
          .when(note('UTILITY', other))
          .thenHappened(TemplateChangeAnnounced.of({ ...identity, changingTo: other }));
      }
    });
    it('ends it with the change, by notice and by read', () => {
      givenAnnounced.when(note('MARKETING', null)).thenHappened(recategorised);
      given(submitted, approved, announced)
        .when({ ...seen, category: 'MARKETING' })
        .thenHappened(recategorised);
      given(submitted, announced, recategorised).when(note('MARKETING', null)).thenNothing();
      given(submitted, announced, recategorised).when(note(null, changingTo)).thenNothing();
    });
    it('ends it when the provider withdraws it', () =>
      givenAnnounced.when(note('UTILITY', null)).thenHappened(withdrawn));
    it('begins anew after a change to another category', () =>
      givenAnnounced
        .when(note('AUTHENTICATION', changingTo))
        .thenHappened(
          TemplateRecategorised.of({ ...identity, category: 'AUTHENTICATION' }),
          announced,
        ));
    it('takes it for withdrawn a day after its time, where a read shows the old category', () => {
      const history = given(submitted, approved, announced);
      const due = Date.parse(at) + 24 * 60 * 60_000;
      history.when({ ...seen, now: due }).thenNothing();
      history.when({ ...seen, now: due + 1 }).thenHappened(withdrawn);
      const timeless = { category: 'MARKETING', at: null };
      given(submitted, approved, TemplateChangeAnnounced.of({ ...identity, changingTo: timeless }))
        .when({ ...seen, now: due + 1 })
        .thenNothing();
    });
    it('stores nothing of a template that is not known', () =>
      given().when(note('UTILITY', changingTo)).thenNothing());
  });
  describe('by notice', () => {
    let notices = 0;
    const notice = (
      word: string,
      second: number | null,
      about: 'status' | 'quality' = 'status',
    ) => {
      notices += 1;
      const noticedAt = second === null ? null : `2026-11-21T12:00:0${second}.000Z`;
      return { noticeId: `notice_${notices}`, about, word, noticedAt };
    };
    const become = (status: 'APPROVED' | 'REJECTED', noticed: ReturnType<typeof notice>) => ({
      type: 'Notice' as const,
      identity,
      notice: noticed,
      change: becomes(status, { category: 'UTILITY' }),
    });
    const noted = (noticed: ReturnType<typeof notice>) =>
      TemplateNoticed.of({ ...identity, ...noticed });
    it('stores the notice and the change', () => {
      const word = notice('APPROVED', 1);
      givenSubmitted.when(become('APPROVED', word)).thenHappened(noted(word), approved);
      given(submitted, approved).when(become('APPROVED', word)).thenHappened(noted(word));
    });
    it('stores the same notice once', () => {
      const word = notice('APPROVED', 1);
      const history = [submitted, noted(word), approved, rejected];
      given(...history)
        .when(become('APPROVED', word))
        .thenNothing();
    });
    it('ignores an older notice that arrives late', () => {
      const [early, late] = [notice('APPROVED', 1), notice('PAUSED', 2)];
      given(submitted, noted(late), rejected).when(become('APPROVED', early)).thenNothing();
      const removed = TemplateRemoved.of(identity);
      given(submitted, noted(late), removed).when(become('APPROVED', early)).thenNothing();
      // In the same second their order is not known: the last to come is believed.
      const same = notice('APPROVED', 2);
      given(submitted, noted(late), rejected)
        .when(become('APPROVED', same))
        .thenHappened(noted(same), approved);
    });
    it('compares the times of one kind of notice only', () => {
      const [rated, word] = [notice('RED', 5, 'quality'), notice('APPROVED', 1)];
      given(submitted, noted(rated))
        .when(become('APPROVED', word))
        .thenHappened(noted(word), approved);
      givenSubmitted
        .when({ type: 'Notice', identity, notice: rated, change: null })
        .thenHappened(noted(rated));
    });
    it('leaves the template alone that took the name of the one it is about', () => {
      const old = { identity, metaTemplateId: '2999' };
      const note = { ...old, type: 'NoteCategory' as const, category: 'MARKETING' };
      for (const change of [
        { ...old, type: 'NoteRemoval' as const },
        { ...note, changingTo: null },
        { ...becomes('REJECTED'), ...old },
      ]) {
        const word = notice('LATE', 1);
        givenSubmitted
          .when({ type: 'Notice', identity, notice: word, change })
          .thenHappened(noted(word));
      }
    });
    describe('that comes before the answer to its submission', () => {
      const word = notice('REJECTED', 1);
      const change = becomes('REJECTED', { statusReason: 'SCAM', category: 'MARKETING' });
      const changes = [
        changed('REJECTED', 'SCAM'),
        TemplateRecategorised.of({ ...identity, category: 'MARKETING' }),
      ] as const;

      it('keeps what it says of a template of the catalog', () => {
        const { status, statusReason } = change;
        const noticed = { ...row, category: 'MARKETING', status, statusReason, accountId: null };
        given(TemplateAdopted.of({ ...identity, ...noticed }))
          .when(submission)
          .thenHappened(submitted, ...changes);
        // An edit of a rejected one is read after it.
        given(TemplateAdopted.of({ ...identity, ...noticed }))
          .when({ ...submission, isNew: false })
          .thenHappened(submitted);
      });
      it('holds what it says of a template of an account, whose claim keeps it from being shared', () => {
        const accountId = 'acc_a';
        const claimedAt = new Date(NOW).toISOString();
        const claimed = TemplateClaimed.of({ ...identity, accountId, claimedAt, wasAbsent: true });
        const facts = given(claimed)
          .when({ type: 'Notice', identity, notice: word, change })
          .thenHappened(noted(word));
        const own = { ...submission, accountId };
        const answered = TemplateSubmitted.of({ ...identity, ...pending, accountId });
        given(claimed, ...facts)
          .when(own)
          .thenHappened(answered, ...changes);
        given(claimed, ...facts)
          .when({ ...own, metaTemplateId: '3002' })
          .thenHappened('TemplateSubmitted', { metaTemplateId: '3002' });
      });
    });
    it('accepts a notice without a time', () => {
      const [late, timeless] = [notice('PAUSED', 2), notice('APPROVED', null)];
      given(submitted, noted(late), rejected)
        .when(become('APPROVED', timeless))
        .thenHappened(noted(timeless), approved);
    });
  });
  it('stores a rejection with its reason', () =>
    givenSubmitted
      .when(becomes('REJECTED', { statusReason: 'INVALID_FORMAT' }))
      .thenHappened(changed('REJECTED', 'INVALID_FORMAT')));
  it('keeps the words of a notice when a later read shows only how they begin', () => {
    const note = (statusReason: string | null) => becomes('REJECTED', { statusReason });
    const explained = changed('REJECTED', 'SCAM: It asks for a password.');
    given(submitted, explained).when(note('SCAM')).thenNothing();
    given(submitted, changed('REJECTED', 'PAUSED: the provider paused it (FIRST_PAUSE)'))
      .when(note('PAUSED: the provider paused it'))
      .thenNothing();
    const withoutCode = changed('REJECTED', 'It asks for a password.');
    given(submitted, withoutCode).when(note(null)).thenNothing();
    given(submitted, withoutCode)
      .when(note('SCAM'))
      .thenHappened('TemplateStatusChanged', { statusReason: 'SCAM' });
    for (const other of ['SCA', 'ABUSE', null]) {
      given(submitted, explained)
        .when(note(other))
        .thenHappened('TemplateStatusChanged', { statusReason: other });
    }
  });

  it('is not adopted from a notice without a category', () => {
    given().when(becomes('APPROVED')).thenNothing();
    given()
      .when(becomes('APPROVED', { category: 'UTILITY' }))
      .thenHappened('TemplateAdopted', { category: 'UTILITY' });
  });
  it('is removed when the provider no longer shows it, and may return', () => {
    const removed = TemplateRemoved.of(identity);
    const removal = { type: 'NoteRemoval' as const, identity, metaTemplateId };
    givenSubmitted.when(removal).thenHappened(removed);
    given(submitted, removed).when(removal).thenNothing();
    given(submitted, removed)
      .when(seen)
      .thenHappened(TemplateAdopted.of({ ...identity, ...shown, accountId: null }));
  });
});
