import { z } from 'zod';
import type { Lookups } from '../../commands/core/lookups.ts';
import type { Numbers } from '../../commands/numbers/numbers.ts';
import { catalog } from '../../commands/sending/catalog.ts';
import { bestRow } from '../../commands/sending/notification-template.ts';
import {
  findConfiguredNumber,
  missingNumberMessage,
  senderOf,
} from '../../commands/sending/senders.ts';
import type { Mirror } from '../../commands/templates/mirror.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { ProviderRefused, ProviderUnreachable } from '../../provider/provider.ts';
import { AppError, isRefusal } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { defineRoute } from '../route/route.ts';
import { ReadinessEntry } from './schemas.ts';

/** Contract 4.5. */
export const readinessRoute = (deps: {
  lookups: Pick<Lookups, 'numbers' | 'number' | 'allTemplates'>;
  mirror: Mirror;
  numbers: Numbers;
  secrets: Secrets;
}) =>
  defineRoute({
    method: 'GET',
    path: '/v1/notifications/events',
    access: 'key',
    scope: 'templates:read',
    summary: 'Show which events can be sent from a number',
    tags: ['Notifications'],
    request: {
      query: z.object({ phoneNumberId: z.string().optional(), refresh: z.string().optional() }),
    },
    responses: {
      200: z.object({
        phoneNumberId: z.string(),
        total: z.int(),
        ready: z.int(),
        health: z.object({ canSend: z.boolean(), blockers: z.array(z.string()) }),
        events: z.array(ReadinessEntry),
      }),
    },
    errors: ['number.unknown'],
    async handle({ query: { phoneNumberId, refresh } }, { key, requestId, log }) {
      const { lookups, mirror, numbers, secrets } = deps;
      const { accountId } = key;
      const find = () => findConfiguredNumber(lookups, accountId, phoneNumberId);
      let number = await find();
      if (!number) throw new AppError('number.unknown', missingNumberMessage(phoneNumberId));
      if (refresh === 'true') {
        const context = { requestId, accountId };
        try {
          await Promise.all([
            mirror.refresh(senderOf(number, secrets), context),
            numbers.refresh(number.phoneNumberId, context),
          ]);
        } catch (error) {
          // The local mirror still answers.
          if (!isOutOfReach(error)) throw error;
          log.warn(
            { err: error },
            'The provider could not be read and kept: answering from the mirror',
          );
        }
        number = (await find()) ?? number;
      }
      const rows = await lookups.allTemplates(number.wabaId);
      const of = (name: string) => rows.filter((row) => row.name === name);
      const events = catalog.map((entry) => {
        const row = bestRow(of(entry.templateName), entry.language, number.accountId);
        return {
          ...entry,
          variables: [...entry.variables],
          status: row?.status ?? ('NOT_CREATED' as const),
          statusReason: row?.statusReason ?? null,
          ready: row?.status === 'APPROVED',
        };
      });
      const blockers = [...number.blockers];
      return {
        phoneNumberId: number.phoneNumberId,
        total: events.length,
        ready: events.filter(({ ready }) => ready).length,
        health: { canSend: blockers.length === 0, blockers },
        events,
      };
    },
  });

const isOutOfReach = (error: unknown): boolean =>
  error instanceof ProviderUnreachable ||
  error instanceof ProviderRefused ||
  error instanceof StoreUnavailable ||
  isRefusal(error, 'provider.failed');
