import type { Content, Intent } from '../../events/content.ts';
import type { Provider, Slot } from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import { takesCode } from '../pricing/template-category.ts';
import type { Mirror } from '../templates/mirror.ts';
import { type CatalogEntry, findEvent, supportedEvents } from './catalog.ts';
import {
  type ApprovedTemplate,
  approvedRow,
  categoryOf,
  keptWords,
} from './notification-template.ts';
import { recipientDigits } from './recipient.ts';
import { findConfiguredNumber, missingNumberMessage, senderOf } from './senders.ts';
import type { SendContext, Transmitter } from './transmit.ts';
import type { Charge } from './transmitted.ts';
import { fillVariables, renderPreview } from './variables.ts';

/** A notification by event key (contract 4.7). */
export interface NotificationRequest {
  to: string;
  event: string;
  variables: Readonly<Record<string, unknown>>;
  phoneNumberId?: string | undefined;
  languageCode?: string | undefined;
  allowTextFallback?: boolean | undefined;
  clientReference?: string | undefined;
  source?: 'notification' | 'bot';
  /** The ledger's reason; the event's key when absent. */
  reason?: string;
  /** A slot in the number's pace that was waited for already. */
  slot?: Slot | undefined;
}

export interface NotificationSent {
  messageId: string;
  channel: 'template' | 'text';
  event: string;
  template: string | null;
  missingVariables: readonly string[];
  charge: Charge;
}

export const unknownEvent = (event: string) =>
  new AppError('event.unknown', `Unknown event: ${event.slice(0, 100)}`, {
    supportedEvents,
  });

export const createNotifications = (deps: {
  lookups: Lookups;
  mirror: Mirror;
  provider: Provider;
  transmitter: Transmitter;
  secrets: Secrets;
  clock: Clock;
}) => {
  const { lookups, mirror, provider, transmitter, secrets, clock } = deps;

  const readLive = async (
    number: NumberRecord,
    entry: CatalogEntry,
    language: string,
    context: SendContext,
  ) => {
    const { signal: _, ...commandContext } = context;
    const sender = senderOf(number, secrets);
    const seen = await mirror.readName(sender, entry.templateName, commandContext);
    // Somebody else's read may have brought it since this send looked, on another instance also.
    const rows =
      seen ?? (await lookups.templates(number.wabaId, entry.templateName, { fresh: true }));
    return approvedRow<ApprovedTemplate>(rows, language, number.accountId);
  };

  /** The approved template that serves the language best: from the mirror, else from one live read. */
  const findApproved = async (
    number: NumberRecord,
    entry: CatalogEntry,
    language: string,
    context: SendContext,
  ): Promise<ApprovedTemplate | undefined> => {
    const known = await lookups.templates(number.wabaId, entry.templateName);
    const { accountId } = number;
    return approvedRow(known, language, accountId) ?? readLive(number, entry, language, context);
  };

  const windowIsOpen = async (number: NumberRecord, to: string) => {
    const { accountId, phoneNumberId } = number;
    const expiresAt = await lookups.windowExpiresAt({ accountId, phoneNumberId, waId: to });
    return expiresAt !== null && expiresAt > clock.now();
  };

  /** Sends one notification; throws the refusals of contract 4.7. */
  const send = async (
    request: NotificationRequest,
    context: SendContext,
  ): Promise<NotificationSent> => {
    const entry = findEvent(request.event);
    if (!entry) throw unknownEvent(request.event);
    const { accountId } = context;
    const to = recipientDigits(request.to);
    const language = request.languageCode ?? entry.language;
    const { parameters, missingVariables } = fillVariables(entry, request.variables);
    const number = await findConfiguredNumber(lookups, accountId, request.phoneNumberId);

    // Channel and template decide the price, so both must be known before it.
    const row = number && (await findApproved(number, entry, language, context));
    const isText =
      number !== undefined &&
      row === undefined &&
      request.allowTextFallback === true &&
      (await windowIsOpen(number, to));

    const text = renderPreview(entry, parameters);
    const content: Content = isText
      ? { type: 'text', body: text, previewUrl: false }
      : {
          type: 'notification',
          name: entry.templateName,
          language: row?.language ?? language,
          authentication: row ? takesCode(row) : entry.category === 'AUTHENTICATION',
          parameters,
        };
    const category = categoryOf(isText, row, entry);
    const intent: Intent = {
      phoneNumberId: number?.phoneNumberId ?? null,
      wabaId: number?.wabaId ?? null,
      to,
      source: request.source ?? 'notification',
      event: entry.event,
      ...keptWords(entry, content, { category, text, parameters }),
      contextMessageId: null,
      clientReference: request.clientReference ?? null,
    };
    const reason = request.reason ?? entry.event;
    const refused = refusalOf(number, isText || row !== undefined, request, entry, language);
    const details = { event: entry.event, template: isText ? null : entry.templateName };
    const { slot } = request;
    const outgoing = refused ?? { sender: senderOf(number!, secrets), content, details, slot };
    const sent = await transmitter.transmit({ category, reason, intent, outgoing }, context);
    // An earlier run of the same request may have gone the other way.
    const { messageId, charge, intent: went } = sent;
    const asText = went.content.type === 'text';
    return {
      messageId,
      charge,
      channel: asText ? 'text' : 'template',
      event: entry.event,
      template: asText ? null : entry.templateName,
      missingVariables,
    };
  };

  /**
   * Waits for a slot in the pace of the number from which a request goes out: `none` where the time or
   * the signal ended the wait, undefined where there is no such number.
   */
  const takeSlot = async (
    { phoneNumberId }: Pick<NotificationRequest, 'phoneNumberId'>,
    { accountId }: Pick<SendContext, 'accountId'>,
    limits: { withinMs: number; signal: AbortSignal },
  ): Promise<Slot | 'none' | undefined> => {
    const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
    return number && ((await provider.takeSlot(number, limits)) ?? 'none');
  };

  return { send, takeSlot };
};

export type Notifications = ReturnType<typeof createNotifications>;

/** Why this cannot be sent, which is known before anything is reserved. */
const refusalOf = (
  number: NumberRecord | undefined,
  hasContent: boolean,
  request: NotificationRequest,
  entry: CatalogEntry,
  language: string,
): AppError | undefined => {
  if (!number) return new AppError('number.none', missingNumberMessage(request.phoneNumberId));
  return hasContent ? undefined : notApproved(entry, language);
};

const notApproved = (entry: CatalogEntry, language: string) =>
  new AppError(
    'template.not_approved',
    `No approved template for ${entry.event} on this number: submit the catalog and wait for approval`,
    { event: entry.event, templateName: entry.templateName, language },
  );
