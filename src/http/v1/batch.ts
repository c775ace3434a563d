import { z } from 'zod';
import type { Batches, BatchRequest } from '../../commands/sending/batch.ts';
import { Variables } from '../../commands/sending/variables.ts';
import { defineRoute, type Idempotent } from '../route/route.ts';
import { clientReference, phoneNumberId, recipient } from './schemas.ts';

interface Answer {
  results: readonly unknown[];
}

/** A repeated batch continues with the recipients that the first one left out. */
const isWhole: Idempotent['stands'] = ({ body: answer }, { body: asked }) =>
  (answer as Answer).results.length === (asked as BatchRequest).recipients.length;

/** Contract 4.8. */
export const batchRoute = (deps: { batches: Batches; stopping: AbortSignal }) =>
  defineRoute({
    method: 'POST',
    path: '/v1/notifications/send/batch',
    access: 'key',
    scope: 'notifications:send',
    summary: 'Send one event to up to 500 recipients',
    description:
      'Recipients are started at the pace of the number, for up to 120 seconds. ' +
      'Those that are missing from `results` were not processed: neither charged nor sent to.',
    tags: ['Notifications'],
    request: {
      body: z.object({
        event: z.string(),
        recipients: z
          .array(z.object({ to: recipient, variables: Variables.default({}), clientReference }))
          .min(1)
          .max(500),
        phoneNumberId: phoneNumberId.optional(),
        languageCode: z.string().min(1).max(20).optional(),
      }),
    },
    responses: {
      200: z.object({
        success: z.literal(true),
        sent: z.int(),
        failed: z.int(),
        results: z.array(
          z.object({
            to: z.string(),
            ok: z.boolean(),
            messageId: z.string().optional(),
            channel: z.enum(['template', 'text']).optional(),
            error: z.string().optional(),
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
              .optional(),
          }),
        ),
      }),
    },
    errors: [],
    idempotent: { stands: isWhole },
    async handle({ body }, { key, requestId, signal, claim }) {
      const { accountId, keyId } = key;
      const stopping = AbortSignal.any([signal, deps.stopping]);
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
