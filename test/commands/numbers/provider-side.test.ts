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
  const metaTemplateId: string = '3001';
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
    change: { statusReason?: string | null; category?: string | null } = {},
  ) => {
    const of = { metaTemplateId, status, statusReason: null, category: null, now: NOW };
    return { type: 'NoteStatus' as const, identity, ...of, ...change };
  };
  const recategorised = TemplateRecategorised.of({ ...identity, category: 'MARKETING' });
  const removed = TemplateRemoved.of(identity);
  const removal = { type: 'NoteRemoval' as const, identity, metaTemplateId };
  type Category = { category: string; at: string | null };
  const inForce = (category: string | null, changingTo: Category | null = null) =>
    ({ type: 'NoteCategory', identity, metaTemplateId, category, changingTo }) as const;

  it('is submitted, approved, and read again without an event', () => {
    given().when(submission).thenHappened(submitted);
    givenSubmitted.when(seen).thenHappened(approved);
    given(submitted, approved).when(seen).thenNothing();
  });
  it('keeps what was recorded while the provider was read', () => {
    const { components: _, ...basis } = { ...row, status: 'PENDING' as const };
    const before = { basis: { ...basis, statusReason: null, changingTo: null } };
    givenSubmitted.when({ ...seen, ...before }).thenHappened(approved);
    givenSubmitted.when({ ...removal, ...before }).thenHappened(removed);
    for (const meanwhile of [approved, recategorised, removed]) {
      const givenMore = given(submitted, meanwhile);
      givenMore.when({ ...seen, category: 'AUTHENTICATION', ...before }).thenNothing();
      givenMore.when({ ...removal, ...before }).thenNothing();
    }
    const first = { ...seen, basis: null };
    givenSubmitted.when(first).thenNothing();
    given().when(first).thenHappened('TemplateAdopted', identity);
  });
  it('is adopted when the provider shows an unknown one', () => {
    const adopted = { ...identity, status: 'APPROVED' };
    given().when(seen).thenHappened('TemplateAdopted', adopted);
  });
  it('takes the category of the provider', () => {
    const other = { ...seen, status: 'PENDING' as const, category: 'MARKETING' };
    givenSubmitted.when(other).thenHappened(recategorised);
    givenSubmitted.when(inForce('MARKETING')).thenHappened(recategorised);
    givenSubmitted.when(inForce('UTILITY')).thenNothing();
  });
  describe('with an announced change of its category', () => {
    const at = '2026-11-22T12:00:00.000Z';
    const changingTo = { category: 'MARKETING', at };
    const announced = TemplateChangeAnnounced.of({ ...identity, changingTo });
    const givenAnnounced = given(submitted, announced);
    const withdrawn = TemplateChangeAnnounced.of({ ...identity, changingTo: null });
    const givenApproved = given(submitted, approved, announced);

    it('stores it once, whether or not the notice names the category in force', () => {
      for (const category of ['UTILITY', null]) {
        givenSubmitted.when(inForce(category, changingTo)).thenHappened(announced);
        givenAnnounced.when(inForce(category, changingTo)).thenNothing();
      }
    });
    it('stores another time or category', () => {
      for (const change of [{ at: null }, { category: 'AUTHENTICATION' }]) {
        const other = { ...changingTo, ...change };
        const another = TemplateChangeAnnounced.of({ ...identity, changingTo: other });
        givenAnnounced.when(inForce('UTILITY', other)).thenHappened(another);
      }
    });
    it('ends it with the change, by notice and by read', () => {
      const givenChanged = given(submitted, announced, recategorised);
      givenAnnounced.when(inForce('MARKETING')).thenHappened(recategorised);
      givenApproved.when({ ...seen, category: 'MARKETING' }).thenHappened(recategorised);
      givenChanged.when(inForce('MARKETING')).thenNothing();
      givenChanged.when(inForce(null, changingTo)).thenNothing();
    });
    it('ends it when the provider withdraws it', () =>
      givenAnnounced.when(inForce('UTILITY')).thenHappened(withdrawn));
    it('begins anew after a change to another category', () => {
      const other = TemplateRecategorised.of({ ...identity, category: 'AUTHENTICATION' });
      givenAnnounced.when(inForce('AUTHENTICATION', changingTo)).thenHappened(other, announced);
    });
    it('takes it for withdrawn a day after its time, where a read shows the old category', () => {
      const due = Date.parse(at) + 24 * 60 * 60_000;
      const late = { ...seen, now: due + 1 };
      givenApproved.when({ ...seen, now: due }).thenNothing();
      givenApproved.when(late).thenHappened(withdrawn);
      const timeless = { ...identity, changingTo: { ...changingTo, at: null } };
      given(submitted, approved, TemplateChangeAnnounced.of(timeless)).when(late).thenNothing();
    });
    it('stores nothing of a template that is not known', () =>
      given().when(inForce('UTILITY', changingTo)).thenNothing());
  });
  describe('by notice', () => {
    let notices = 0;
    type About = 'status' | 'quality';
    const notice = (word: string, second: number | null, about: About = 'status') => {
      notices += 1;
      const noticedAt = second === null ? null : `2026-11-21T12:00:0${second}.000Z`;
      return { noticeId: `notice_${notices}`, about, word, noticedAt };
    };
    type Notice = ReturnType<typeof notice>;
    type Change = ReturnType<typeof becomes> | ReturnType<typeof inForce> | typeof removal;
    const tell = (noticed: Notice, change: Change | null) =>
      ({ type: 'Notice', identity, notice: noticed, change }) as const;
    const approval = becomes('APPROVED', { category: 'UTILITY' });
    const approve = (noticed: Notice) => tell(noticed, approval);
    const noted = (noticed: Notice) => TemplateNoticed.of({ ...identity, ...noticed });
    it('stores the notice and the change', () => {
      const word = notice('APPROVED', 1);
      givenSubmitted.when(approve(word)).thenHappened(noted(word), approved);
      given(submitted, approved).when(approve(word)).thenHappened(noted(word));
    });
    it('stores the same notice once', () => {
      const word = notice('APPROVED', 1);
      given(submitted, noted(word), approved, rejected).when(approve(word)).thenNothing();
    });
    it('ignores an older notice that arrives late', () => {
      const [early, late] = [notice('APPROVED', 1), notice('PAUSED', 2)];
      const givenLate = given(submitted, noted(late), rejected);
      givenLate.when(approve(early)).thenNothing();
      given(submitted, noted(late), removed).when(approve(early)).thenNothing();
      // In the same second their order is not known: the last to come is believed.
      const same = notice('APPROVED', 2);
      givenLate.when(approve(same)).thenHappened(noted(same), approved);
    });
    it('compares the times of one kind of notice only', () => {
      const [rated, word] = [notice('RED', 5, 'quality'), notice('APPROVED', 1)];
      const givenRated = given(submitted, noted(rated));
      givenRated.when(approve(word)).thenHappened(noted(word), approved);
      givenSubmitted.when(tell(rated, null)).thenHappened(noted(rated));
    });
    it('leaves the template alone that took the name of the one it is about', () => {
      for (const change of [removal, inForce('MARKETING'), becomes('REJECTED')]) {
        const word = notice('LATE', 1);
        const ofOld = { ...change, metaTemplateId: '2999' };
        givenSubmitted.when(tell(word, ofOld)).thenHappened(noted(word));
      }
    });
    describe('that comes before the answer to its submission', () => {
      const word = notice('REJECTED', 1);
      const change = becomes('REJECTED', { statusReason: 'SCAM', category: 'MARKETING' });
      const changes = [changed('REJECTED', 'SCAM'), recategorised] as const;

      it('keeps what it says of a template of the catalog', () => {
        const { status, statusReason } = change;
        const noticed = { ...row, category: 'MARKETING', status, statusReason, accountId: null };
        const givenAdopted = given(TemplateAdopted.of({ ...identity, ...noticed }));
        givenAdopted.when(submission).thenHappened(submitted, ...changes);
        // An edit of a rejected one is read after it.
        givenAdopted.when({ ...submission, isNew: false }).thenHappened(submitted);
      });
      it('holds what it says of a template of an account, whose claim keeps it from being shared', () => {
        const accountId = 'acc_a';
        const claimedAt = new Date(NOW).toISOString();
        const claimed = TemplateClaimed.of({ ...identity, accountId, claimedAt, wasAbsent: true });
        const facts = given(claimed).when(tell(word, change)).thenHappened(noted(word));
        const own = { ...submission, accountId };
        const answered = TemplateSubmitted.of({ ...identity, ...pending, accountId });
        const other = { metaTemplateId: '3002' };
        const givenTold = given(claimed, ...facts);
        givenTold.when(own).thenHappened(answered, ...changes);
        givenTold.when({ ...own, ...other }).thenHappened('TemplateSubmitted', other);
      });
    });
    it('accepts a notice without a time', () => {
      const [late, timeless] = [notice('PAUSED', 2), notice('APPROVED', null)];
      const givenLate = given(submitted, noted(late), rejected);
      givenLate.when(approve(timeless)).thenHappened(noted(timeless), approved);
    });
  });
  const reject = (statusReason: string | null) => becomes('REJECTED', { statusReason });
  it('stores a rejection with its reason', () => {
    const rejection = changed('REJECTED', 'INVALID_FORMAT');
    givenSubmitted.when(reject('INVALID_FORMAT')).thenHappened(rejection);
  });
  it('keeps the words of a notice when a later read shows only how they begin', () => {
    const becauseOf = (words: string) => given(submitted, changed('REJECTED', words));
    const givenExplained = becauseOf('SCAM: It asks for a password.');
    givenExplained.when(reject('SCAM')).thenNothing();
    const paused = 'PAUSED: the provider paused it';
    becauseOf(`${paused} (FIRST_PAUSE)`).when(reject(paused)).thenNothing();
    const givenNoCode = becauseOf('It asks for a password.');
    givenNoCode.when(reject(null)).thenNothing();
    givenNoCode.when(reject('SCAM')).thenHappened(changed('REJECTED', 'SCAM'));
    for (const other of ['SCA', 'ABUSE', null]) {
      givenExplained.when(reject(other)).thenHappened(changed('REJECTED', other));
    }
  });

  it('is not adopted from a notice without a category', () => {
    const category = { category: 'UTILITY' };
    given().when(becomes('APPROVED')).thenNothing();
    given().when(becomes('APPROVED', category)).thenHappened('TemplateAdopted', category);
  });
  it('is removed when the provider no longer shows it, and may return', () => {
    const adopted = TemplateAdopted.of({ ...identity, ...shown, accountId: null });
    const givenRemoved = given(submitted, removed);
    givenSubmitted.when(removal).thenHappened(removed);
    givenRemoved.when(removal).thenNothing();
    givenRemoved.when(seen).thenHappened(adopted);
  });
});
