import { expect } from 'chai';
import { templateDecider } from '../../../src/commands/templates/template.ts';
import {
  isVisibleTo,
  ownerOf,
  SUBMISSION_MS_MAX,
} from '../../../src/commands/templates/template-owner.ts';
import {
  TemplateAdopted,
  TemplateClaimed,
  TemplateReleased,
  TemplateRemoved,
  TemplateSubmitted,
} from '../../../src/events/template.ts';
import { spec } from '../../support/spec.ts';

describe('The owner of a template', () => {
  const given = spec(templateDecider);
  const identity = { wabaId: '200000000000002', name: 'spring_sale', language: 'en_US' };
  const AT = Date.UTC(2026, 10, 22, 9);
  const row = { category: 'UTILITY', status: 'PENDING' as const, components: [] };
  const submission = (metaTemplateId: string, accountId: string | null) => ({
    type: 'NoteSubmission' as const,
    identity,
    metaTemplateId,
    accountId,
    ...row,
    isNew: true,
  });
  const seen = (metaTemplateId: string) => ({
    type: 'NoteSeen' as const,
    identity,
    metaTemplateId,
    statusReason: null,
    ...row,
    now: AT,
  });
  const submitted = (metaTemplateId: string, accountId: string | null) =>
    TemplateSubmitted.of({ ...identity, ...row, metaTemplateId, accountId });
  const adopted = (metaTemplateId: string, accountId: string | null) =>
    TemplateAdopted.of({ ...identity, ...row, metaTemplateId, statusReason: null, accountId });
  const claimedAt = new Date(AT).toISOString();
  const claimed = (accountId: string, wasAbsent = true) =>
    TemplateClaimed.of({ ...identity, accountId, wasAbsent, claimedAt });
  const claim = (accountId: string, now: number) => ({
    type: 'Claim' as const,
    identity,
    accountId,
    wasAbsent: true,
    now,
  });
  const givenClaimed = given(claimed('acc_a'));
  const released = (accountId: string) => TemplateReleased.of({ ...identity, accountId });
  const removed = TemplateRemoved.of(identity);

  it('claims the name before a submission, and releases it after a refusal', () => {
    const release = { type: 'Release' as const, identity, accountId: 'acc_a' };
    given().when(claim('acc_a', AT)).thenHappened(claimed('acc_a'));
    givenClaimed.when(claim('acc_a', AT)).thenHappened(claimed('acc_a'));
    givenClaimed.when(release).thenHappened(released('acc_a'));
    given(claimed('acc_b')).when(release).thenNothing();
    given(claimed('acc_a'), submitted('1', 'acc_a')).when(release).thenNothing();
  });

  it('is one claimant at a time, for as long as a submission may take', () => {
    givenClaimed.when(claim('acc_b', AT + SUBMISSION_MS_MAX - 1)).thenNothing();
    const later = claim('acc_b', AT + SUBMISSION_MS_MAX);
    givenClaimed.when(later).thenHappened('TemplateClaimed', { accountId: 'acc_b' });
  });

  it('is not decided by a list or a notice while a submission runs', () => {
    const { components: _, ...shown } = seen('1');
    const notice = { ...shown, type: 'NoteStatus' as const, status: 'APPROVED' as const };
    givenClaimed.when(seen('1')).thenNothing();
    givenClaimed.when(notice).thenNothing();
    expect(ownerOf(givenClaimed.state, '1')).to.equal('acc_a');
    given(claimed('acc_a', false)).when(seen('1')).thenNothing();
    given(claimed('acc_a'), released('acc_a')).when(seen('1')).thenHappened(adopted('1', null));
    given().when(seen('1')).thenHappened(adopted('1', null));
    given().when(notice).thenHappened('TemplateAdopted', { accountId: null });
  });

  it('is the claimant after an unknown outcome, if the name was free before', () => {
    const later = { ...seen('1'), now: AT + SUBMISSION_MS_MAX };
    givenClaimed.when(later).thenHappened(adopted('1', 'acc_a'));
    given(claimed('acc_a', false)).when(later).thenHappened(adopted('1', null));
    givenClaimed.when({ ...later, now: AT + 24 * 60 * 60_000 }).thenHappened(adopted('1', null));
    const givenRemoved = given(claimed('acc_a'), adopted('1', null), removed);
    const other = { ...later, metaTemplateId: '2' };
    givenRemoved.when(other).thenHappened(adopted('2', null));
  });

  it('is the submitter after the provider’s answer, even if a read stored the template first', () => {
    const givenRead = given(claimed('acc_a'), adopted('1', null));
    givenRead.when(submission('1', 'acc_a')).thenHappened(submitted('1', 'acc_a'));
    given(claimed('acc_b')).when(submission('1', null)).thenHappened(submitted('1', null));
  });

  it('is the submitter of a found template only if the name was free before', () => {
    const found = (accountId: string | null) => ({ ...submission('1', accountId), isNew: false });
    givenClaimed.when(found('acc_a')).thenHappened(submitted('1', 'acc_a'));
    given(claimed('acc_a', false)).when(found('acc_a')).thenNothing();
    given(claimed('acc_a'), adopted('1', null)).when(found('acc_a')).thenNothing();
    given(claimed('acc_b')).when(found('acc_a')).thenNothing();
    given().when(found(null)).thenHappened(submitted('1', null));
    givenClaimed.when(found(null)).thenNothing();
    given(submitted('1', 'acc_a')).when(found(null)).thenNothing();
  });

  it('stays the same after claims and submissions by others, and after a removal', () => {
    const known = [submitted('1', 'acc_a'), claimed('acc_b')];
    const givenRemoved = given(...known, removed);
    const givenKnown = given(...known);
    givenKnown.when(seen('1')).thenNothing();
    givenKnown.when(submission('1', 'acc_b')).thenNothing();
    givenRemoved.when(seen('1')).thenHappened(adopted('1', 'acc_a'));
    givenRemoved.when(submission('1', 'acc_b')).thenNothing();
  });

  it('is decided anew for another id', () => {
    const known = [submitted('1', 'acc_a'), claimed('acc_b')];
    const givenKnown = given(...known);
    givenKnown.when(seen('2')).thenNothing();
    givenKnown.when(submission('2', 'acc_b')).thenHappened(submitted('2', 'acc_b'));
    given(submitted('1', 'acc_a')).when(seen('2')).thenHappened(adopted('2', null));
  });

  it('sees the template, and every account sees a shared one', () => {
    const owners = ['acc_a', null, 'acc_b'];
    const visible = owners.map((accountId) => isVisibleTo('acc_a', { accountId }));
    expect(visible).to.deep.equal([true, true, false]);
  });
});
