import type { KnownEvent } from '../../../src/events/index.ts';
import { refOfMessage } from '../message-refs.ts';
import type { Json } from '../waybill.ts';
import { type Charge, isKept, isMoney } from './charges.ts';
import type { RecordedAnswer } from './recorder.ts';

/** A message as it reached the provider; `code` is that of its refusal, null when it gave none. */
export interface ProviderCall {
  chargeId: string | null;
  code: number | null;
}

interface Evidence {
  events: readonly KnownEvent[];
  charges: ReadonlyMap<string, Charge>;
  answers: readonly RecordedAnswer[];
  providerCalls: readonly ProviderCall[] | undefined;
  mayBeOpen: boolean;
}

const SENDS = new Set(['/v1/notifications/send', '/v1/messages/send']);
const BATCH = '/v1/notifications/send/batch';

const isSuccess = ({ status }: RecordedAnswer) => status !== null && status < 300;
const isReplay = ({ headers }: RecordedAnswer) => headers['idempotency-replayed'] === 'true';
const groupOf = ({ token, path, idempotencyKey }: RecordedAnswer) =>
  [token, path, idempotencyKey].join(' ');
const nameOf = ({ path, requestId, status }: RecordedAnswer) =>
  `${path} (${requestId}, ${status ?? 'no answer'})`;

/** Whether what was taken for it stays taken, but for a delivery that failed later. */
const staysCharged = (charge: Charge): boolean =>
  isKept(charge) || charge.refunds[0]?.data.cause === 'delivery_failed';

/**
 * Whether its message went out, whatever was given back since. One that was not sent may have the
 * message of somebody who named its charge.
 */
const wentOut = ({ messages, refunds }: Charge): boolean =>
  messages.length > 0 && refunds[0]?.data.cause !== 'not_sent';

const hasMoved = (charge: Charge): boolean => staysCharged(charge) || wentOut(charge);

/** Who comes back with the key of a send that was given back meanwhile is told that it was free. */
const isToldFree = ({ idempotencyKey, headers }: RecordedAnswer, { refunds }: Charge): boolean =>
  idempotencyKey !== undefined &&
  (headers['x-message-price'] === '0.0000' || refunds[0]?.data.amount === 0);

const checkTold = (answer: RecordedAnswer, { reserved, refunds }: Charge): string[] => {
  const { amount, balanceAfter, price } = reserved!.data;
  if (price.billing !== 'credits') return [];
  const { 'x-credits-charged': charged, 'x-credits-remaining': left } = answer.headers;
  const [refund] = refunds;
  const taken = charged === String(0 - amount) && left === String(balanceAfter);
  const back = charged === '0' && left === String(refund?.data.balanceAfter);
  if (taken || (back && answer.idempotencyKey !== undefined)) return [];
  return [`I4 ${nameOf(answer)}: it tells of ${charged} credits and ${left} left, not so the log`];
};

const checkCharged = (answer: RecordedAnswer, made: readonly Charge[]): string[] => {
  const name = nameOf(answer);
  const told = answer.body?.messageId;
  const isMeant = ({ messages }: Charge) =>
    told !== undefined && messages.some(({ data }) => data.messageRef === refOfMessage(told));
  // A key that was freed may have been used for earlier tries; those must be refunded.
  const keyed = answer.idempotencyKey !== undefined;
  const own = keyed ? made.filter((charge) => isMeant(charge) || isKept(charge)) : made;
  const [charge] = own;
  if (own.length !== 1 || !charge?.reserved) return [`I4 ${name}: ${own.length} charges for it`];
  const problems = checkTold(answer, charge);
  if (!isMeant(charge)) problems.push(`I4 ${name}: the log has no message ${told} for its charge`);
  if (!staysCharged(charge) && !isToldFree(answer, charge)) {
    const { cause } = charge.refunds[0]!.data;
    problems.push(`I4 ${name}: its charge ${charge.chargeId} was given back (${cause})`);
  }
  return problems;
};

/** What went out and could not be recorded in time is answered 503 and charged all the same. */
const isLateRecord = ({ status }: RecordedAnswer, { messages }: Charge) =>
  status === 503 && messages.length > 0;

const checkUncharged = (
  answer: RecordedAnswer,
  made: readonly Charge[],
  mayBeOpen: boolean,
): string[] =>
  made
    .filter((charge) => isKept(charge))
    .filter((charge) => !(mayBeOpen && charge.messages.length === 0))
    .filter((charge) => !(answer.status === null && charge.messages.length > 0))
    .filter((charge) => !isLateRecord(answer, charge))
    .map(({ chargeId }) => `I4 ${nameOf(answer)}: it keeps the charge ${chargeId}`);

/** Its reservation's reply was lost: nobody knew of it but the sweep. */
const isUnknown = ({ messages, refunds }: Charge): boolean =>
  messages.length === 0 && (refunds[0]?.data.cause ?? 'expired') === 'expired';

/**
 * The successful answers of a batch under its key that another one goes beyond: where the answer could
 * not be kept, a repetition goes on with the recipients that were left out, or that nothing was sent to.
 */
const isSurpassed = (answer: RecordedAnswer, group: readonly RecordedAnswer[]): boolean =>
  group.some(
    (other) =>
      isSuccess(other) &&
      (other.body?.results.length > answer.body?.results.length ||
        other.body?.sent > answer.body?.sent),
  );

/** What a repetition must tell again: of a batch what was sent, because the rest may be tried again. */
const toldIn = ({ path, body }: RecordedAnswer): string =>
  JSON.stringify(path === BATCH ? body.results.filter(({ ok }: Json) => ok) : body);

/** I10: results are the recipients in their order, each once or not at all. */
const checkBatch = (
  answer: RecordedAnswer,
  made: readonly Charge[],
  { isWhole, mayBeOpen }: { isWhole: boolean; mayBeOpen: boolean },
): string[] => {
  const name = nameOf(answer);
  const { sent, failed, results } = answer.body as Json;
  const problems: string[] = [];
  if (sent + failed !== results.length) {
    problems.push(`I10 ${name}: ${sent} sent and ${failed} failed of ${results.length} results`);
  }
  const asked: string[] = answer.sent.recipients.map(({ to }: Json) => to);
  let at = 0;
  for (const { to } of results) {
    at = asked.indexOf(to, at) + 1;
    if (at === 0) problems.push(`I10 ${name}: ${to} is in the results once too often`);
    if (at === 0) break;
  }
  const told: string[] = results.filter(({ ok }: Json) => ok).map((one: Json) => one.messageId);
  // Where the reply to a reservation was lost, its recipient was left out, and the sweep gives it back.
  const isOpen = ({ messages, refunds }: Charge) =>
    mayBeOpen && messages.length === 0 && refunds.length === 0;
  const kept = made.filter((charge) => staysCharged(charge) && !isOpen(charge));
  const went = new Set(kept.flatMap(({ messages }) => messages.map((one) => one.data.messageRef)));
  for (const messageId of told) {
    if (!went.has(refOfMessage(messageId)))
      problems.push(`I10 ${name}: no charge is kept for ${messageId}`);
  }
  // What went out and could not be recorded in time is told as failed, and charged all the same.
  const late = results.filter(({ code }: Json) => code === 'SEND_FAILED').length;
  const more = kept.length - told.length;
  if (more < 0 || (isWhole && more > late)) {
    problems.push(`I10 ${name}: ${kept.length} charges are kept for ${told.length} messages`);
  }
  const tried = made.filter((charge) => !isUnknown(charge));
  if (tried.length > results.length && answer.idempotencyKey === undefined) {
    problems.push(`I10 ${name}: ${tried.length} charges for ${results.length} results`);
  }
  return problems;
};

/** The parts of a batch that were sent, each of which one of its requests sends. */
const partsSent = (charges: readonly Charge[]): (number | undefined)[] =>
  charges.filter(hasMoved).map(({ reserved }) => reserved!.meta.claim?.part);

/**
 * I9: of all requests under one key, one at most has moved anything for good or sent a message. A
 * repeated batch goes on with the recipients that are left.
 */
const checkKeys = (
  answers: readonly RecordedAnswer[],
  moved: (requestId: string) => number,
  madeBy: (requestId: string) => readonly Charge[],
): string[] => {
  const keyed = answers.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  const groups = Map.groupBy(keyed, groupOf);
  return [...groups.values()].flatMap((group) => {
    const name = `I9 the key ${group[0]!.idempotencyKey} of ${group[0]!.path}`;
    const isBatch = group[0]!.path === BATCH;
    const movers = isBatch ? [] : group.filter(({ requestId }) => moved(requestId) > 0);
    const parts = isBatch ? group.flatMap(({ requestId }) => partsSent(madeBy(requestId))) : [];
    const told = group.filter((one) => isSuccess(one) && !(isBatch && isSurpassed(one, group)));
    const bodies = new Set(told.map(toldIn));
    return [
      ...(movers.length > 1
        ? [`${name}: ${movers.length} of its requests were charged or sent`]
        : []),
      ...(new Set(parts).size < parts.length
        ? [`${name}: a recipient was charged or sent to twice`]
        : []),
      ...(bodies.size > 1 ? [`${name}: it was answered in ${bodies.size} ways`] : []),
    ];
  });
};

/** I8: the provider is called for reservations alone, and never again once it may have taken it. */
const checkCalls = (
  calls: readonly ProviderCall[],
  charges: ReadonlyMap<string, Charge>,
): string[] => {
  const groups = Map.groupBy(calls, ({ chargeId }) => chargeId);
  return [...groups].flatMap(([chargeId, group]) => {
    const taken = group.filter(({ code }) => code === null).length;
    const known = chargeId !== null && charges.get(chargeId)?.reserved !== undefined;
    return [
      ...(known ? [] : [`I8 the provider was called for ${chargeId}, which was never reserved`]),
      ...(taken > 1 ? [`I8 charge ${chargeId}: it reached the provider ${taken} times`] : []),
    ];
  });
};

/** I4, I8, I9, I10: what callers were told and the provider was asked, against the log. */
export const checkAnswers = (evidence: Evidence): string[] => {
  const { events, charges, answers, providerCalls = [], mayBeOpen } = evidence;
  const byRequest = Map.groupBy(
    [...charges.values()].filter(({ reserved }) => reserved),
    ({ reserved }) => reserved!.meta.requestId,
  );
  const madeBy = (requestId: string) => byRequest.get(requestId) ?? [];
  const byKey = Map.groupBy(answers, groupOf);
  const madeFor = (answer: RecordedAnswer) =>
    (answer.idempotencyKey === undefined ? [answer] : byKey.get(groupOf(answer))!).flatMap((one) =>
      madeBy(one.requestId),
    );
  const grants = events.filter((event) => isMoney(event) && !event.type.startsWith('Charge'));
  const movedBy = (requestId: string) =>
    madeBy(requestId).filter(hasMoved).length +
    grants.filter(({ meta }) => meta.requestId === requestId).length;

  const ofAnswers = answers.flatMap((answer) => {
    const made = madeBy(answer.requestId);
    const isSend = SENDS.has(answer.path);
    if (isReplay(answer)) {
      return made.length === 0 ? [] : [`I9 ${nameOf(answer)}: a replay reserved a charge`];
    }
    // What waits for its time is charged when it goes out.
    if (isSend && answer.body?.scheduled) return [];
    if (isSend && isSuccess(answer)) return checkCharged(answer, madeFor(answer));
    if (answer.path === BATCH && isSuccess(answer)) {
      const group = answer.idempotencyKey === undefined ? [] : byKey.get(groupOf(answer))!;
      const isWhole = !isSurpassed(answer, group);
      return checkBatch(answer, madeFor(answer), { isWhole, mayBeOpen });
    }
    if (isSend || answer.path === BATCH) return checkUncharged(answer, made, mayBeOpen);
    return [];
  });
  return [
    ...ofAnswers,
    ...checkKeys(answers, movedBy, madeBy),
    ...checkCalls(providerCalls, charges),
  ];
};
