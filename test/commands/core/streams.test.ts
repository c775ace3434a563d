import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { botDecider, botDraftDecider } from '../../../src/commands/bots/bot.ts';
import { contactDecider } from '../../../src/commands/contacts/contact.ts';
import { installationDecider } from '../../../src/commands/core/installation.ts';
import { idempotencyKeyDecider } from '../../../src/commands/idempotency/idempotency-key.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import { deadLetterDecider } from '../../../src/commands/inbound/dead-letters.ts';
import { jobDecider } from '../../../src/commands/jobs/job.ts';
import { mediaDecider } from '../../../src/commands/media/media.ts';
import { phoneDecider } from '../../../src/commands/numbers/phone.ts';
import { personDecider } from '../../../src/commands/people/person.ts';
import { planDecider, rateCardDecider } from '../../../src/commands/pricing/plan.ts';
import { destructionsDecider } from '../../../src/commands/privacy/destructions.ts';
import { erasureDecider } from '../../../src/commands/privacy/erasure.ts';
import { retentionDecider } from '../../../src/commands/privacy/retention.ts';
import {
  listedHeadsDecider,
  sealPlaceDecider,
  sealsDecider,
  tileDecider,
} from '../../../src/commands/seals/seals.ts';
import { messageDecider } from '../../../src/commands/sending/message.ts';
import { recoveryDecider } from '../../../src/commands/sending/recovery.ts';
import { scheduleDecider } from '../../../src/commands/sending/schedule.ts';
import { templateDecider } from '../../../src/commands/templates/template.ts';
import { administratorDecider, apiKeyDecider } from '../../../src/commands/tenancy/credentials.ts';
import { organisationDecider } from '../../../src/commands/tenancy/tenancy.ts';
import { endpointDecider } from '../../../src/commands/webhooks/endpoint.ts';

describe('the streams of deciders', () => {
  it('have the names under which logs hold them', () => {
    const deciders = [
      accountDecider('acc_1'),
      administratorDecider,
      apiKeyDecider,
      botDecider,
      botDraftDecider,
      contactDecider,
      conversationDecider,
      deadLetterDecider,
      destructionsDecider,
      erasureDecider,
      listedHeadsDecider,
      installationDecider,
      jobDecider('acc_1', 'job_1'),
      mediaDecider,
      messageDecider,
      organisationDecider,
      personDecider,
      phoneDecider,
      planDecider,
      rateCardDecider,
      recoveryDecider,
      idempotencyKeyDecider,
      retentionDecider,
      scheduleDecider,
      sealPlaceDecider,
      sealsDecider,
      templateDecider,
      tileDecider,
      endpointDecider,
    ];
    const names =
      'account administrator apikey bot botdraft contact conversation deadletter destroyedkeys erasure heads ' +
      'installation job media message organisation person phone plan ratecard recovery request retention ' +
      'schedule sealplace seals template tiles webhook';
    expect(deciders.map(({ category }) => category)).to.deep.equal(names.split(' '));
  });
});
