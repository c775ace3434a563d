import type { TemplateCategory } from '../../events/category.ts';
import { parseContact } from '../../events/contact.ts';
import type { Content, Intent } from '../../events/content.ts';
import type { DirectSendBar } from '../../events/phone.ts';
import type { Provider, Sender, Slot } from '../../provider/provider.ts';
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
  languagesOf,
  MASKED,
  missingNumberMessage,
  senderOf,
  templateContent,
  windowOf,
} from './outgoing.ts';
import type { Draft, Outgoing, SendContext, Transmitter } from './send.ts';
import type { Charge, Held } from './transmitted.ts';
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
  bound?: Draft['bound'];
  /** The job that sends it. */
  jobId?: string;
}

interface NotificationSent extends Held {
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

/** What a send of an event needs beside its recipient and its variables. */
interface Plan {
  accountId: string;
  entry: CatalogEntry;
  /** As asked for. */
  language: string;
  number: NumberRecord | undefined;
  sender: Sender | undefined;
  /** The templates of the event's name, in all languages. */
  rows: readonly ApprovedTemplate[];
  /** The one that goes out. */
  row: ApprovedTemplate | undefined;
  /** The provider's category of the template, else the catalog's. */
  category: TemplateCategory;
  /** The content of the template, but for the parameters. */
  template: ReturnType<typeof templateContent>;
}

/** How it goes out, and what keeps it from going out without a template where the account allows that. */
interface Way {
  channel: Channel;
  bar?: DirectSendBar['state'] | undefined;
}

const contentOf = (
  { entry, template }: Plan,
  { channel }: Way,
  parameters: readonly string[],
): Content =>
  channel === 'template'
    ? { ...template, parameters: [...parameters] }
    : { type: 'text', body: renderPreview(entry, parameters), previewUrl: false };

const outgoingOf = (
  { phoneNumberId, slot }: NotificationRequest,
  plan: Plan,
  way: Way,
  content: Content,
): Outgoing | AppError => {
  const { sender, entry, row } = plan;
  if (!sender) return new AppError('number.none', missingNumberMessage(phoneNumberId));
  const isTemplate = way.channel === 'template';
  if (isTemplate && !row) return notApproved(plan, way);
  const details = { event: entry.event, template: isTemplate ? entry.templateName : null };
  const outgoing = { sender, content, details, slot };
  return way.channel === 'direct' && content.type === 'text'
    ? { ...outgoing, direct: directOf(entry, content.body) }
    : outgoing;
};

const draftOf = (
  request: NotificationRequest,
  plan: Plan,
  way: Way,
  parameters: readonly string[],
): Draft => {
  const { entry, number, category } = plan;
  const content = contentOf(plan, way, parameters);
  const isCode = entry.category === 'AUTHENTICATION' || category === 'AUTHENTICATION';
  const intent: Intent = {
    phoneNumberId: number?.phoneNumberId ?? null,
    to: parseContact(request.to),
    source: request.source ?? 'notification',
    event: entry.event,
    content: isCode
      ? contentOf(
          plan,
          way,
          parameters.map(() => MASKED),
        )
      : content,
    contextMessageId: null,
    clientReference: request.clientReference ?? null,
    ...(way.channel === 'direct' && { direct: true as const }),
    ...(request.jobId !== undefined && { jobId: request.jobId }),
  };
  const outgoing = outgoingOf(request, plan, way, content);
  const { reason = entry.event, quoted, bound } = request;
  return {
    category: way.channel === 'text' ? 'SERVICE' : category,
    reason,
    intent,
    outgoing,
    quoted,
    bound,
  };
};

const TEMPLATE: Way = { channel: 'template' };

export const createNotifications = (deps: Deps) => {
  const { lookups, provider, transmitter, directSends, clock } = deps;

  const windowIsOpen = async (number: NumberRecord, to: string, context: SendContext) => {
    const closesAt = await windowOf(deps, number, parseContact(to), context);
    return closesAt !== null && closesAt > clock.now();
  };

  const plans = lookups.memo<Plan>(({ row }) => row !== undefined);

  const makePlan = async (
    { event, phoneNumberId, languageCode }: NotificationRequest,
    context: SendContext,
  ): Promise<Plan> => {
    const { accountId } = context;
    const entry = findEvent(event);
    if (!entry) throw unknownEvent(event);
    const language = languageCode ?? entry.language;
    const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
    let rows: readonly ApprovedTemplate[] = [];
    const choose = (found: readonly ApprovedTemplate[]) => {
      rows = found;
      return approvedRow(rows, language, accountId);
    };
    const row = number && (await findTemplate(deps, number, entry.templateName, choose, context));
    const template = templateContent(entry, row, language);
    const sender = number && senderOf(number, deps.secrets);
    const category = categoryOf(row, entry);
    return { accountId, entry, language, number, sender, rows, row, category, template };
  };

  /** What is kept has no blank in the names under which it was found. */
  const planOf = (request: NotificationRequest, context: SendContext) => {
    const { event, languageCode = '', phoneNumberId = '' } = request;
    return plans(`${context.accountId} ${event} ${languageCode} ${phoneNumberId}`, () =>
      makePlan(request, context),
    );
  };

  /**
   * Sends an event that has no approved template: without one where the account may, else as its text in
   * an open window, else not.
   */
  const sendWithout = async (
    request: NotificationRequest,
    plan: Plan & { number: NumberRecord },
    parameters: readonly string[],
    context: SendContext,
  ) => {
    const { entry, number } = plan;
    const draftAs = (way: Way) => draftOf(request, plan, way, parameters);
    const mayBeDirect =
      isDirectEvent(entry, plan.language) && (await sendsDirect(lookups, plan.accountId));
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
    if (isTried) throw notApproved(plan, { channel: 'template', bar });
    return transmitter.transmit(draftAs({ channel: 'template', bar }), context);
  };

  return {
    /** Sends one notification; throws the refusals of contract 4.7. */
    async send(request: NotificationRequest, context: SendContext): Promise<NotificationSent> {
      const planned = planOf(request, context);
      const plan = planned instanceof Promise ? await planned : planned;
      const { entry, number, row } = plan;
      const { parameters, missingVariables } = fillVariables(entry, request.variables);
      const transmitted =
        number && !row
          ? await sendWithout(request, { ...plan, number }, parameters, context)
          : await transmitter.transmit(draftOf(request, plan, TEMPLATE, parameters), context);
      const { outline, recipientWaId: _, ...sent } = transmitted;
      const isTemplate = outline.content.type !== 'text';
      // An earlier run of the same request may have gone the other way.
      const channel = isTemplate ? 'template' : outline.direct ? 'direct' : 'text';
      return {
        ...sent,
        channel,
        event: entry.event,
        template: isTemplate ? entry.templateName : null,
        missingVariables,
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

const notApproved = ({ entry, language, accountId, rows }: Plan, { bar }: Way) => {
  const { event, templateName } = entry;
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
