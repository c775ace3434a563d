import { z } from 'zod';
import { messages } from '../../projections/messages.ts';
import { type NumberDocument, numbers } from '../../projections/numbers.ts';
import { readWaitingSince, SILENT_AFTER_MS } from '../../projections/read-silence.ts';
import { isoTime } from '../../shared/clock.ts';
import { mapLimit } from '../../shared/concurrency.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { defineRoute } from '../route/route.ts';
import { messagingLimit } from '../v1/schemas.ts';
import { ADMINISTRATION } from './context.ts';

/** Numbers whose newest messages are read at a time. */
const READS_AT_ONCE = 10;

const Problem = z.enum(['token', 'registration', 'quality', 'blocked', 'subscription', 'silent']);
type Problem = z.output<typeof Problem>;

const NumberHealth = z
  .object({
    phoneNumberId: z.string().describe("The provider's phone number id."),
    wabaId: z.string().describe("The provider's id of the business account."),
    accountId: z.string().describe('Id of the owning account.'),
    displayPhoneNumber: z.string().describe('The telephone number in display form.'),
    qualityRating: z.string().nullable().describe('The provider throttles a number at `RED`.'),
    messagingLimit,
    hasAccessToken: z.boolean().describe('Only a number with a token can send.'),
    registered: z.boolean().nullable().describe('Registration at the provider; null if unknown.'),
    blockers: z.array(z.string()).describe('Why it cannot send, in the words of the provider.'),
    limits: z.array(z.string()).describe('What it can do only in part.'),
    subscribed: z
      .boolean()
      .nullable()
      .describe('Whether notifications of the business account come. Null if unknown.'),
    subscriptionProblem: z
      .string()
      .nullable()
      .describe("The provider's words, where it refused the subscription."),
    waitingSince: z.iso
      .datetime()
      .nullable()
      .describe(
        'Time of the oldest of its newest 20 messages for which no status has come, if none came for a newer one; null otherwise, and after a day.',
      ),
    problems: z
      .array(Problem)
      .describe(
        'What is wrong: no `token`, no `registration`, `quality` `RED`, `blocked` by the provider, no `subscription`, or `silent`: no status for 15 minutes. None when all is well.',
      ),
  })
  .meta({ id: 'NumberHealth' });

const problemsOf = (number: NumberDocument, since: number | undefined, now: number) => {
  const found: Record<Problem, boolean> = {
    token: number.accessToken === null,
    registration: number.registered === false,
    quality: number.qualityRating === 'RED',
    blocked: number.blockers.length > 0,
    subscription: number.subscribed === false,
    silent: since !== undefined && now - since >= SILENT_AFTER_MS,
  };
  return Problem.options.filter((problem) => found[problem]);
};

/** The state of every number, as the service knows it. */
export const numberHealthRoute = defineRoute({
  method: 'GET',
  path: '/admin/v1/numbers/health',
  access: 'administrator',
  summary: 'Show the health of all linked numbers, those linked last first',
  description:
    'What the provider has said of each number, and whether its statuses come. `POST /api/admin/v1/numbers/:phoneNumberId/refresh` reads a number at the provider again.',
  tags: ['Numbers'],
  reads: [numbers, messages],
  request: { query: z.object(pageQuery) },
  responses: { 200: pageOf('numbers', NumberHealth) },
  errors: [],
  async handle({ query }, { models, now }) {
    const where = { linked: true };
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, numbers, query, where);
    const shown = await mapLimit(rows, READS_AT_ONCE, async (number) => {
      const since = await readWaitingSince(models, number, now);
      const { phoneNumberId, wabaId, accountId, displayPhoneNumber } = number;
      const { qualityRating, messagingLimit: limit, registered, blockers, limits } = number;
      const { subscribed, subscriptionProblem } = number;
      return {
        phoneNumberId,
        wabaId,
        accountId,
        displayPhoneNumber,
        qualityRating,
        messagingLimit: limit,
        hasAccessToken: number.accessToken !== null,
        registered,
        blockers: [...blockers],
        limits: [...limits],
        subscribed,
        subscriptionProblem,
        waitingSince: since === undefined ? null : isoTime(since),
        problems: problemsOf(number, since, now),
      };
    });
    return { numbers: shown, nextCursor };
  },
});
