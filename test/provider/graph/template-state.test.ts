import { expect } from 'chai';
import { readTemplateState } from '../../../src/provider/rules/template-state.ts';

describe('the state of a template', () => {
  const rows: [words: string, status: string | null][] = [
    ['APPROVED FLAGGED REINSTATED UNARCHIVED', 'APPROVED'],
    ['PENDING IN_APPEAL', 'PENDING'],
    ['REJECTED', 'REJECTED'],
    ['DELETED PENDING_DELETION', null],
  ];
  for (const [words, status] of rows) {
    it(`is ${status ?? 'gone'} for ${words}`, () => {
      for (const word of words.split(' ')) {
        const state = readTemplateState(word.toLowerCase(), null);
        expect(state, word).to.deep.equal(status && { status, statusReason: null });
      }
    });
  }

  it('is rejected, with a sentence and the reason, when the provider stopped it', () => {
    for (const word of ['PAUSED', 'DISABLED', 'LIMIT_EXCEEDED', 'ARCHIVED', 'LOCKED']) {
      const plain = readTemplateState(word, 'none');
      expect(plain?.status, word).to.equal('REJECTED');
      expect(plain?.statusReason, word).to.match(new RegExp(`^${word}: the \\w+ .*[a-z]$`));
      const told = readTemplateState(word, 'Too many');
      expect(told?.statusReason, word).to.equal(`${plain?.statusReason} (Too many)`);
    }
  });

  it('has the reason of a rejection', () => {
    for (const none of ['NONE', 'none', '', null, {}]) {
      expect(readTemplateState('REJECTED', none)).to.include({ statusReason: null });
    }
    expect(readTemplateState('REJECTED', 'ABUSE')).to.include({ statusReason: 'ABUSE' });
    expect(readTemplateState('APPROVED', 'ABUSE')).to.include({ statusReason: null });
  });

  it('has the explanations of a notice in words', () => {
    const reasonOf = (state: string, reason: string, notice: object) =>
      readTemplateState(state, reason, notice as never)?.statusReason;
    const rejection_info = { reason: 'No samples.', recommendation: 'Give samples.' };
    expect(reasonOf('REJECTED', 'INVALID_FORMAT', { rejection_info })).to.equal(
      'INVALID_FORMAT: No samples.; Give samples.',
    );
    const other_info = { title: 'FIRST_PAUSE', description: 'Paused for 3 hours.' };
    expect(reasonOf('PAUSED', 'NONE', { other_info })).to.equal(
      'PAUSED: the provider paused it for low quality (FIRST_PAUSE: Paused for 3 hours.)',
    );
    const disable_info = { disable_date: '2026-11-22' };
    expect(reasonOf('DISABLED', 'NONE', { disable_info })).to.contain('(disabled on 2026-11-22)');
    const odd = { rejection_info: 'x', other_info: [], disable_info: null };
    expect(reasonOf('REJECTED', 'SCAM', odd)).to.equal('SCAM');
    const long = { rejection_info: { reason: 'x'.repeat(5000) } };
    expect(reasonOf('REJECTED', 'SCAM', long)!.length).to.be.at.most(1010);
    expect(reasonOf('APPROVED', 'NONE', { other_info })).to.equal(null);
  });

  it('is pending for an unknown word', () => {
    expect(readTemplateState('limbo', null)).to.deep.equal({
      status: 'PENDING',
      statusReason: 'The provider calls its state LIMBO',
    });
  });
});
