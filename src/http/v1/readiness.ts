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

export interface ReadinessDeps {
  lookups: Pick<Lookups, 'numbers' | 'number' | 'allTemplates'>;
  mirror: Mirror;
  numbers: Numbers;
  secrets: Secrets;
}

/** Refreshes the number and its templates. While the provider is out of reach, the mirror answers. */
const readProvider = async (
  { mirror, numbers, secrets }: ReadinessDeps,
  number: NumberRecord,
  { requestId, log }: Pick<KeyContext, 'requestId' | 'log'>,
): Promise<void> => {
  const context = { requestId, accountId: number.accountId };
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

export const Readiness = z.object({
  phoneNumberId: z.string().describe("The provider's phone number id."),
  total: z.int().describe('Events in the catalog.'),
  ready: z.int().describe('Events with an approved template.'),
  health: Health,
  events: z.array(ReadinessEntry).describe('Every event of the catalog.'),
});

export const refresh = z
  .string()
  .optional()
  .describe('`true` first reads the approval status from the provider.');

/** What can be sent from a number, as `find` shows it; before that, the provider is read if wished. */
export const readReadiness = async (
  deps: ReadinessDeps,
  find: () => Promise<NumberRecord | undefined>,
  isRefreshed: boolean,
  context: Pick<KeyContext, 'requestId' | 'log'>,
): Promise<z.output<typeof Readiness> | undefined> => {
  let number = await find();
  if (!number) return undefined;
  if (isRefreshed && number.accessToken) {
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
};

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
        refresh,
      }),
    },
    responses: { 200: Readiness },
    errors: ['number.unknown'],
    async handle({ query }, context) {
      const { phoneNumberId } = query;
      const find = () => findConfiguredNumber(deps.lookups, context.key.accountId, phoneNumberId);
      const found = await readReadiness(deps, find, query.refresh === 'true', context);
      if (!found) throw new AppError('number.unknown', missingNumberMessage(phoneNumberId));
      return found;
    },
  });
