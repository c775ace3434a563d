import { expect } from 'chai';
import {
  type BuiltContent,
  brokenRule,
  encodeMessage,
} from '../../../src/provider/rules/message-types.ts';
import { readSentMessage } from '../../../src/provider/rules/sent-message.ts';
import type { Json } from '../../support/waybill.ts';
import { rules } from '../rules/rules.ts';

const choice = (at: number) => ({ id: `${at}`, title: `Choice ${at}` });

/** Actions with everything that the provider requires. */
const actions: Readonly<Record<string, object>> = {
  button: { buttons: [{ type: 'reply', reply: choice(0) }] },
  list: { button: 'Choose', sections: [{ title: 'All', rows: [choice(0)] }] },
};

/** What breaks these rules lacks something; the rest is too much or of another form. */
const MISSING = ['a contact without a formatted name'];

/** Adds what is required beside the part that a rule is about. */
const whole = (content: BuiltContent): BuiltContent => {
  if (content.type !== 'interactive') return content;
  const { type, ...rest } = content.interactive;
  const action: Json = { ...actions[String(type)], ...(rest.action as object) };
  if (type === 'button') {
    action.buttons = action.buttons.map((one: Json, at: number) => ({
      reply: { ...choice(at), ...one.reply },
    }));
  }
  if (type === 'list') {
    action.sections = action.sections.map((section: Json, at: number) => ({
      rows: [choice(at)],
      ...section,
    }));
  }
  const interactive = { body: { text: 'Pick' }, ...rest, type, action };
  return { type: 'interactive', interactive };
};

/** The code with which the simulator refuses a message; undefined for one that it takes. */
const codeOf = (content: BuiltContent, contextMessageId: string | null = null) => {
  const charge = { chargeId: 'charge-1', contextMessageId };
  const message = JSON.parse(JSON.stringify(encodeMessage('447700900123', content, charge)));
  const reading = readSentMessage(message);
  return 'refusal' in reading ? reading.refusal.code : undefined;
};

describe('The service and the simulator agree', () => {
  for (const [what, right, wrong] of rules) {
    it(`on ${what}`, () => {
      expect(codeOf(whole(right)), 'at the limit').to.equal(undefined);
      expect(codeOf(whole(wrong))).to.equal(MISSING.includes(what) ? 100 : 131009);
      expect(brokenRule(whole(right)), 'the service, at the limit').to.equal(undefined);
      expect(brokenRule(whole(wrong)), 'the service').not.to.equal(undefined);
    });
  }

  it('on a reaction that answers a message', () => {
    const reaction: BuiltContent = { type: 'reaction', messageId: 'wamid.A', emoji: '👍' };
    expect(codeOf(reaction, 'wamid.B')).to.equal(131009);
    expect(codeOf(reaction)).to.equal(undefined);
  });
});
