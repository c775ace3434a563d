import { expect } from 'chai';
import { type BuiltContent, brokenRule } from '../../../src/provider/rules/message-types.ts';
import { interactive, rules, times } from './rules.ts';

describe('The rules of the provider for the content of a message', () => {
  for (const [what, right, wrong, pattern] of rules) {
    it(`refuse ${what}`, () => {
      expect(brokenRule(right), 'at the limit').to.equal(undefined);
      expect(brokenRule(wrong)).to.match(pattern);
    });
  }

  it('refuse a reaction that answers a message', () => {
    const reaction: BuiltContent = { type: 'reaction', messageId: 'wamid.A', emoji: '' };
    expect(brokenRule(reaction, { isReply: true })).to.match(/contextMessageId/);
    expect(brokenRule(reaction)).to.equal(undefined);
    expect(brokenRule({ type: 'text', body: 'x', previewUrl: false }, { isReply: true })).to.equal(
      undefined,
    );
  });

  it('leave what is missing, and what they do not know, to the provider', () => {
    for (const type of ['button', 'list', 'carousel', 'product_list', 'constructor']) {
      for (const action of [{}, { buttons: 'x' }, { sections: null }, { cards: {} }, []]) {
        expect(brokenRule(interactive(type, { action })), type).to.equal(undefined);
      }
    }
    expect(brokenRule(interactive('new', { action: { buttons: times(9, String) } }))).to.equal(
      undefined,
    );
  });
});
