import { hash } from 'node:crypto';
import { conversationIdOf } from '../../events/conversation.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { asId } from '../../provider/shape.ts';
import { rawOf, type StatusItem, type WebhookItem } from '../../provider/webhook/item.ts';
import type { Clock } from '../../shared/clock.ts';
import { readInbound } from '../bots/inbound.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { NumberLinks } from '../numbers/number-links.ts';
import { messageDecider } from '../sending/message.ts';
import { digitsOf } from '../sending/recipient.ts';
import { conversationDecider } from './conversation.ts';
import type { DeadLetters } from './dead-letters.ts';
import { createNotices } from './ingress-notices.ts';
import { Rejected } from './rejected.ts';
import type { Statuses } from './statuses.ts';

/** How many subjects are ingested at a time. */
const PARALLEL_MAX = 64;

type Of<K extends WebhookItem['kind']> = Extract<WebhookItem, { kind: K }>;

const asWord = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200).toWellFormed() : null;

const nameIn = (contact: Readonly<Record<string, unknown>> | null): string | null => {
  const profile = contact?.profile as { name?: unknown } | undefined;
  return asWord(profile?.name);
};

/** How far the provider's clock, which counts in seconds, may be behind ours. */
const CLOCKS_APART_MS_MAX = 10_000;

const beforeLink = () =>
  new Rejected('before_link', 'from before the number was linked to this account');
const notLinked = () => new Rejected('not_linked', 'the number is not linked');
const notHandled = (reason: string) => new Rejected('not_handled', reason);
const unreadable = (reason: string) => new Rejected('unreadable', reason);

/** Items of one subject are ingested in order, those of different subjects in parallel. */
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
 * Ingests what the provider reports, each item on its own: an item that cannot be ingested becomes a
 * dead letter, whole, and does not affect the others. Ingesting an item twice has no second effect.
 */
export const createIngress = (deps: {
  writer: Writer;
  statuses: Statuses;
  deadLetters: DeadLetters;
  lookups: Pick<Lookups, 'number' | 'numbersOfWaba'>;
  links: NumberLinks;
  clock: Clock;
}) => {
  const { writer, statuses, deadLetters, lookups, links, clock } = deps;
  const takeNotice = createNotices(deps);

  const mustBeLinked = async (phoneNumberId: string) => {
    const number = await lookups.number(phoneNumberId);
    if (!number) throw notLinked();
    return number;
  };

  /**
   * The account that holds the number now. What a contact writes to it belongs to that account, unless it
   * was written before this link and another account has held the number.
   */
  const ownerOf = async (phoneNumberId: string, writtenAt: string | null): Promise<string> => {
    const number = await mustBeLinked(phoneNumberId);
    const link = await links.linkOf(phoneNumberId);
    if (!link) throw notLinked();
    const { accountId } = link;
    if (!link.moved || writtenAt === null) return accountId;
    // A look-up that does not show the link yet is moments behind it.
    const linkedAt = number.accountId === accountId ? Date.parse(number.linkedAt) : clock.now();
    if (Date.parse(writtenAt) < linkedAt - CLOCKS_APART_MS_MAX) throw beforeLink();
    return accountId;
  };

  const takeStatus = async (item: StatusItem, context: CommandContext) => {
    const { accountId } = await mustBeLinked(item.phoneNumberId);
    const { messageId, phoneNumberId, status, recipientWaId, chargeId } = item;
    if (item.at === null) throw unreadable('a status without a usable time');
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
      context,
    );
  };

  const takeMessage = async (item: Of<'message'>, context: CommandContext) => {
    const number = await mustBeLinked(item.phoneNumberId);
    const accountId = await ownerOf(item.phoneNumberId, item.at);
    const { phoneNumberId, messageId, message, contact } = item;
    // A contact who hides the number is known by the provider's own id.
    const waId = item.from ?? asId(message.from_user_id);
    if (waId === null) throw unreadable('a message without its sender');
    if (item.at === null) throw unreadable('a message without a usable time');
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
    // The id first, for one account and number: it must not reach another account's message.
    const claim = {
      type: 'ClaimInboundId' as const,
      owner: { messageId, accountId, phoneNumberId },
    };
    await writer.execute(messageDecider, messageId, claim, on, { assumeNew: true });
    const id = conversationIdOf({ accountId, phoneNumberId, waId });
    await writer.execute(conversationDecider, id, command, on);
  };

  const takePreference = async (item: Of<'user_preference'>, context: CommandContext) => {
    const accountId = await ownerOf(item.phoneNumberId, item.at);
    const { phoneNumberId, waId, category, value, detail, at } = item;
    if (waId === null) throw unreadable('a preference without its contact');
    if (at === null) throw unreadable('a preference without a usable time');
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
      case 'message':
        return takeMessage(item, context);
      case 'user_preference':
        return takePreference(item, context);
      case 'unknown':
        throw item.reason.startsWith('not handled')
          ? notHandled(item.reason)
          : unreadable(item.reason);
      default:
        return takeNotice(item, context);
    }
  };

  const keep = (item: WebhookItem, error: unknown, context: CommandContext) =>
    deadLetters.keep(
      {
        field: item.kind === 'unknown' ? item.field : item.kind,
        wabaId: item.wabaId,
        phoneNumberId: 'phoneNumberId' in item ? item.phoneNumberId : null,
        raw: rawOf(item),
        error,
      },
      context,
    );

  /** Throws only when the item cannot be stored at all: then the provider sends it again. */
  const takeOrKeep = async (item: WebhookItem, context: CommandContext): Promise<void> => {
    try {
      await take(item, context);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      await keep(item, error, context);
    }
  };

  return {
    /** Resolves when every item is stored, as events or as a dead letter. Throws when one is not. */
    async ingestAll(items: readonly WebhookItem[], context: CommandContext): Promise<void> {
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
    /** Tries the items of a dead letter again. Resolves to the reason why one is still rejected, or null. */
    async retry(items: readonly WebhookItem[], context: CommandContext): Promise<string | null> {
      for (const item of items) {
        try {
          await take(item, context);
        } catch (error) {
          if (error instanceof StoreUnavailable) throw error;
          return (error instanceof Rejected ? error.message : String(error)).slice(0, 500);
        }
      }
      return items.length === 0 ? 'nothing in it could be read' : null;
    },
  };
};

export type Ingress = ReturnType<typeof createIngress>;
