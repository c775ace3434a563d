import { recordTextHash } from '../commands/account/chain.ts';
import type { Link } from '../events/chain.ts';
import { chargeIdOf, chargeVersionOf, entryIdOf } from '../events/charge-form.ts';
import type { Fields } from '../events/define.ts';
import { type KnownEvent, linkHash } from '../events/index.ts';
import { type Position, type Recorded, UNREADABLE } from '../events/store.ts';
import { messageStream } from '../events/streams.ts';
import { isMoneyEvent, type MoneyEvent } from './movement.ts';
import { recordHash, storedOf } from './seals/record.ts';

// The part of an event that the books need, as plain data. Everything that can be checked in the
// event alone is checked here, so that another thread can do it.

interface Place {
  accountId: string;
  revision: number;
  position: Position;
}

/** A link of the hash chain. The fields for faults are absent without a fault. */
export interface LinkEntry extends Place {
  kind: 'link';
  sequence: number;
  previousHash: string;
  hash: string;
  amount: number;
  balanceAfter: number;
  /** The hash of its content, if that differs from `hash`. */
  foundHash?: string;
  /** What it says of itself that does not fit its account, its revision or its form. */
  misnamed?: readonly string[];
  reserves?: true;
  refunds?: { chargeId: string; unit: string };
}

/** An event of an account that does not move the balance. */
interface SettingEntry extends Place {
  kind: 'setting';
  /** What seals cover of it. */
  hash?: string | undefined;
  /** The unit of the balance from here on, if the event sets it. */
  unit?: string;
}

/** A version of a plan or a rate card. */
interface TermsEntry {
  kind: 'terms';
  stream: string;
  revision: number;
  position: Position;
  hash: string;
}

interface UnreadableEntry extends Place {
  kind: 'unreadable';
  reason: string;
}

/** An event of a message that cannot be read. */
interface LostEntry {
  kind: 'lost';
  position: Position;
  reason: string;
}

export interface SentEntry {
  kind: 'sent';
  accountId: string;
  position: Position;
  messageRef: string;
  chargeId: string;
  /** What the record repeats of its charge; newer ones repeat nothing. */
  chargeRevision?: number | undefined;
  chargeAmount?: number | undefined;
  /** Not the first event of the message's stream: it may be a second record. */
  late?: true;
  /** Its stream, if that is not the stream of its message. */
  astray?: string;
}

export type AccountEntry = LinkEntry | SettingEntry | UnreadableEntry;
export type Entry = AccountEntry | SentEntry | LostEntry | TermsEntry;

const REASON_LENGTH = 300;

export const unitOf = ({ billing, currency }: { billing: string; currency: string }): string =>
  `${billing} in ${currency}`;

const misnamedIn = ({ data, type }: MoneyEvent, { accountId, revision }: Place): string[] => {
  const found: string[] = [];
  const entryId = entryIdOf(accountId, revision);
  // A grant and its taking back have one form.
  const isSigned = type === 'CreditsRevoked' ? data.amount < 0 : data.amount > 0;
  if (type.startsWith('Credits') && !isSigned) found.push(`it is of ${data.amount} credits`);
  if (data.accountId !== accountId) found.push(`it names the account ${data.accountId}`);
  if (data.entryId !== entryId) found.push(`the row ${data.entryId} should be ${entryId}`);
  if (type === 'ChargeReserved') {
    const chargeId = chargeIdOf(accountId, revision);
    if (data.chargeId !== chargeId) found.push(`the charge ${data.chargeId} should be ${chargeId}`);
  }
  return found;
};

/** The hash that a link must have: by the rule of before format 3 where its data hold the hash. */
export const hashOfLink = (type: string, data: unknown, link: Link | undefined): string =>
  link
    ? linkHash(link.previousHash, JSON.stringify(data))
    : recordTextHash(type, data as Record<string, unknown>);

/** The version in whose form stored data are. */
const versionIn = (type: string, data: Fields): number => {
  if (type === 'ChargeReserved') return chargeVersionOf(data);
  if (data.hash !== undefined) return 1;
  return type === 'ChargeRefunded' && data.failure !== undefined ? 3 : 2;
};

/** A version is in no hash, but the form of a link shows it. */
const misversionedIn = (type: string, stored: { version: number; data: unknown }): string[] => {
  if (!isMoneyEvent({ type })) return [];
  const version = versionIn(type, stored.data as Fields);
  if (version === stored.version) return [];
  return [`it says version ${stored.version}, and its data have the form of version ${version}`];
};

const linkEntry = (event: MoneyEvent, place: Place): LinkEntry => {
  const { sequence, previousHash, hash, amount, balanceAfter } = event.data;
  const entry: LinkEntry = {
    kind: 'link',
    ...place,
    sequence,
    previousHash,
    hash,
    amount,
    balanceAfter,
  };
  const foundHash = hashOfLink(event.type, storedOf(event), event.link);
  if (foundHash !== hash) entry.foundHash = foundHash;
  const { type, asStored } = event;
  const misnamed = [
    ...misnamedIn(event, place),
    ...(asStored ? misversionedIn(type, asStored) : []),
  ];
  if (misnamed.length > 0) entry.misnamed = misnamed;
  if (event.type === 'ChargeReserved') entry.reserves = true;
  if (event.type === 'ChargeRefunded') {
    entry.refunds = { chargeId: event.data.chargeId, unit: unitOf(event.data.price) };
  }
  return entry;
};

const reasonOf = ({ version, data }: Recorded): string => {
  const { type, reason, raw } = data as { type: string; reason?: unknown; raw?: unknown };
  const [misversioned] = raw ? misversionedIn(type, { version, data: raw }) : [];
  return (misversioned ?? String(reason)).slice(0, REASON_LENGTH);
};

const ACCOUNT = 'account-';

/** The entry of an event; undefined if the books need none. */
export const entryOf = (recorded: Recorded): Entry | undefined => {
  const event = recorded as KnownEvent;
  const { stream, revision, position } = recorded;
  const accountId = stream.startsWith(ACCOUNT) ? stream.slice(ACCOUNT.length) : null;
  if (recorded.type === UNREADABLE) {
    const reason = reasonOf(recorded);
    if (accountId !== null) return { kind: 'unreadable', accountId, revision, position, reason };
    if (!stream.startsWith('message-')) return undefined;
    return { kind: 'lost', position, reason: `${stream}: ${reason}` };
  }
  if (accountId === null) {
    if (event.type !== 'MessageSent') {
      const hash = recordHash(recorded);
      return hash === undefined ? undefined : { kind: 'terms', stream, revision, position, hash };
    }
    const { accountId: payer, messageRef, chargeId, chargeRevision, chargeAmount } = event.data;
    const entry: SentEntry = {
      kind: 'sent',
      accountId: payer,
      position,
      messageRef,
      chargeId,
      chargeRevision,
      chargeAmount,
    };
    if (revision > 0) entry.late = true;
    if (stream !== messageStream(payer, messageRef)) entry.astray = stream;
    return entry;
  }
  const place = { accountId, revision, position };
  if (isMoneyEvent(event)) return linkEntry(event, place);
  const hash = recordHash(recorded);
  if (event.type === 'AccountOpened' || event.type === 'PlanAssigned') {
    return { kind: 'setting', ...place, hash, unit: unitOf(event.data) };
  }
  return { kind: 'setting', ...place, hash };
};

/** The entries of some events. */
export const entriesOf = (events: readonly Recorded[]): Entry[] =>
  events.flatMap((event) => entryOf(event) ?? []);
