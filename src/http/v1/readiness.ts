import { z } from 'zod';
import type { Lookups, NumberRecord, TemplateRow } from '../../commands/core/lookups.ts';
import type { Numbers } from '../../commands/numbers/numbers.ts';
import { catalog } from '../../commands/sending/catalog.ts';
import { bestRow } from '../../commands/sending/notification-template.ts';
import {
  findConfiguredNumber,
  missingNumberMessage,
  senderOf,
} from '../../commands/sending/senders.ts';
import type { Mirror } from '../../commands/templates/mirror.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { KeyContext } from '../edge/context.ts';
import { defineRoute } from '../route/route.ts';
import { healthOf } from './health.ts';
import { isOutOfReach } from './out-of-reach.ts';
import { Health, ReadinessEntry } from './schemas.ts';

interface ReadinessDeps {
  lookups: Pick<Lookups, 'numbers' | 'number' | 'allTemplates'>;
  mirror: Mirror;
  numbers: Numbers;
  secrets: Secrets;
}

/** Refreshes the number and its templates. While the provider is out of reach, the mirror answers. */
const readProvider = async (
  { mirror, numbers, secrets }: ReadinessDeps,
  number: NumberRecord,
  { key: { accountId }, requestId, log }: KeyContext,
): Promise<void> => {
  const context = { requestId, accountId };
  try {
    await Promise.all([
      mirror.refresh(senderOf(number, secrets), context),
      numbers.refresh(number.phoneNumberId, context),
    ]);
  } catch (err) {
    if (!isOutOfReach(err)) throw err;
    log().warn({ err }, 'The provider could not be read and kept: answering from the mirror');
  }
};

const eventsOf = (number: NumberRecord, rows: readonly TemplateRow[]) =>
  catalog.map((entry) => {
    const named = rows.filter(({ name }) => name === entry.templateName);
    const row = bestRow(named, entry.language, number.accountId);
    return {
      ...entry,
      variables: [...entry.variables],
      status: row?.status ?? ('NOT_CREATED' as const),
      statusReason: row?.statusReason ?? null,
      ready: row?.status === 'APPROVED',
      ...(row?.changingTo && { changingTo: row.changingTo }),
    };
  });

/** Contract 4.5. */
export const readinessRoute = (deps: ReadinessDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/notifications/events',
    access: 'key',
    scope: 'templates:read',
    summary: 'Show which events can be sent from a number',
    answer: 'All 18 events with their states, and what keeps the number from sending.',
    tags: ['Notifications'],
    request: {
      query: z.object({
        phoneNumberId: z
          .string()
          .optional()
          .describe("The account's oldest number with an access token by default."),
        refresh: z
          .string()
          .optional()
          .describe('`true` first reads the approval status from the provider.'),
      }),
    },
    responses: {
      200: z.object({
        phoneNumberId: z.string().describe("The provider's phone number id."),
        total: z.int().describe('Events in the catalog.'),
        ready: z.int().describe('Events with an approved template.'),
        health: Health,
        events: z.array(ReadinessEntry).describe('Every event of the catalog.'),
      }),
    },
    errors: ['number.unknown'],
    async handle({ query: { phoneNumberId, refresh } }, context) {
      const { accountId } = context.key;
      const find = () => findConfiguredNumber(deps.lookups, accountId, phoneNumberId);
      let number = await find();
      if (!number) throw new AppError('number.unknown', missingNumberMessage(phoneNumberId));
      if (refresh === 'true') {
        await readProvider(deps, number, context);
        number = (await find()) ?? number;
      }
      const events = eventsOf(number, await deps.lookups.allTemplates(number.wabaId));
      return {
        phoneNumberId: number.phoneNumberId,
        total: events.length,
        ready: events.filter(({ ready }) => ready).length,
        health: healthOf(number),
        events,
      };
    },
  });
