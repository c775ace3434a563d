import { parseContact } from '../../events/contact.ts';
import type { Intent } from '../../events/content.ts';
import type { ProviderRefusal, Slot } from '../../provider/provider.ts';
import type { Direct } from '../../provider/rules/direct-send.ts';
import type { BuiltContent } from '../../provider/rules/message-types.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';
import { categoryOfTemplate, DEAREST } from '../pricing/template-category.ts';
import type { Mirror } from '../templates/mirror.ts';
import { isVisibleTo } from '../templates/template-owner.ts';
import type { DirectSends } from './direct.ts';
import {
  type FoundTemplate,
  findConfiguredNumber,
  findTemplate,
  keptContent,
  missingNumberMessage,
  senderOf,
  windowOf,
} from './outgoing.ts';
import type { Draft, Outgoing, SendContext, Transmitter } from './send.ts';
import { sendFailed } from './send-errors.ts';
import type { Charge, Held } from './transmitted.ts';

/** A message that the caller built (contract 4.10). Only the provider checks its content. */
export interface PassThroughRequest {
  to: string;
  content: BuiltContent;
  phoneNumberId?: string | undefined;
  contextMessageId?: string | undefined;
  clientReference?: string | undefined;
  source?: 'api' | 'bot' | 'gateway';
  /** Makes it a message without a template outside the window, where the account may. */
  direct?: Direct | null | undefined;
  /** Instead of the number's own. */
  messagingAccountId?: string | undefined;
  /** A slot in the number's pace that was waited for already. */
  slot?: Slot | undefined;
  /** The ledger's reason; for a template `template:<name>` when absent. */
  reason?: string;
  quoted?: Draft['quoted'];
}

export interface PassThroughSent extends Held {
  messageId: string;
  to: string;
  phoneNumberId: string;
  charge: Charge;
  /** The provider's id of the recipient; absent where it named none. */
  recipientWaId?: string | null | undefined;
}

/** The provider's refusal of a template that it does not have. */
const unknownTemplate = (of: { name: string; language: string }): ProviderRefusal => ({
  code: 132001,
  subcode: null,
  message: `template name (${of.name}) does not exist in ${of.language}`,
  httpStatus: 404,
});

interface Deps {
  lookups: Lookups;
  contacts: Contacts;
  mirror: Mirror;
  transmitter: Transmitter;
  directSends: DirectSends;
  secrets: Secrets;
  clock: Clock;
}

/** What was found for a request. */
interface Route {
  number: NumberRecord | undefined;
  /** The template that goes out, where it is known. */
  row: FoundTemplate | undefined;
  /** The refusal where the window is closed. */
  closed: AppError | undefined;
}

/** Refuses a free-form message outside the 24-hour window. */
const closedWindow = async (
  deps: Deps,
  number: NumberRecord,
  to: string,
  context: SendContext,
): Promise<AppError | undefined> => {
  const closesAt = await windowOf(deps, number, to, context);
  if (closesAt !== null && closesAt > deps.clock.now()) return undefined;
  return new AppError(
    'message.window_closed',
    'The 24-hour window of this customer is closed: only a template can be sent',
    { windowExpiredAt: closesAt === null ? null : isoTime(closesAt) },
  );
};

const draftOf = (
  { secrets }: Deps,
  request: PassThroughRequest,
  accountId: string,
  { number, row, closed }: Route,
): Draft => {
  const { content, phoneNumberId, direct, slot } = request;
  const template = content.type === 'template' ? content : null;
  const known = row && categoryOfTemplate(row);
  // Another account's template is refused like an unknown one, at the price of an unknown one.
  const hidden = row && !isVisibleTo(accountId, row) ? template : null;
  const details = { type: content.type, template: template?.name ?? null };
  const outgoing = (): Outgoing | AppError => {
    if (!number) return new AppError('number.none', missingNumberMessage(phoneNumberId));
    if (hidden) return sendFailed(unknownTemplate(hidden), details);
    if (closed) return closed;
    const { messagingAccountId = number.messagingAccountId } = request;
    const sender = { ...senderOf(number, secrets), messagingAccountId };
    return { sender, content, details, slot, ...(direct && { direct }) };
  };
  const category = direct ? categoryOfTemplate(direct) : known;
  const intent: Intent = {
    phoneNumberId: number?.phoneNumberId ?? null,
    to: parseContact(request.to),
    source: request.source ?? 'api',
    event: null,
    content: keptContent(content, category),
    contextMessageId: request.contextMessageId ?? null,
    clientReference: request.clientReference ?? null,
    ...(direct && { direct: true as const }),
  };
  return {
    category: template || direct ? ((hidden ? null : category) ?? DEAREST) : 'SERVICE',
    reason: request.reason ?? (template ? `template:${template.name}` : content.type),
    intent,
    outgoing: outgoing(),
    quoted: request.quoted,
  };
};

export const createPassThrough = (deps: Deps) => ({
  /** Sends one message; throws the refusals of contract 4.10. */
  async send(request: PassThroughRequest, context: SendContext): Promise<PassThroughSent> {
    const { content } = request;
    const { accountId } = context;
    const to = parseContact(request.to);
    const number = await findConfiguredNumber(deps.lookups, accountId, request.phoneNumberId);
    const route: Route = { number, row: undefined, closed: undefined };
    if (number && content.type === 'template') {
      const { name, language } = content;
      const choose = (rows: readonly FoundTemplate[]) =>
        rows.find((row) => row.name === name && row.language === language);
      route.row = await findTemplate(deps, number, name, choose, context);
    } else if (number && request.direct) await deps.directSends.mustBeAllowed(number);
    else if (number) route.closed = await closedWindow(deps, number, to, context);
    const draft = draftOf(deps, request, accountId, route);
    const { outline, ...sent } =
      number && request.direct
        ? await deps.directSends.transmit(draft, number, context)
        : await deps.transmitter.transmit(draft, context);
    return { ...sent, to, phoneNumberId: outline.phoneNumberId ?? '' };
  },
});

export type PassThrough = ReturnType<typeof createPassThrough>;
