import { receivedIdIn } from '../../../src/events/conversation.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import type { RecordedAnswer } from './recorder.ts';

/** A call of a URL that an account chose: a forward, or a request of one of its bots. */
export interface OutsideCall {
  accountId: string;
  body: string;
}

/** Ids that only the account itself may be shown, and whose they are. */
type Owners = ReadonlyMap<string, ReadonlySet<string>>;

/** Ids of one account alone. */
const OWN_FIELDS = ['chargeId', 'runId', 'botId', 'accountId', 'keyId'];
/** Two accounts may have messages with one id, each its own. */
const ID_FIELDS = ['messageRef', 'messageId', ...OWN_FIELDS];

const accountOf = ({ data, meta }: KnownEvent): string | undefined =>
  'accountId' in data && typeof data.accountId === 'string' ? data.accountId : meta.accountId;

/**
 * A word of delivery names the account that has the number, which need not be the message's; and
 * an event that shows its id as text is no proof of ownership either.
 */
const PROVE_NOTHING: ReadonlySet<string> = new Set(['StatusUpdated', 'DeadLetterKept']);

export const ownersOf = (events: readonly KnownEvent[], fields = ID_FIELDS): Owners => {
  const owners = new Map<string, Set<string>>();
  for (const event of events) {
    const account = accountOf(event);
    if (account === undefined || PROVE_NOTHING.has(event.type)) continue;
    const data = event.data as Record<string, unknown>;
    const ids = fields.map((field) => data[field]);
    const received = event.type === 'MessageReceived' && fields.includes('messageId');
    if (received) ids.push(receivedIdIn(event.data));
    if (event.stream.startsWith('conversation-')) ids.push(event.stream.slice(13));
    for (const id of ids) {
      if (typeof id !== 'string') continue;
      owners.set(id, (owners.get(id) ?? new Set()).add(account));
    }
  }
  return owners;
};

/** Words of a JSON text that are ids of other accounts. */
const foreignIn = (text: string, account: string, owners: Owners): string[] => {
  const words = new Set(text.split(/[^\w.+/=-]+/));
  return [...words].filter((word) => {
    const of = owners.get(word);
    return of !== undefined && !of.has(account);
  });
};

const sample = (ids: readonly string[]) => ids.slice(0, 3).join(', ');

/** A stream of one conversation, and every run in it, is one account's. */
const checkLog = (events: readonly KnownEvent[], owners: Owners): string[] => {
  const problems: string[] = [];
  for (const [id, accounts] of ownersOf(events, OWN_FIELDS)) {
    if (accounts.size > 1) problems.push(`I12 ${id} belongs to ${[...accounts].join(' and ')}`);
  }
  for (const event of events) {
    const account = accountOf(event);
    if (account === undefined || !event.stream.startsWith('conversation-')) continue;
    const foreign = foreignIn(JSON.stringify(event.data), account, owners);
    if (foreign.length > 0) {
      problems.push(`I12 ${event.type} at ${event.position} of ${account}: ${sample(foreign)}`);
    }
  }
  return problems;
};

const checkAnswers = (
  events: readonly KnownEvent[],
  answers: readonly RecordedAnswer[],
  owners: Owners,
): string[] => {
  const accounts = new Map<string, string>();
  for (const { type, data } of events) {
    if (type === 'ApiKeyCreated') accounts.set(data.prefix, data.accountId);
  }
  return answers.flatMap(({ token = '', method, path, body }) => {
    const account = accounts.get(token.slice(0, token.lastIndexOf('_')));
    if (account === undefined || body === undefined) return [];
    const foreign = foreignIn(JSON.stringify(body), account, owners);
    return foreign.length === 0
      ? []
      : [`I12 ${method} ${path}: ${account} was shown ${sample(foreign)}`];
  });
};

/** I12 of documents that name their account. */
export const checkDocuments = (
  events: readonly KnownEvent[],
  documents: ReadonlyMap<string, readonly object[]>,
): string[] => {
  const owners = ownersOf(events);
  return [...documents].flatMap(([name, all]) =>
    all.flatMap((document) => {
      const { accountId } = document as { accountId?: unknown };
      if (typeof accountId !== 'string') return [];
      const foreign = foreignIn(JSON.stringify(document), accountId, owners);
      return foreign.length === 0
        ? []
        : [`I12 ${name} of ${accountId}: it holds ${sample(foreign)}`];
    }),
  );
};

/** I12: nothing of one account is in another's conversations, answers, runs and calls outside. */
export const checkAccounts = (
  events: readonly KnownEvent[],
  answers: readonly RecordedAnswer[],
  outsideCalls: readonly OutsideCall[],
): string[] => {
  const owners = ownersOf(events);
  const calls = outsideCalls.flatMap(({ accountId, body }) => {
    const foreign = foreignIn(body, accountId, owners);
    return foreign.length === 0 ? [] : [`I12 a URL of ${accountId} was told ${sample(foreign)}`];
  });
  return [...checkLog(events, owners), ...checkAnswers(events, answers, owners), ...calls];
};
