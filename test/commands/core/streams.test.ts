import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { botDecider } from '../../../src/commands/bots/bot.ts';
import { installationDecider } from '../../../src/commands/core/installation.ts';
import { idempotencyKeyDecider } from '../../../src/commands/idempotency/idempotency-key.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import { deadLetterDecider } from '../../../src/commands/inbound/dead-letters.ts';
import { phoneDecider } from '../../../src/commands/numbers/phone.ts';
import { planDecider, rateCardDecider } from '../../../src/commands/pricing/plan.ts';
import { messageDecider } from '../../../src/commands/sending/message.ts';
import { recoveryDecider } from '../../../src/commands/sending/recovery.ts';
import { templateDecider } from '../../../src/commands/templates/template.ts';
import { administratorDecider, apiKeyDecider } from '../../../src/commands/tenancy/credentials.ts';
import { organisationDecider } from '../../../src/commands/tenancy/tenancy.ts';

describe('the streams of deciders', () => {
  it('have the names under which logs hold them', () => {
    const deciders = [
      accountDecider('acc_1'),
      administratorDecider,
      apiKeyDecider,
      botDecider,
      conversationDecider,
      deadLetterDecider,
      installationDecider,
      messageDecider,
      organisationDecider,
      phoneDecider,
      planDecider,
      rateCardDecider,
      recoveryDecider,
      idempotencyKeyDecider,
      templateDecider,
    ];
    const names =
      'account administrator apikey bot conversation deadletter installation message ' +
      'organisation phone plan ratecard recovery request template';
    expect(deciders.map(({ category }) => category)).to.deep.equal(names.split(' '));
  });
});
