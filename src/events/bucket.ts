// How work is shared out: by account. The last hexadecimal digit of an account's id is its bucket, and
// a stream of an account carries that id, so the name alone tells whose an event is.

/** The bucket of what belongs to no account: organisations, numbers, plans, rate cards, keys. */
export const NONE = 16;

export const BUCKETS = NONE + 1;

export const ALL_BUCKETS: readonly number[] = Array.from(
  { length: BUCKETS },
  (_, bucket) => bucket,
);

/**
 * A follower of some buckets hears how far the log is after so many events of others: it is
 * further than the event that stands so far before the end.
 */
export const BUCKETS_SEEN_WITHIN = 32;

/** The categories of streams whose id begins with an account's. */
const OWNED = [
  'account',
  'bot',
  'botdraft',
  'contact',
  'conversation',
  'job',
  'media',
  'message',
  'quickreplies',
  'recovery',
  'request',
  'retention',
  'schedule',
  'webhook',
];

/** An account's id but for its last digit. */
const ALL_BUT_LAST = 'acc_[0-9a-f]{31}';

/** Up to the digit. A shared log puts more before the name, and ends that with `~`. */
const OF_ACCOUNT = `(?:[^~]*~)?(?:${OWNED.join('|')})-${ALL_BUT_LAST}`;

const owned = new RegExp(`^${OF_ACCOUNT}([0-9a-f])(?:\\.|$)`);
const account = new RegExp(`^${ALL_BUT_LAST}([0-9a-f])$`);

const bucketIn = (match: RegExpExecArray | null): number =>
  match ? Number.parseInt(match[1]!, 16) : NONE;

/** The bucket of a stream. */
export const bucketOf = (stream: string): number => bucketIn(owned.exec(stream));

export const bucketOfAccount = (accountId: string | null | undefined): number =>
  bucketIn(account.exec(accountId ?? ''));

/** Whether these are some of all buckets. All of them are no share: what is of every account is wanted. */
export const isShare = (buckets: ReadonlySet<number> | undefined): buckets is ReadonlySet<number> =>
  buckets !== undefined && buckets.size < BUCKETS;

/** Whether a stream is of an account in these buckets, or of no account. */
export const isOfBuckets = (stream: string, buckets: ReadonlySet<number>): boolean => {
  const bucket = bucketOf(stream);
  return bucket === NONE || buckets.has(bucket);
};

/** A regular expression for the names of streams that are of an account in none of these buckets. */
export const namesElsewhere = (buckets: ReadonlySet<number>): string => {
  const others = ALL_BUCKETS.filter((one) => one !== NONE && !buckets.has(one));
  const digits = others.map((one) => one.toString(16)).join('');
  // Without any other bucket, no name fits.
  return others.length === 0 ? '(?!)' : `${OF_ACCOUNT}[${digits}](?:\\.|$)`;
};
