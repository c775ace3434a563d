import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Content, Intent } from '../events/content.ts';
import type { Provider } from '../provider/provider.ts';
import type { Secrets } from '../secrets.ts';
import { type CatalogEntry, findEvent, supportedEvents } from './catalog.ts';
import type { Lookups, NumberRecord, TemplateRow } from './lookups.ts';
import type { Mirror } from './mirror.ts';
import { findConfiguredNumber, missingNumberMessage, senderOf } from './senders.ts';
import type { Charge, SendContext, Transmitter } from './transmit.ts';
import { fillVariables, renderPreview } from './variables.ts';

/** A notification by event key (contract 4.7). */
export interface NotificationRequest {
  to: string;
  event: string;
  variables: Readonly<Record<string, unknown>>;
  phoneNumberId?: string | undefined;
  languageCode?: string | undefined;
  allowTextFallback?: boolean | undefined;
  source?: 'notification' | 'bot';
  /** The ledger's reason; the event's key when absent. */
  reason?: string;
}

export interface NotificationSent {
  messageId: string;
  channel: 'template' | 'text';
  event: string;
  template: string | null;
  missingVariables: readonly string[];
  charge: Charge;
}

/** Stands in the log for the code of an authentication message. */
const MASKED = '••••••';

/** The languages under which a template may serve the asked one, best first (contract 4.7). */
export const languagesFor = (language: string): readonly string[] =>
  language === 'en_US' ? ['en_US', 'en'] : [language];

/** The approved row that serves the asked language best. */
export const approvedRow = <Row extends { language: string; status: string }>(
  rows: readonly Row[],
  language: string,
): Row | undefined => {
  for (const candidate of languagesFor(language)) {
    const row = rows.find((one) => one.language === candidate && one.status === 'APPROVED');
    if (row) return row;
  }
  return undefined;
};

export const unknownEvent = (event: string) =>
  new AppError('event.unknown', `Unknown event: ${event.slice(0, 100)}`, {
    body: { supportedEvents },
  });

/** Digits only; nothing else of a recipient is checked (contract 4.7). */
export const digitsOf = (to: string): string => to.replace(/\D/g, '');

export const createNotifications = (deps: {
  lookups: Lookups;
  mirror: Mirror;
  provider: Provider;
  transmitter: Transmitter;
  secrets: Secrets;
  clock: Clock;
}) => {
  const { lookups, mirror, transmitter, secrets, clock } = deps;

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
    return approvedRow<Pick<TemplateRow, 'language' | 'status'>>(rows, language);
  };

  const windowIsOpen = async (number: NumberRecord, to: string) => {
    const expiresAt = await lookups.windowExpiresAt(number.phoneNumberId, to);
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
    const to = digitsOf(request.to);
    const language = request.languageCode ?? entry.language;
    const { parameters, missingVariables } = fillVariables(entry, request.variables);
    const number = await findConfiguredNumber(lookups, accountId, request.phoneNumberId);

    let row: Pick<TemplateRow, 'language'> | undefined;
    let channel: 'template' | 'text' = 'template';
    if (number) {
      row = approvedRow(await lookups.templates(number.wabaId, entry.templateName), language);
      // The channel decides the price, so it must be known before it.
      if (!row && request.allowTextFallback) {
        row = await readLive(number, entry, language, context);
        if (!row && (await windowIsOpen(number, to))) channel = 'text';
      }
    }

    const authentication = entry.category === 'AUTHENTICATION';
    const text = renderPreview(entry, parameters);
    const keptText = authentication ? renderPreview(entry, [MASKED]) : text;
    const notification = (templateLanguage: string, values: string[]): Content => ({
      type: 'notification',
      name: entry.templateName,
      language: templateLanguage,
      authentication,
      parameters: values,
    });
    const kept = (templateLanguage: string): Content =>
      channel === 'text'
        ? { type: 'text', body: keptText, previewUrl: false }
        : notification(templateLanguage, authentication ? [MASKED] : parameters);

    const intent: Intent = {
      phoneNumberId: number?.phoneNumberId ?? null,
      wabaId: number?.wabaId ?? null,
      to,
      source: request.source ?? 'notification',
      event: entry.event,
      content: kept(row?.language ?? language),
      text: keptText,
      contextMessageId: null,
      clientReference: null,
    };
    const draft = {
      accountId,
      category: channel === 'text' ? ('SERVICE' as const) : entry.category,
      reason: request.reason ?? entry.event,
      intent,
    };
    const template = channel === 'text' ? null : entry.templateName;
    const sent = await transmitter.transmit(draft, context, async () => {
      if (!number) {
        throw new AppError('number.none', missingNumberMessage(request.phoneNumberId));
      }
      const details = { event: entry.event, template };
      const sender = senderOf(number, secrets);
      if (channel === 'text') {
        const content: Content = { type: 'text', body: text, previewUrl: false };
        return { sender, content, kept: intent.content, details };
      }
      row ??= await readLive(number, entry, language, context);
      if (!row) throw notApproved(entry, language);
      const content = notification(row.language, parameters);
      return { sender, content, kept: kept(row.language), details };
    });
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

  return { send };
};

export type Notifications = ReturnType<typeof createNotifications>;

const notApproved = (entry: CatalogEntry, language: string) =>
  new AppError(
    'template.not_approved',
    `No approved template for ${entry.event} on this number: submit the catalog and wait for approval`,
    { body: { details: { event: entry.event, templateName: entry.templateName, language } } },
  );
