import { expect } from 'chai';
import { readTemplateState } from '../../../src/provider/graph/template-state.ts';

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

  it('is pending for an unknown word', () => {
    expect(readTemplateState('limbo', null)).to.deep.equal({
      ...{ status: 'PENDING', statusReason: 'The provider calls its state LIMBO' },
    });
  });
});
