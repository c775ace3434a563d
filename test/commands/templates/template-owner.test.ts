import { expect } from 'chai';
import { templateDecider } from '../../../src/commands/templates/template.ts';
import { isVisibleTo } from '../../../src/commands/templates/template-owner.ts';
import {
  TemplateAdopted,
  TemplateClaimed,
  TemplateReleased,
  TemplateRemoved,
  TemplateSubmitted,
} from '../../../src/events/template.ts';
import { spec } from '../../support/spec.ts';

describe('whose a template is', () => {
  const given = spec(templateDecider);
  const identity = { wabaId: '200000000000002', name: 'spring_sale', language: 'en_US' };
  const row = { category: 'UTILITY', status: 'PENDING' as const, components: [] };
  const submission = (metaTemplateId: string, accountId: string | null) => ({
    ...{ type: 'NoteSubmission' as const, identity, metaTemplateId, accountId },
    ...row,
  });
  const seen = (metaTemplateId: string) => ({
    ...{ type: 'NoteSeen' as const, identity, metaTemplateId, statusReason: null },
    ...row,
  });
  const submitted = (metaTemplateId: string, accountId: string | null) =>
    TemplateSubmitted.of({ ...identity, ...row, metaTemplateId, accountId });
  const adopted = (metaTemplateId: string, accountId: string | null) =>
    TemplateAdopted.of({ ...identity, ...row, metaTemplateId, statusReason: null, accountId });
  const claimed = (accountId: string) => TemplateClaimed.of({ ...identity, accountId });
  const released = (accountId: string) => TemplateReleased.of({ ...identity, accountId });
  const removed = TemplateRemoved.of(identity);

  it('is claimed before it is submitted, and released when it is not taken', () => {
    const claim = { type: 'Claim' as const, identity, accountId: 'acc_a' };
    const release = { type: 'Release' as const, identity, accountId: 'acc_a' };
    given().when(claim).thenHappened(claimed('acc_a'));
    given(claimed('acc_a')).when(claim).thenNothing();
    given(claimed('acc_b')).when(claim).thenHappened(claimed('acc_a'));
    given(claimed('acc_a')).when(release).thenHappened(released('acc_a'));
    given(claimed('acc_b')).when(release).thenNothing();
    given(claimed('acc_a'), submitted('1', 'acc_a')).when(release).thenNothing();
  });

  it('is the claimant’s when the provider shows it first, nobody’s without a claim', () => {
    given(claimed('acc_a')).when(seen('1')).thenHappened(adopted('1', 'acc_a'));
    given().when(seen('1')).thenHappened(adopted('1', null));
    given(claimed('acc_a'), released('acc_a')).when(seen('1')).thenHappened(adopted('1', null));
  });

  it('stays whose it is, whoever claims or submits its name, also when it was gone', () => {
    const known = [submitted('1', 'acc_a'), claimed('acc_b')];
    given(...known)
      .when(seen('1'))
      .thenNothing();
    given(...known)
      .when(submission('1', 'acc_b'))
      .thenNothing();
    given(...known, removed)
      .when(seen('1'))
      .thenHappened(adopted('1', 'acc_a'));
    given(...known, removed)
      .when(submission('1', 'acc_b'))
      .thenNothing();
    given(adopted('1', null)).when(submission('1', 'acc_b')).thenHappened(submitted('1', null));
  });

  it('is another one under another id', () => {
    const known = [submitted('1', 'acc_a'), claimed('acc_b')];
    given(...known)
      .when(seen('2'))
      .thenHappened(adopted('2', 'acc_b'));
    given(...known)
      .when(submission('2', 'acc_b'))
      .thenHappened(submitted('2', 'acc_b'));
    given(submitted('1', 'acc_a')).when(seen('2')).thenHappened(adopted('2', null));
  });

  it('is shown to its account, and to all where it is nobody’s', () => {
    expect(isVisibleTo('acc_a', { accountId: 'acc_a' })).to.equal(true);
    expect(isVisibleTo('acc_a', { accountId: null })).to.equal(true);
    expect(isVisibleTo('acc_a', { accountId: 'acc_b' })).to.equal(false);
  });
});
