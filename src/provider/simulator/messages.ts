import { type Bucket, newBucket, takeToken } from '../pace.ts';
import { asDigits, asRecord, asText, type Json } from '../shape.ts';
import { type GraphAnswer, graphError } from './errors.ts';
import { checkMessage } from './messageChecks.ts';
import { magicRecipients, type Scenario, scenarios } from './scenarios.ts';
import type { Outgoing, Statuses } from './statuses.ts';
import { checkTemplateSend } from './templateChecks.ts';
import { logSend, remember, type SimulatedNumber, templatesFor, type World } from './world.ts';

/** How the server is to end a send call. */
export type SendEnding =
  | { kind: 'answer'; answer: GraphAnswer }
  | { kind: 'raw'; status: number; contentType: string; text: string }
  | { kind: 'silence' | 'reset' | 'cut_off' };

const WINDOW_MS = 24 * 60 * 60 * 1000;
/** Six seconds for each message to one recipient, with some to spare at first. */
const PAIR_PER_MINUTE = 10;

/** The send endpoint. */
export const createMessages = (world: World, statuses: Statuses) => {
  const { settings, clock } = world;
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
    const recent = (pairs.get(key) ?? []).filter((at) => at > clock.now() - 60_000);
    remember(pairs, key, [...recent, clock.now()]);
    return recent.length >= PAIR_PER_MINUTE;
  };

  const check = (number: SimulatedNumber, message: Json, to: string): GraphAnswer | undefined => {
    if (!number.registered) return graphError(133010);
    const fault = checkMessage(message);
    if (fault) return fault;
    if (message.type === 'template') {
      const refusal = checkTemplateSend(templatesFor(world, number), asRecord(message.template));
      if (refusal) return refusal;
    }
    if (isTooFast(number)) return graphError(130429, { details: 'Message failed to send.' });
    if (isPairTooFast(number, to)) return graphError(131056);
    return undefined;
  };

  const isFirstCall = (chargeId: string | null) =>
    !world.sends.some((send) => send.chargeId === chargeId);

  /** A fault of the number goes before what the recipient brings with it. */
  const scenarioFor = (number: SimulatedNumber, to: string, chargeId: string | null): Scenario => {
    const fault = world.faults.get(number.phoneNumberId);
    if (fault) {
      fault.left -= 1;
      if (fault.left <= 0) world.faults.delete(number.phoneNumberId);
      return scenarios[fault.scenario];
    }
    const scenario: Scenario = scenarios[magicRecipients[to] ?? 'normal'];
    return scenario.firstOnly && !isFirstCall(chargeId) ? scenarios.normal : scenario;
  };

  const hasOpenWindow = ({ phoneNumberId }: SimulatedNumber, waId: string) => {
    const at = world.inboundAt.get(`${phoneNumberId} ${waId}`);
    return at !== undefined && clock.now() - at < WINDOW_MS;
  };

  const categoryOf = (number: SimulatedNumber, message: Json): string => {
    const { name } = asRecord(message.template);
    const template = templatesFor(world, number).find((one) => one.name === name);
    return template && message.type === 'template' ? template.category.toLowerCase() : 'service';
  };

  const newMessageId = (phoneNumberId: string) =>
    `wamid.${Buffer.from(`SIM${phoneNumberId}.${clock.now()}.${world.nextId()}`).toString('base64')}`;

  const acceptance = (message: Json, { messageId, waId }: Outgoing): GraphAnswer => ({
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input: message.to, wa_id: waId }],
      messages: [
        { id: messageId, ...(message.type === 'template' && { message_status: 'accepted' }) },
      ],
    },
  });

  const endingOf = (scenario: Scenario, message: Json, outgoing: Outgoing): SendEnding => {
    const answer = acceptance(message, outgoing);
    const contentType = 'application/json';
    switch (scenario.ending) {
      case 'accept':
        return { kind: 'answer', answer };
      case 'refuse':
        return { kind: 'answer', answer: graphError(scenario.code ?? 131000) };
      case 'bad_gateway':
        return { kind: 'raw', status: 502, contentType: 'text/html', text: '<h1>Bad Gateway</h1>' };
      case 'no_id':
        return { kind: 'answer', answer: { status: 200, body: { messaging_product: 'whatsapp' } } };
      case 'cut_json': {
        const text = JSON.stringify(answer.body);
        return { kind: 'raw', status: 200, contentType, text: text.slice(0, text.length / 2) };
      }
      case 'reset_unread':
        return { kind: 'reset' };
      case 'silence':
      case 'reset':
      case 'cut_off':
        return { kind: scenario.ending };
      default:
        return scenario.ending satisfies never;
    }
  };

  return async (number: SimulatedNumber, message: Json): Promise<SendEnding> => {
    const to = asDigits(message.to) ?? '';
    const chargeId = asText(message.biz_opaque_callback_data);
    const type = asText(message.type) ?? 'text';
    const entry = { at: clock.now(), phoneNumberId: number.phoneNumberId, to, type, chargeId };
    const refusal = check(number, message, to);
    if (refusal) {
      const { code } = asRecord(asRecord(refusal.body).error);
      logSend(world, { ...entry, messageId: null, code: Number(code), body: message });
      return { kind: 'answer', answer: refusal };
    }
    const scenario = scenarioFor(number, to, chargeId);
    const outgoing: Outgoing = {
      number,
      messageId: newMessageId(number.phoneNumberId),
      waId: scenario.otherWaId ? to.slice(0, 4) + to.slice(5) : to,
      chargeId,
      category: categoryOf(number, message),
    };
    const goesOut = scenario.goesOut ?? scenario.ending === 'accept';
    logSend(world, {
      ...entry,
      messageId: goesOut ? outgoing.messageId : null,
      code: scenario.code ?? null,
      body: message,
    });
    const isLate =
      settings.enforceWindow && type !== 'template' && !hasOpenWindow(number, outgoing.waId);
    if (goesOut) await statuses.begin(outgoing, isLate ? scenarios.fails_window : scenario);
    return endingOf(scenario, message, outgoing);
  };
};
