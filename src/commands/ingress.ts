import { hash } from 'node:crypto';
import { conversationIdOf } from '../events/conversation.ts';
import { StoreUnavailable } from '../events/store.ts';
import { rawOf, type StatusItem, type WebhookItem } from '../provider/webhookItem.ts';
import { readInbound } from './bots/inbound.ts';
import { conversationDecider } from './conversation.ts';
import { deadLetterDecider } from './deadletter.ts';
import type { CommandContext } from './decider.ts';
import type { Writer } from './execute.ts';
import type { Lookups } from './lookups.ts';
import type { NumberLinks } from './number-links.ts';
import { type PhoneNotice, phoneDecider } from './phone.ts';
import { digitsOf } from './recipient.ts';
import type { Statuses } from './statuses.ts';
import { type TemplateNotice, templateDecider, templateIdOf } from './template.ts';

/** A dead letter must fit into one append; what is longer is cut, and its reason says so. */
const RAW_LENGTH_MAX = 250_000;
/** Items that are worked on at a time. */
const PARALLEL_MAX = 64;

/** An item that stands in the dead letters instead: why it could not be taken in. */
class NotTaken extends Error {}

type Of<K extends WebhookItem['kind']> = Extract<WebhookItem, { kind: K }>;

const asWord = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : null;

const nameIn = (contact: Readonly<Record<string, unknown>> | null): string | null => {
  const profile = contact?.profile as { name?: unknown } | undefined;
  return asWord(profile?.name);
};

const noticeIdOf = (item: WebhookItem): string =>
  `notice_${hash('sha256', rawOf(item)).slice(0, 32)}`;

type TemplateItem = Of<'template_status' | 'template_category' | 'template_quality'>;

const wordOf = (item: TemplateItem): Pick<TemplateNotice, 'about' | 'word'> => {
  switch (item.kind) {
    case 'template_status':
      return { about: 'status', word: item.event };
    case 'template_category':
      return { about: 'category', word: item.category };
    case 'template_quality':
      return { about: 'quality', word: item.quality };
  }
};

/** What a notice changes in the mirror; a rating changes nothing there. */
const changeOf = (item: TemplateItem) => {
  if (item.kind === 'template_quality') return null;
  if (item.kind === 'template_category') {
    return { type: 'NoteCategory' as const, category: item.category };
  }
  const { state, metaTemplateId, category } = item;
  if (state === null) return { type: 'NoteRemoval' as const };
  return { type: 'NoteStatus' as const, metaTemplateId, ...state, category };
};

/** Items about one thing are taken in their order; all others side by side. */
const subjectOf = (item: WebhookItem): string => {
  switch (item.kind) {
    case 'status':
    case 'message':
      return `message ${item.messageId}`;
    case 'template_status':
    case 'template_category':
    case 'template_quality':
      return `template ${item.metaTemplateId}`;
    case 'unknown':
      return `raw ${item.raw}`;
    default:
      return `business account ${item.wabaId}`;
  }
};

/**
 * Takes in what the provider tells. Each item stands alone: one that cannot be taken in goes to
 * the dead letters, whole, and the others are none the worse. Taking the same item twice has no
 * second effect.
 */
export const createIngress = (deps: {
  writer: Writer;
  statuses: Statuses;
  lookups: Pick<Lookups, 'number' | 'numbersOfWaba'>;
  links: NumberLinks;
}) => {
  const { writer, statuses, lookups, links } = deps;

  const mustBeLinked = async (phoneNumberId: string) => {
    const number = await lookups.number(phoneNumberId);
    if (!number) throw new NotTaken('the number is not linked');
    return number;
  };

  /** Whose the number is at this moment: what a contact writes to it is of that account alone. */
  const ownerOf = async (phoneNumberId: string): Promise<string> => {
    const link = await links.linkOf(phoneNumberId);
    if (!link) throw new NotTaken('the number is not linked');
    return link.accountId;
  };

  const numbersOf = async (wabaId: string) => {
    const numbers = await lookups.numbersOfWaba(wabaId);
    if (numbers.length === 0) throw new NotTaken('no number of the business account is linked');
    return numbers;
  };

  const takeStatus = async (item: StatusItem, context: CommandContext) => {
    const { accountId } = await mustBeLinked(item.phoneNumberId);
    const { messageId, phoneNumberId, status, recipientWaId, chargeId } = item;
    if (item.at === null) throw new NotTaken('a status without a usable time');
    const { at: statusAt, errorCode, errorMessage, pricing } = item;
    const failure = { errorCode, errorMessage };
    await statuses.record(
      {
        messageId,
        accountId,
        phoneNumberId,
        status,
        statusAt,
        recipientWaId,
        chargeId,
        ...failure,
        pricing,
      },
      { ...context, accountId },
    );
  };

  const takeTemplate = async (item: TemplateItem, context: CommandContext) => {
    await numbersOf(item.wabaId);
    const { wabaId, name, language } = item;
    const identity = { wabaId, name, language };
    const notice = { noticeId: noticeIdOf(item), noticedAt: item.at, ...wordOf(item) };
    const command = { type: 'Notice' as const, identity, notice, change: changeOf(item) };
    await writer.execute(templateDecider, templateIdOf(identity), command, context);
  };

  /** Kept in the number's stream; whoever follows it reads the number again. */
  const note = async (
    { phoneNumberId, accountId }: { phoneNumberId: string; accountId: string },
    item: Of<'phone_quality' | 'phone_name' | 'account_update'>,
    { profile = {}, ...said }: Pick<PhoneNotice, 'about' | 'word'> & { profile?: object },
    context: CommandContext,
  ): Promise<void> => {
    const notice = { phoneNumberId, noticeId: noticeIdOf(item), ...said, noticedAt: item.at };
    const command = { type: 'Notice' as const, phoneNumberId, notice, profile };
    await writer.execute(phoneDecider, phoneNumberId, command, { ...context, accountId });
  };

  const takeNumberNotice = async (
    item: Of<'phone_quality' | 'phone_name'>,
    context: CommandContext,
  ) => {
    const numbers = await numbersOf(item.wabaId);
    const digits = digitsOf(item.displayPhoneNumber);
    const number = numbers.find((one) => digitsOf(one.displayPhoneNumber) === digits);
    if (!number) throw new NotTaken('the number is not linked');
    if (item.kind === 'phone_quality') {
      return note(number, item, { about: 'quality', word: item.event }, context);
    }
    const { decision, verifiedName } = item;
    const profile = decision === 'APPROVED' && verifiedName ? { verifiedName } : {};
    return note(number, item, { about: 'name', word: decision, profile }, context);
  };

  const takeMessage = async (item: Of<'message'>, context: CommandContext) => {
    const number = await mustBeLinked(item.phoneNumberId);
    const accountId = await ownerOf(item.phoneNumberId);
    const { phoneNumberId, messageId, message, contact } = item;
    // A contact who hides the number is known by the provider's own id.
    const waId = item.from ?? asWord(message.from_user_id);
    if (waId === null) throw new NotTaken('a message without its sender');
    if (item.at === null) throw new NotTaken('a message without a usable time');
    const words = readInbound(message, { messageId, revision: 0 })?.text;
    const received = {
      phoneNumberId,
      waId,
      accountId,
      wabaId: item.wabaId ?? number.wabaId,
      displayPhoneNumber: digitsOf(item.displayPhoneNumber ?? number.displayPhoneNumber),
      contact,
      contactName: nameIn(contact),
      messageId,
      messageType: item.type,
      message,
      receivedAt: item.at,
      text: words || null,
    };
    const command = { type: 'Receive' as const, message: received };
    const on = { ...context, accountId };
    const id = conversationIdOf({ accountId, phoneNumberId, waId });
    await writer.execute(conversationDecider, id, command, on);
  };

  const takePreference = async (item: Of<'user_preference'>, context: CommandContext) => {
    const accountId = await ownerOf(item.phoneNumberId);
    const { phoneNumberId, waId, category, value, detail, at } = item;
    if (waId === null) throw new NotTaken('a preference without its contact');
    if (at === null) throw new NotTaken('a preference without a usable time');
    const preference = {
      phoneNumberId,
      waId,
      accountId,
      wabaId: item.wabaId ?? '',
      contactName: null,
      preferenceId: `pref_${hash('sha256', `${waId} ${category} ${value} ${at}`).slice(0, 32)}`,
      category,
      value,
      detail,
      receivedAt: at,
    };
    const command = { type: 'NotePreference' as const, preference };
    const on = { ...context, accountId };
    const id = conversationIdOf({ accountId, phoneNumberId, waId });
    await writer.execute(conversationDecider, id, command, on);
  };

  const take = async (item: WebhookItem, context: CommandContext): Promise<void> => {
    switch (item.kind) {
      case 'status':
        return takeStatus(item, context);
      case 'template_status':
      case 'template_category':
      case 'template_quality':
        return takeTemplate(item, context);
      case 'phone_quality':
      case 'phone_name':
        return takeNumberNotice(item, context);
      case 'account_update':
        for (const number of await numbersOf(item.wabaId)) {
          await note(number, item, { about: 'account', word: item.event }, context);
        }
        return;
      case 'message':
        return takeMessage(item, context);
      case 'user_preference':
        return takePreference(item, context);
      case 'unknown':
        throw new NotTaken(item.reason);
    }
  };

  const keep = async (item: WebhookItem, reason: string, context: CommandContext) => {
    const whole = rawOf(item);
    const deadLetterId = `dl_${hash('sha256', whole).slice(0, 32)}`;
    const raw = whole.slice(0, RAW_LENGTH_MAX);
    const letter = {
      deadLetterId,
      field: item.kind === 'unknown' ? item.field : item.kind,
      wabaId: item.wabaId,
      phoneNumberId: 'phoneNumberId' in item ? item.phoneNumberId : null,
      reason: raw.length === whole.length ? reason : `${reason} (cut: ${whole.length} characters)`,
      raw,
    };
    await writer.execute(deadLetterDecider, deadLetterId, { type: 'Keep', letter }, context);
  };

  /** Only what keeps the item from being stored at all is thrown on: the provider sends it again. */
  const takeOrKeep = async (item: WebhookItem, context: CommandContext): Promise<void> => {
    try {
      await take(item, context);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const reason = error instanceof NotTaken ? error.message : `failed: ${String(error)}`;
      await keep(item, reason.slice(0, 500), context);
    }
  };

  return {
    /** Resolves when every item is durable, one way or the other; throws when one is not. */
    async takeAll(items: readonly WebhookItem[], context: CommandContext): Promise<void> {
      const subjects = [...Map.groupBy(items, subjectOf).values()];
      let failure: unknown;
      for (let start = 0; start < subjects.length; start += PARALLEL_MAX) {
        const running = subjects.slice(start, start + PARALLEL_MAX).map(async (subject) => {
          for (const item of subject) await takeOrKeep(item, context);
        });
        for (const result of await Promise.allSettled(running)) {
          if (result.status === 'rejected') failure ??= result.reason;
        }
      }
      if (failure !== undefined) throw failure;
    },
    /** Tries one again that was kept; resolves to why it still cannot be taken in, or null. */
    async retry(items: readonly WebhookItem[], context: CommandContext): Promise<string | null> {
      for (const item of items) {
        try {
          await take(item, context);
        } catch (error) {
          if (error instanceof StoreUnavailable) throw error;
          return (error instanceof NotTaken ? error.message : String(error)).slice(0, 500);
        }
      }
      return items.length === 0 ? 'nothing in it could be read' : null;
    },
  };
};

export type Ingress = ReturnType<typeof createIngress>;
