import { z } from 'zod';
import type { Batches, BatchRequest } from '../../commands/sending/batch.ts';
import { batchProblems } from '../../commands/sending/strict.ts';
import { Variables } from '../../commands/sending/variables.ts';
import { defineRoute, type Idempotent } from '../route/route.ts';
import { recipientsIn } from './recipients.ts';
import {
  clientReference,
  languageCode,
  providerStatus,
  recipient,
  sender,
  success,
} from './schemas.ts';
import { refuseProblems, type StrictDeps, strict } from './strict.ts';

const Recipient = z.object({
  to: recipient,
  variables: Variables.default({}).describe('Values by name; a blank one is replaced by `-`.'),
  clientReference,
});

const Result = z
  .object({
    to: z.string().describe('The recipient as the request named it.'),
    ok: z.boolean().describe('Whether the provider accepted the message.'),
    messageId: z.string().optional().describe("The provider's message id, when `ok`."),
    channel: z.enum(['template', 'text']).optional().describe('`template`, when `ok`.'),
    providerStatus,
    error: z.string().optional().describe('The error as text for people, unless `ok`.'),
    code: z
      .enum([
        'UNKNOWN_EVENT',
        'NO_PHONE',
        'TEMPLATE_NOT_APPROVED',
        'SEND_FAILED',
        'LIMIT_REACHED',
        'INSUFFICIENT_CREDITS',
        'INSUFFICIENT_BALANCE',
      ])
      .optional()
      .describe('The error as a code to branch on, unless `ok`.'),
  })
  .meta({ id: 'NotificationBatchResult' });

interface Answer {
  results: readonly unknown[];
}

/** A repeated batch continues with the recipients that the first one left out. */
const isWhole: Idempotent['isFinal'] = ({ body: answer }, { body: asked }) =>
  (answer as Answer).results.length === (asked as BatchRequest).recipients.length;

/** Contract 4.8. */
export const batchRoute = (deps: { batches: Batches; stopping: AbortSignal } & StrictDeps) =>
  defineRoute({
    method: 'POST',
    path: '/v1/notifications/send/batch',
    access: 'key',
    scope: 'notifications:send',
    summary: 'Send one event to up to 500 recipients',
    description:
      'Starts the sends at the rate of the number, for up to 120 seconds. ' +
      'Recipients without a result were neither charged nor sent to.',
    answer: 'The batch ran. Send again to the recipients without a result.',
    tags: ['Notifications'],
    request: {
      body: z.object({
        event: z.string().describe('Event key of the catalog.'),
        recipients: z.array(Recipient).min(1).max(500).describe('1 to 500 recipients.'),
        phoneNumberId: sender,
        languageCode,
        strict: strict.describe(
          'As in a single send, for all recipients: one wrong recipient refuses the whole batch, before anything is sent.',
        ),
      }),
    },
    responses: {
      200: z.object({
        success,
        sent: z.int().describe('Recipients with `ok` true.'),
        failed: z.int().describe('Recipients with `ok` false.'),
        results: z.array(Result).describe('The processed recipients, in the order of the request.'),
      }),
    },
    errors: [],
    idempotent: { isFinal: isWhole, contacts: recipientsIn },
    async handle({ body }, { key, requestId, signal, claim }) {
      const { accountId, keyId } = key;
      const isStrict = body.strict ?? deps.strictByDefault(accountId);
      if (isStrict && (await isStrict)) refuseProblems(batchProblems(body));
      const stopping = AbortSignal.any([signal(), deps.stopping]);
      const by = { requestId, accountId, keyId, claim };
      const results = await deps.batches.send(body, by, stopping);
      const sent = results.filter(({ ok }) => ok).length;
      return {
        success: true as const,
        sent,
        failed: results.length - sent,
        results: [...results],
      };
    },
  });
