import type { Category, Content, Intent } from '../../events/content.ts';
import type { ProviderRefusal } from '../../provider/provider.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Lookups, NumberRecord, TemplateRow } from '../core/lookups.ts';
import { categoryOfTemplate, DEAREST } from '../pricing/template-category.ts';
import type { Mirror } from '../templates/mirror.ts';
import { isVisibleTo } from '../templates/template-owner.ts';
import { keptContent } from './kept-content.ts';
import { recipientDigits } from './recipient.ts';
import { sendFailed } from './send-errors.ts';
import { findConfiguredNumber, missingNumberMessage, senderOf } from './senders.ts';
import type { SendContext, Transmitter } from './transmit.ts';
import type { Charge } from './transmitted.ts';

/** A message that the caller built (contract 4.10). Its content is checked by nobody but the provider. */
export interface PassThroughRequest {
  to: string;
  content: Exclude<Content, { type: 'notification' }>;
  phoneNumberId?: string | undefined;
  contextMessageId?: string | undefined;
  clientReference?: string | undefined;
  source?: 'api' | 'bot';
  /** The ledger's reason; for a template `template:<name>` when absent. */
  reason?: string;
}

export interface PassThroughSent {
  messageId: string;
  to: string;
  phoneNumberId: string;
  charge: Charge;
}

/** What the history shows as the text of a message, where it has one. */
const textOf = (content: Content): string | null => {
  switch (content.type) {
    case 'text':
      return content.body;
    case 'media':
      return content.caption ?? null;
    case 'interactive': {
      const { body } = content.interactive as { body?: { text?: unknown } };
      return typeof body?.text === 'string' ? body.text : null;
    }
    default:
      return null;
  }
};

/** What the provider says of a template that it does not have. */
const unknownTemplate = (of: { name: string; language: string }): ProviderRefusal => ({
  code: 132001,
  subcode: null,
  message: `template name (${of.name}) does not exist in ${of.language}`,
  httpStatus: 404,
});

export const createPassThrough = (deps: {
  lookups: Lookups;
  mirror: Mirror;
  transmitter: Transmitter;
  secrets: Secrets;
  clock: Clock;
}) => {
  const { lookups, mirror, transmitter, secrets, clock } = deps;

  /** The template from the local mirror, else from one live read; undefined where neither knows it. */
  const findTemplate = async (
    content: Extract<Content, { type: 'template' }>,
    number: NumberRecord,
    context: SendContext,
  ): Promise<Pick<TemplateRow, 'category' | 'accountId'> | undefined> => {
    const { signal: _, ...commandContext } = context;
    const known = await lookups.templates(number.wabaId, content.name);
    const sameLanguage = (row: { language: string }) => row.language === content.language;
    const readLive = async () => {
      const sender = senderOf(number, secrets);
      const seen = await mirror.readName(sender, content.name, commandContext);
      // Somebody else's read may have brought it since this send looked, on another instance also.
      return seen ?? (await lookups.templates(number.wabaId, content.name, { fresh: true }));
    };
    return (
      known.find(sameLanguage) ??
      (await readLive()).find((one) => one.name === content.name && sameLanguage(one))
    );
  };

  /** Why this cannot be sent, as far as it is known before anything is reserved. */
  const refusalOf = async (
    number: NumberRecord | undefined,
    to: string,
    { phoneNumberId, content }: PassThroughRequest,
  ): Promise<AppError | undefined> => {
    if (!number) return new AppError('number.none', missingNumberMessage(phoneNumberId));
    return content.type === 'template' ? undefined : closedWindow(number, to);
  };

  const closedWindow = async (number: NumberRecord, to: string): Promise<AppError | undefined> => {
    const { accountId, phoneNumberId } = number;
    const expiresAt = await lookups.windowExpiresAt({ accountId, phoneNumberId, waId: to });
    if (expiresAt !== null && expiresAt > clock.now()) return undefined;
    return new AppError(
      'message.window_closed',
      'The 24-hour window of this customer is closed: only a template can be sent',
      { windowExpiredAt: expiresAt === null ? null : isoTime(expiresAt) },
    );
  };

  /** Sends one message; throws the refusals of contract 4.10. */
  const send = async (
    request: PassThroughRequest,
    context: SendContext,
  ): Promise<PassThroughSent> => {
    const { content } = request;
    const { accountId } = context;
    const to = recipientDigits(request.to);
    const number = await findConfiguredNumber(lookups, accountId, request.phoneNumberId);
    const template = content.type === 'template' ? content.name : null;
    const found =
      number && content.type === 'template'
        ? await findTemplate(content, number, context)
        : undefined;
    const known = found && categoryOfTemplate(found);
    // Another account's template is as one that is not there: nothing shows, not even its price.
    const hidden =
      found && content.type === 'template' && !isVisibleTo(accountId, found) ? content : undefined;
    const category: Category = template === null ? 'SERVICE' : ((hidden ? null : known) ?? DEAREST);
    const intent: Intent = {
      phoneNumberId: number?.phoneNumberId ?? null,
      wabaId: number?.wabaId ?? null,
      to,
      source: request.source ?? 'api',
      event: null,
      content: keptContent(content, known),
      text: textOf(content),
      contextMessageId: request.contextMessageId ?? null,
      clientReference: request.clientReference ?? null,
    };
    const reason = request.reason ?? (template === null ? content.type : `template:${template}`);
    const type = content.type === 'media' ? content.mediaType : content.type;
    const details = { type, template };
    const refused = hidden
      ? sendFailed(unknownTemplate(hidden), details)
      : await refusalOf(number, to, request);
    const outgoing = refused ?? { sender: senderOf(number!, secrets), content, details };
    const sent = await transmitter.transmit({ category, reason, intent, outgoing }, context);
    const { messageId, charge, intent: went } = sent;
    return { messageId, charge, to, phoneNumberId: went.phoneNumberId ?? '' };
  };

  return { send };
};

export type PassThrough = ReturnType<typeof createPassThrough>;
