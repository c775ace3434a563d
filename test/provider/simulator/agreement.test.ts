import { expect } from 'chai';
import type { Content } from '../../../src/events/content.ts';
import { encodeMessage } from '../../../src/provider/graph/encode.ts';
import { brokenRule } from '../../../src/provider/rules/content-rules.ts';
import { checkMessage } from '../../../src/provider/simulator/message-checks.ts';
import { rules } from '../rules/rules.ts';

const INVALID = 131009;

/** What an interactive message needs beside the part that a rule is about. */
const whole = (content: Content): Content => {
  if (content.type !== 'interactive') return content;
  const { action, ...rest } = content.interactive;
  const interactive = { body: { text: 'Pick' }, ...rest, action: action ?? {} };
  return { type: 'interactive', interactive };
};

/** The code with which the simulator refuses a message; undefined for one that it takes. */
const codeOf = (content: Content, contextMessageId: string | null = null) => {
  const charge = { chargeId: 'charge-1', contextMessageId };
  const message = JSON.parse(JSON.stringify(encodeMessage('447700900123', content, charge)));
  const refusal = checkMessage(message);
  return (refusal?.body as { error: { code: number } } | undefined)?.error.code;
};

describe('The service and the simulator agree', () => {
  // Some cases lack what a message requires, which the service leaves to the provider.
  const complete = rules.filter(([, , wrong]) => codeOf(whole(wrong)) !== 100);
  it('on most cases of the rules', () => expect(complete.length).to.be.at.least(29));

  for (const [what, right, wrong] of complete) {
    it(`on ${what}`, () => {
      expect(brokenRule(wrong), 'the service').not.to.equal(undefined);
      expect(codeOf(whole(wrong))).to.equal(INVALID);
      expect(codeOf(whole(right)), 'at the limit').not.to.equal(INVALID);
    });
  }

  it('on a reaction that answers a message', () => {
    const reaction: Content = { type: 'reaction', messageId: 'wamid.A', emoji: '👍' };
    expect(codeOf(reaction, 'wamid.B')).to.equal(INVALID);
    expect(codeOf(reaction)).to.equal(undefined);
  });
});
