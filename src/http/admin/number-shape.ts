import { z } from 'zod';
import type { NumberRecord } from '../../commands/core/lookups.ts';
import { pick } from '../route/pick.ts';

export const NumberShape = z
  .object({
    phoneNumberId: z.string().describe("The provider's phone number id."),
    wabaId: z.string().describe("The provider's id of the business account."),
    accountId: z.string().describe('Id of the owning account.'),
    displayPhoneNumber: z.string().describe('The telephone number in display form.'),
    verifiedName: z.string().describe('The display name that the provider approved.'),
    qualityRating: z.string().nullable().describe('The provider throttles a number at `RED`.'),
    hasAccessToken: z.boolean().describe('Only a number with a token can send.'),
    registered: z.boolean().nullable().describe('Registration at the provider; null if unknown.'),
    subscribed: z
      .boolean()
      .nullable()
      .describe(
        'Whether the app of the token receives notifications of the business account. Without them no status and no message arrives. Null if unknown.',
      ),
    subscriptionProblem: z
      .string()
      .nullable()
      .describe("The provider's words, where it refused the subscription."),
    messagesPerSecond: z.int().describe('Further sends wait; 80 by default.'),
    webhookUrl: z.string().nullable().describe('URL that receives inbound messages, or null.'),
    linkedAt: z.iso.datetime().describe('Time of the link, ISO 8601.'),
  })
  .meta({ id: 'Number' });

/** Shows whether a token exists, never the token. */
export const presentNumber = (number: NumberRecord) =>
  pick(NumberShape, { ...number, hasAccessToken: number.accessToken !== null });
