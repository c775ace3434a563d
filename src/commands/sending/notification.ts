import { parseContact } from '../../events/contact.ts';
import type { Content, Intent } from '../../events/content.ts';
import type { DirectSendBar } from '../../events/phone.ts';
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
  barHint,
  barOf,
  barredBy,
  type DirectSends,
  directOf,
  isDirectEvent,
  sendsDirect,
} from './direct.ts';
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

/** How an event goes out: as its template, as its text without one (Direct Send), or in an open window. */
export type Channel = 'template' | 'direct' | 'text';

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
  quoted?: Draft['quoted'];
}

export interface NotificationSent extends Held {
  messageId: string;
  channel: Channel;
  event: string;
  template: string | null;
  missingVariables: readonly string[];
  charge: Charge;
}

export const unknownEvent = (event: string) => {
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
  directSends: DirectSends;
  secrets: Secrets;
  clock: Clock;
}

/** What was found for a request: channel and template decide the price. */
interface Route {
  number: NumberRecord | undefined;
  row: ApprovedTemplate | undefined;
  channel: Channel;
  /** Why it does not go out without a template, where the account allows that. */
  bar?: DirectSendBar['state'] | undefined;
  /** As asked for. */
  language: string;
  accountId: string;
  /** The templates of the event's name, in all languages. */
  rows: readonly ApprovedTemplate[];
}

/** A request whose event has no approved template on the number. */
interface Untemplated {
  request: NotificationRequest;
  entry: CatalogEntry;
  number: NumberRecord;
  route: Route;
  parameters: string[];
}

const outgoingOf = (
  { secrets }: Deps,
  { phoneNumberId, slot }: NotificationRequest,
  entry: CatalogEntry,
  route: Route,
  content: Content,
): Outgoing | AppError => {
  const { number, row, channel } = route;
  if (!number) return new AppError('number.none', missingNumberMessage(phoneNumberId));
  const isTemplate = channel === 'template';
  if (isTemplate && !row) return notApproved(entry, route);
  const details = { event: entry.event, template: isTemplate ? entry.templateName : null };
  const outgoing = { sender: senderOf(number, secrets), content, details, slot };
  return channel === 'direct' && content.type === 'text'
    ? { ...outgoing, direct: directOf(entry, content.body) }
    : outgoing;
};

const draftOf = (
  deps: Deps,
  request: NotificationRequest,
  entry: CatalogEntry,
  route: Route,
  parameters: string[],
): Draft => {
  const { number, row, channel, language } = route;
  const text = renderPreview(entry, parameters);
  const content =
    channel === 'template'
      ? templateContent(entry, row, language, parameters)
      : { type: 'text' as const, body: text, previewUrl: false };
  const category = categoryOf(channel === 'text', row, entry);
  const intent: Intent = {
    phoneNumberId: number?.phoneNumberId ?? null,
    to: parseContact(request.to),
    source: request.source ?? 'notification',
    event: entry.event,
    ...keptWords(entry, content, { category, text, parameters }),
    contextMessageId: null,
    clientReference: request.clientReference ?? null,
    ...(channel === 'direct' && { direct: true as const }),
  };
  const outgoing = outgoingOf(deps, request, entry, route, content);
  const { reason = entry.event, quoted } = request;
  return { category, reason, intent, outgoing, quoted };
};

export const createNotifications = (deps: Deps) => {
  const { lookups, provider, transmitter, directSends, clock } = deps;

  const windowIsOpen = async (number: NumberRecord, to: string, context: SendContext) => {
    const closesAt = await windowOf(deps, number, parseContact(to), context);
    return closesAt !== null && closesAt > clock.now();
  };

  /**
   * Sends an event that has no approved template: without one where the account may, else as its text in
   * an open window, else not.
   */
  const sendWithout = async (
    { request, entry, number, route, parameters }: Untemplated,
    context: SendContext,
  ) => {
    const draftAs = (way: Pick<Route, 'channel' | 'bar'>) =>
      draftOf(deps, request, entry, { ...route, ...way }, parameters);
    const mayBeDirect =
      isDirectEvent(entry, route.language) && (await sendsDirect(lookups, route.accountId));
    let bar = mayBeDirect ? barOf(number, clock.now())?.state : undefined;
    const isTried = mayBeDirect && !bar;
    if (isTried) {
      try {
        return await directSends.transmit(draftAs({ channel: 'direct' }), number, context);
      } catch (error) {
        bar = barredBy(error);
        if (!bar) throw error;
      }
    }
    const { allowTextFallback = false, to } = request;
    if (allowTextFallback && (await windowIsOpen(number, to, context))) {
      return transmitter.transmit(draftAs({ channel: 'text' }), context);
    }
    // The ledger has both rows of the refused try already.
    if (isTried) throw notApproved(entry, { ...route, bar });
    return transmitter.transmit(draftAs({ channel: 'template', bar }), context);
  };

  return {
    /** Sends one notification; throws the refusals of contract 4.7. */
    async send(request: NotificationRequest, context: SendContext): Promise<NotificationSent> {
      const { event, phoneNumberId } = request;
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
      const { parameters, missingVariables } = fillVariables(entry, request.variables);
      const route: Route = { number, row, channel: 'template', language, accountId, rows };
      const transmitted =
        number && !row
          ? await sendWithout({ request, entry, number, route, parameters }, context)
          : await transmitter.transmit(draftOf(deps, request, entry, route, parameters), context);
      const { messageId, charge, outline, ...held } = transmitted;
      const isTemplate = outline.content.type !== 'text';
      // An earlier run of the same request may have gone the other way.
      const channel = isTemplate ? 'template' : outline.direct ? 'direct' : 'text';
      return {
        messageId,
        charge,
        channel,
        event: entry.event,
        template: isTemplate ? entry.templateName : null,
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
      limits: { withinMs: number; signal: AbortSignal; rank?: number | undefined },
    ): Promise<Slot | 'none' | undefined> {
      const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
      return number && ((await provider.takeSlot(number, limits)) ?? 'none');
    },
  };
};

export type Notifications = ReturnType<typeof createNotifications>;

const notApproved = (
  { event, templateName }: CatalogEntry,
  { language, accountId, rows, bar }: Route,
) => {
  const approvedLanguages = languagesOf(rows, accountId);
  const other =
    approvedLanguages.length > 0
      ? `Ask for a language that is approved: ${approvedLanguages.join(', ')}.`
      : undefined;
  const hint = bar ? barHint(bar) : other;
  return new AppError(
    'template.not_approved',
    `No approved template for ${event} on this number: submit the catalog and wait for approval`,
    {
      event,
      templateName,
      language,
      approvedLanguages,
      ...(hint && { hint }),
    },
  );
};
