import { asRecord, asText, type Json } from '../shape.ts';
import { type GraphAnswer, graphError } from './answers.ts';
import { billingOf } from './billing.ts';
import { recipientOf } from './contacts.ts';
import { type CallEnding, endingOf } from './endings.ts';
import { createLimits } from './limits.ts';
import { checkFileOf } from './media.ts';
import { checkMessage } from './message-checks.ts';
import { newMessageId } from './message-ids.ts';
import type { Scenario } from './scenario.ts';
import { magicRecipients, scenarios } from './scenarios.ts';
import type { Outgoing, Statuses } from './statuses.ts';
import { checkTemplateSend } from './template-checks.ts';
import { logSend, type SimulatedNumber, takeFault, templatesFor, type World } from './world.ts';

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

const categoryOf = (world: World, number: SimulatedNumber, message: Json): string => {
  const { name } = asRecord(message.template);
  const template = templatesFor(world, number).find((one) => one.name === name);
  return template && message.type === 'template' ? template.category.toLowerCase() : 'service';
};

/** The id that the provider knows the recipient under. */
const waIdOf = (digits: string | null, { otherWaId }: Scenario): string | null =>
  digits !== null && otherWaId ? digits.slice(0, 4) + digits.slice(5) : digits;

/** The send endpoint. */
export const createMessages = (
  world: World,
  statuses: Statuses,
  answerWithFile: (message: Outgoing, scenario: Scenario) => void,
) => {
  const checkLimits = createLimits(world);

  const check = (number: SimulatedNumber, message: Json, to: string): GraphAnswer | undefined => {
    if (!number.registered) return graphError(133010);
    const fault = checkMessage(message);
    if (fault) return fault;
    const noFile = checkFileOf(world, number, message);
    if (noFile) return noFile;
    if (message.type === 'template') {
      const refusal = checkTemplateSend(templatesFor(world, number), asRecord(message.template));
      if (refusal) return refusal;
      const isCode = categoryOf(world, number, message) === 'authentication';
      if (isCode && message.to === undefined) return graphError(131062);
    }
    return checkLimits(number, to);
  };

  return async (number: SimulatedNumber, message: Json): Promise<CallEnding> => {
    const contact = recipientOf(world, message);
    const to = contact?.digits ?? contact?.userId ?? '';
    const chargeId = asText(message.biz_opaque_callback_data);
    const type = asText(message.type) ?? 'text';
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
        body: message,
      });
    const refusal = contact ? check(number, message, to) : checkMessage(message);
    if (refusal || !contact) {
      const answer = refusal ?? graphError(131009);
      log(null, Number(asRecord(asRecord(answer.body).error).code));
      return answer;
    }
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
      billing: billingOf(categoryOf(world, number, message), scenario),
    };
    const goesOut = scenario.goesOut ?? scenario.ending === 'accept';
    log(goesOut ? outgoing : null, scenario.code ?? null);
    if (goesOut) {
      const needsWindow = world.settings.enforceWindow && type !== 'template';
      const isLate = needsWindow && !hasOpenWindow(world, number, waId ?? to);
      // The provider reports no more of a reaction than that it was sent.
      const course =
        type === 'reaction' && scenario === scenarios.normal ? scenarios.only_sent : scenario;
      await statuses.begin(outgoing, isLate ? scenarios.fails_window : course);
      if (!isLate) answerWithFile(outgoing, scenario);
    }
    return endingOf(scenario, message, outgoing);
  };
};
