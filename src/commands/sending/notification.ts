import { parseContact } from '../../events/contact.ts';
import type { Content, Intent } from '../../events/content.ts';
import type { Provider, Slot } from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { nearest } from '../../shared/nearest.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import type { Mirror } from '../templates/mirror.ts';
import { type CatalogEntry, findEvent, supportedEvents } from './catalog.ts';
import {
  type ApprovedTemplate,
  approvedRow,
  categoryOf,
  findConfiguredNumber,
  findTemplate,
  keptWords,
  languagesOf,
  missingNumberMessage,
  senderOf,
  templateContent,
  windowOf,
} from './outgoing.ts';
import type { Draft, Outgoing, SendContext, Transmitter } from './send.ts';
import { type Charge, type Held, heldOf } from './transmitted.ts';
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

export interface NotificationSent extends Held {
  messageId: string;
  channel: 'template' | 'text';
  event: string;
  template: string | null;
  missingVariables: readonly string[];
  charge: Charge;
}

const unknownEvent = (event: string) => {
  const didYouMean = nearest(event, supportedEvents);
  return new AppError('event.unknown', `Unknown event: ${event.slice(0, 100)}`, {
    supportedEvents,
    ...(didYouMean !== undefined && { didYouMean }),
  });
};

interface Deps {
  lookups: Lookups;
  contacts: Contacts;
  mirror: Mirror;
  provider: Provider;
  transmitter: Transmitter;
  secrets: Secrets;
  clock: Clock;
}

/** What was found for a request: channel and template decide the price. */
interface Route {
  number: NumberRecord | undefined;
  row: ApprovedTemplate | undefined;
  isText: boolean;
  /** As asked for. */
  language: string;
  accountId: string;
  /** The templates of the event's name, in all languages. */
  rows: readonly ApprovedTemplate[];
}

const outgoingOf = (
  { secrets }: Deps,
  { phoneNumberId, slot }: NotificationRequest,
  entry: CatalogEntry,
  route: Route,
  content: Content,
): Outgoing | AppError => {
  const { number, row, isText } = route;
  if (!number) return new AppError('number.none', missingNumberMessage(phoneNumberId));
  if (!isText && !row) return notApproved(entry, route);
  const details = { event: entry.event, template: isText ? null : entry.templateName };
  return { sender: senderOf(number, secrets), content, details, slot };
};

const draftOf = (
  deps: Deps,
  request: NotificationRequest,
  entry: CatalogEntry,
  route: Route,
  parameters: string[],
): Draft => {
  const { number, row, isText, language } = route;
  const text = renderPreview(entry, parameters);
  const content = isText
    ? { type: 'text' as const, body: text, previewUrl: false }
    : templateContent(entry, row, language, parameters);
  const category = categoryOf(isText, row, entry);
  const intent: Intent = {
    phoneNumberId: number?.phoneNumberId ?? null,
    to: parseContact(request.to),
    source: request.source ?? 'notification',
    event: entry.event,
    ...keptWords(entry, content, { category, text, parameters }),
    contextMessageId: null,
    clientReference: request.clientReference ?? null,
  };
  const outgoing = outgoingOf(deps, request, entry, route, content);
  return { category, reason: request.reason ?? entry.event, intent, outgoing };
};

export const createNotifications = (deps: Deps) => {
  const { lookups, provider, transmitter, clock } = deps;

  const windowIsOpen = async (number: NumberRecord, to: string, context: SendContext) => {
    const closesAt = await windowOf(deps, number, parseContact(to), context);
    return closesAt !== null && closesAt > clock.now();
  };

  return {
    /** Sends one notification; throws the refusals of contract 4.7. */
    async send(request: NotificationRequest, context: SendContext): Promise<NotificationSent> {
      const { event, to, phoneNumberId, allowTextFallback = false } = request;
      const entry = findEvent(event);
      if (!entry) throw unknownEvent(event);
      const { accountId } = context;
      const language = request.languageCode ?? entry.language;
      const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
      let rows: readonly ApprovedTemplate[] = [];
      const choose = (found: readonly ApprovedTemplate[]) => {
        rows = found;
        return approvedRow(rows, language, accountId);
      };
      const row = number && (await findTemplate(deps, number, entry.templateName, choose, context));
      const mayBeText = !!number && !row && allowTextFallback;
      const isText = mayBeText && (await windowIsOpen(number, to, context));
      const { parameters, missingVariables } = fillVariables(entry, request.variables);
      const route = { number, row, isText, language, accountId, rows };
      const draft = draftOf(deps, request, entry, route, parameters);
      const { messageId, charge, outline, ...held } = await transmitter.transmit(draft, context);
      // An earlier run of the same request may have gone the other way.
      const asText = outline.content.type === 'text';
      return {
        messageId,
        charge,
        channel: asText ? 'text' : 'template',
        event: entry.event,
        template: asText ? null : entry.templateName,
        missingVariables,
        ...heldOf(held),
      };
    },

    /**
     * Waits for a slot in the pace of the number that a request goes out from. Resolves to `none`
     * when the time or the signal ended the wait, and to undefined when there is no such number.
     */
    async takeSlot(
      { phoneNumberId }: Pick<NotificationRequest, 'phoneNumberId'>,
      { accountId }: Pick<SendContext, 'accountId'>,
      limits: { withinMs: number; signal: AbortSignal },
    ): Promise<Slot | 'none' | undefined> {
      const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
      return number && ((await provider.takeSlot(number, limits)) ?? 'none');
    },
  };
};

export type Notifications = ReturnType<typeof createNotifications>;

const notApproved = (
  { event, templateName }: CatalogEntry,
  { language, accountId, rows }: Route,
) => {
  const approvedLanguages = languagesOf(rows, accountId);
  return new AppError(
    'template.not_approved',
    `No approved template for ${event} on this number: submit the catalog and wait for approval`,
    {
      event,
      templateName,
      language,
      approvedLanguages,
      ...(approvedLanguages.length > 0 && {
        hint: `Ask for a language that is approved: ${approvedLanguages.join(', ')}.`,
      }),
    },
  );
};
