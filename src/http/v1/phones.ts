import { z } from 'zod';
import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import type { ForwardUrls } from '../../commands/inbound/forward-url.ts';
import { actingFor } from '../edge/context.ts';
import { pick } from '../route/pick.ts';
import { defineRoute } from '../route/route.ts';
import { healthOf, readDirectSend } from './health.ts';
import { PhoneNumber, success } from './schemas.ts';

const URL_LENGTH_MAX = 2048;

/** Contract 4.14. */
export const phoneWebhookRoute = (deps: { forwardUrls: ForwardUrls }) =>
  defineRoute({
    method: 'PATCH',
    path: '/v1/phones/:phoneNumberId/webhook',
    access: 'key',
    scope: 'phones:write',
    summary: 'Set or clear the URL to which inbound messages of a number are forwarded',
    description:
      'One https URL for each number. It must not name or resolve to a private, loopback, ' +
      'link-local or metadata address. Ports 443 and 8443; a host without a dot is refused. ' +
      'Null or an absent `webhookUrl` ends the forwarding.',
    answer: 'The URL is saved. The previous URL receives nothing more.',
    tags: ['Numbers'],
    request: {
      body: z.object({
        webhookUrl: z
          .string()
          .max(URL_LENGTH_MAX)
          .nullable()
          .default(null)
          .describe('URL for inbound messages; null for none.'),
      }),
    },
    responses: { 200: z.object({ success }) },
    free: true,
    errors: ['number.unknown', 'request.invalid'],
    async handle({ params, body }, { key, requestId }) {
      const context = actingFor({ key, requestId });
      await deps.forwardUrls.set(params.phoneNumberId, body.webhookUrl, context);
      return { success: true as const };
    },
  });

const ratings = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;

const ratingOf = (number: NumberRecord) => {
  if (number.qualityRating === null) return null;
  return ratings.find((rating) => rating === number.qualityRating) ?? 'UNKNOWN';
};

/** Contract 4.13. */
export const phonesRoute = (deps: { lookups: Pick<Lookups, 'account' | 'numbers'> }) =>
  defineRoute({
    method: 'GET',
    path: '/v1/phones',
    access: 'key',
    scope: 'phones:read',
    summary: 'List the numbers of the account',
    tags: ['Numbers'],
    responses: { 200: z.array(PhoneNumber) },
    errors: [],
    async handle(_, { key: { accountId }, now }) {
      const linked = await deps.lookups.numbers(accountId);
      const { barOf } = await readDirectSend(deps.lookups, accountId, now);
      return linked.toReversed().map((number) => {
        const bar = barOf(number);
        const isSound = number.blockers.length === 0 && number.limits.length === 0 && !bar;
        const shown = pick(PhoneNumber, { ...number, qualityRating: ratingOf(number) });
        return isSound ? shown : { ...shown, health: healthOf(number, bar) };
      });
    },
  });
