import { hash } from 'node:crypto';
import { type Bucket, newBucket, takeToken } from '../graph/number-throttle.ts';
import { readReceipt, readSentMessage, type SentMessage } from '../rules/sent-message.ts';
import { asRecord, asText, type Json } from '../shape.ts';
import { billingOf } from './analytics.ts';
import { type GraphAnswer, graphError, ok, refusedWith } from './answers.ts';
import { isBlocked } from './business.ts';
import { recipientOf } from './contacts.ts';
import { checkFileOf } from './media.ts';
import { magicRecipients, type Scenario, scenarios } from './scenarios.ts';
import { type CallEnding, endingOf, type Outgoing, type Statuses } from './statuses.ts';
import { checkTemplateSend } from './template-checks.ts';
import { generatedTemplate } from './templates.ts';
import {
  logSend,
  remember,
  type SimulatedNumber,
  takeFault,
  templatesFor,
  type World,
} from './world.ts';

const PAIR_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** The provider's rate limits. */
const createLimits = ({ settings, clock }: World) => {
  const buckets = new Map<string, Bucket>();
  const pairs = new Map<string, number[]>();

  const isTooFast = ({ phoneNumberId, messagesPerSecond }: SimulatedNumber): boolean => {
    if (messagesPerSecond === null) return false;
    const bucket = buckets.get(phoneNumberId) ?? newBucket();
    remember(buckets, phoneNumberId, bucket);
    return takeToken(bucket, messagesPerSecond, clock.now(), clock.now()) === null;
  };

  const isPairTooFast = ({ phoneNumberId }: SimulatedNumber, to: string): boolean => {
    if (!settings.pairLimit) return false;
    const key = `${phoneNumberId} ${to}`;
    const recent = (pairs.get(key) ?? []).filter((at) => at > clock.now() - MINUTE_MS);
    remember(pairs, key, [...recent, clock.now()]);
    return recent.length >= PAIR_PER_MINUTE;
  };

  return (number: SimulatedNumber, to: string): GraphAnswer | undefined => {
    if (isTooFast(number)) return graphError(130429, { details: 'Message failed to send.' });
    return isPairTooFast(number, to) ? graphError(131056) : undefined;
  };
};

interface Named {
  /** The customer's digits, or user id. */
  contact: string;
  phoneNumberId: string;
  direction: 'inbound' | 'outbound';
}

/** The bytes that precede the random part, which is 20 or 18 hexadecimal digits long. */
const FORMS = {
  inbound: { mark: 0x12, digits: 20 },
  outbound: { mark: 0x11, digits: 18 },
} as const;

/** A new id of a message as the provider makes them: base64 of bytes that hold the customer's number. */
export const newMessageId = (
  { clock, nextId }: Pick<World, 'clock' | 'nextId'>,
  { contact, phoneNumberId, direction }: Named,
): string => {
  const { mark, digits } = FORMS[direction];
  const unique = hash('sha256', `${phoneNumberId} ${contact} ${clock.now()} ${nextId()}`);
  const bytes = Buffer.concat([
    Buffer.of(0x1c, 0x18, contact.length),
    Buffer.from(contact),
    Buffer.of(0x15, 0x02, 0x00, mark, 0x18, digits),
    Buffer.from(unique.slice(0, digits).toUpperCase()),
    Buffer.of(0x00),
  ]);
  return `wamid.${bytes.toString('base64')}`;
};

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** The fault of the number wins over the scenario of the recipient. */
const scenarioFor = (
  world: World,
  { phoneNumberId }: SimulatedNumber,
  to: string,
  chargeId: string | null,
): Scenario => {
  const fault = takeFault(world, phoneNumberId);
  if (fault) return scenarios[fault];
  const scenario: Scenario = scenarios[magicRecipients[to] ?? 'normal'];
  const isAgain = () => world.sends.some((send) => send.chargeId === chargeId);
  return scenario.firstOnly && isAgain() ? scenarios.normal : scenario;
};

const hasOpenWindow = (
  { inboundAt, clock }: World,
  { phoneNumberId }: SimulatedNumber,
  waId: string,
): boolean => {
  const at = inboundAt.get(`${phoneNumberId} ${waId}`);
  return at !== undefined && clock.now() - at < WINDOW_MS;
};

const categoryOf = (world: World, number: SimulatedNumber, message: SentMessage): string => {
  const { content, direct } = message;
  if (direct) return direct.category;
  if (content.type !== 'template') return 'service';
  const { name, language } = content;
  const template = templatesFor(world, number).find(
    (one) => one.name === name && one.language === language,
  );
  return template ? template.category.toLowerCase() : 'service';
};

/** Refuses a message without a template where the business account may send none. */
const checkDirect = ({ settings }: World, { direct }: SentMessage): GraphAnswer | undefined => {
  if (!direct || settings.directSend === 'on') return undefined;
  if (settings.directSend === 'restricted') return graphError(139200);
  return graphError(100, {
    details: 'The parameter category is not available: the account is not onboarded to Direct Send',
  });
};

/** A reaction needs a message that there is. */
const checkReaction = (world: World, { content }: SentMessage): GraphAnswer | undefined => {
  if (content.type !== 'reaction') return undefined;
  const { messageId } = content;
  const isKnown =
    world.inboundIds.has(messageId) || world.sends.some((send) => send.messageId === messageId);
  return isKnown
    ? undefined
    : graphError(131009, { details: "reaction['message_id'] names no message that there is" });
};

/** The id that the provider knows the recipient under. */
const waIdOf = (digits: string | null, { otherWaId }: Scenario): string | null =>
  digits !== null && otherWaId ? digits.slice(0, 4) + digits.slice(5) : digits;

/** The answer to a read receipt. */
const answerReceipt = (body: Json): GraphAnswer => {
  const reading = readReceipt(body);
  return 'refusal' in reading ? refusedWith(reading.refusal) : ok({ success: true });
};

/** The send endpoint. */
export const createMessages = (
  world: World,
  statuses: Statuses,
  answerWithFile: (message: Outgoing, scenario: Scenario) => void,
) => {
  const checkLimits = createLimits(world);

  const check = (
    number: SimulatedNumber,
    body: Json,
    message: SentMessage,
    to: string,
  ): GraphAnswer | undefined => {
    const refusal =
      checkDirect(world, message) ??
      checkReaction(world, message) ??
      checkFileOf(world, number, body);
    if (refusal) return refusal;
    if (isBlocked(world, number, to)) return graphError(130403);
    const { content } = message;
    if (content.type === 'template') {
      const refused = checkTemplateSend(templatesFor(world, number), content);
      if (refused) return refused;
      const isCode = categoryOf(world, number, message) === 'authentication';
      if (isCode && body.to === undefined) return graphError(131062);
    }
    return checkLimits(number, to);
  };

  return async (number: SimulatedNumber, body: Json): Promise<CallEnding> => {
    if (body.status === 'read') return answerReceipt(body);
    const contact = recipientOf(world, body);
    const to = contact?.digits ?? contact?.userId ?? '';
    const chargeId = asText(body.biz_opaque_callback_data);
    const type = asText(body.type) ?? 'text';
    const { phoneNumberId } = number;
    const log = (sent: Outgoing | null, code: number | null) =>
      logSend(world, {
        at: world.clock.now(),
        phoneNumberId,
        to,
        type,
        chargeId,
        code,
        messageId: sent?.messageId ?? null,
        billing: sent?.billing ?? null,
        body,
      });
    const refuse = (answer: GraphAnswer) => {
      log(null, Number(asRecord(asRecord(answer.body).error).code));
      return answer;
    };
    if (!number.registered) return refuse(graphError(133010));
    const reading = readSentMessage(body);
    if ('refusal' in reading) return refuse(refusedWith(reading.refusal));
    const { message } = reading;
    const refusal = check(number, body, message, to);
    if (refusal || !contact) return refuse(refusal ?? graphError(131009));
    const scenario = scenarioFor(world, number, to, chargeId);
    const { digits, userId, hidden } = contact;
    const waId = waIdOf(digits, scenario);
    const outgoing: Outgoing = {
      number,
      messageId: newMessageId(world, { contact: waId ?? to, phoneNumberId, direction: 'outbound' }),
      waId,
      userId,
      hidden,
      chargeId,
      billing: billingOf(world, number, categoryOf(world, number, message), scenario),
      templateId: message.direct ? generatedTemplate(world, number, message) : null,
    };
    const goesOut = scenario.goesOut ?? scenario.ending === 'accept';
    log(goesOut ? outgoing : null, scenario.code ?? null);
    if (goesOut) {
      const needsWindow =
        world.settings.enforceWindow && type !== 'template' && message.direct === null;
      const isLate = needsWindow && !hasOpenWindow(world, number, waId ?? to);
      // The provider reports no more of a reaction than that it was sent.
      const course =
        type === 'reaction' && scenario === scenarios.normal ? scenarios.only_sent : scenario;
      await statuses.begin(outgoing, isLate ? scenarios.fails_window : course);
      if (!isLate) answerWithFile(outgoing, scenario);
    }
    return endingOf(scenario, body, outgoing);
  };
};
