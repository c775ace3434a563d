import { ALL_BUCKETS, bucketOf, bucketOfAccount, NONE } from '../../../src/events/bucket.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import type { Recorded } from '../../../src/events/store.ts';
import type { AccountDocument } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import type { Handler, Projection } from '../../../src/projections/define.ts';
import type { LedgerDocument } from '../../../src/projections/ledger.ts';
import type { Kept, Views } from '../../../src/projections/views.ts';
import { parseIndex } from '../../../src/projections/walk.ts';
import { foldAll } from '../projections.ts';
import { untilTrue } from '../until.ts';
import { checkDocuments } from './accounts.ts';
import type { Charge } from './charges.ts';
import { checkErasedDocuments, type Erased } from './erased.ts';
import { checkJoins } from './joins.ts';
import { checkTaken } from './taken.ts';

/** Ids of all documents that ever were, also of those that are no more, with the streams that touched each. */
const everTouched = ({ on }: Projection, events: readonly Recorded[]) => {
  const touched = new Map<string, Set<string>>();
  for (const event of events) {
    const handler = (on as Record<string, Handler<unknown, Recorded> | undefined>)[event.type];
    for (const id of handler ? [handler.key(event)].flat() : []) {
      const streams = touched.get(id) ?? new Set();
      touched.set(id, streams.add(event.stream));
    }
  }
  return touched;
};

/** One worker folds a document: all its events are of one bucket, and so is it where it is swept. */
const checkBuckets = (
  { name, erase }: Projection,
  touched: ReadonlyMap<string, ReadonlySet<string>>,
  shown: ReadonlyMap<string, Kept<object>>,
): string[] =>
  [...touched].flatMap(([id, streams]) => {
    const document = (shown.get(id)?.document ?? {}) as Record<string, string | null | undefined>;
    const own = erase?.ofNone ? NONE : bucketOfAccount(document.accountId);
    // One that names no contact, such as a status without a message, is not swept.
    const swept = [erase?.by ?? []].flat().some((field) => document[field]) ? [own] : [];
    const buckets = new Set([...[...streams].map(bucketOf), ...swept]);
    const seen = [...buckets].join(', ');
    return buckets.size === 1 ? [] : `I6 ${name} ${id} is of the buckets ${seen}: ${[...streams]}`;
  });

const ASKED_AT_ONCE = 500;

const shownIn = async (views: Views, collection: string, ids: readonly string[]) => {
  const shown = new Map<string, Kept<object>>();
  for (let start = 0; start < ids.length; start += ASKED_AT_ONCE) {
    const slice = ids.slice(start, start + ASKED_AT_ONCE);
    for (const kept of await views.getMany<object>(collection, slice)) shown.set(kept.id, kept);
  }
  return shown;
};

/** The part of a text around its first difference from another one. */
const cut = (text: string, other: string): string => {
  if (text.length <= 300) return text;
  let same = 0;
  while (text[same] === other[same]) same += 1;
  const start = Math.max(0, same - 40);
  return `…${text.slice(start, start + 300)}…`;
};

/** I6: a read model equals its fold from zero, to the byte. */
const compare = (
  { name }: Projection,
  expected: ReturnType<typeof foldAll>,
  shown: ReadonlyMap<string, Kept<object>>,
): string[] => {
  const problems: string[] = [];
  for (const [id, { document, position }] of expected) {
    const kept = shown.get(id);
    const [ours, theirs] = [JSON.stringify(document), JSON.stringify(kept?.document)];
    if (ours !== theirs) {
      const [shows, wants] = [theirs ?? 'nothing', ours ?? 'nothing'];
      const text = `it shows ${cut(shows, wants)}, not ${cut(wants, shows)}`;
      problems.push(`I6 ${name} ${id}: ${text}`);
    } else if (kept?.position !== position) {
      problems.push(`I6 ${name} ${id}: it has seen "${kept?.position}", not "${position}"`);
    }
  }
  for (const id of shown.keys()) {
    if (!expected.has(id)) problems.push(`I6 ${name} ${id}: it is shown, and should be no more`);
  }
  return problems;
};

/** I6: it has no document that no event has touched. Seen where an index holds all documents. */
const countAll = async (
  views: Views,
  { name, indexes }: Projection,
  collection: string,
  expected: number,
): Promise<string[]> => {
  const whole = indexes.map(parseIndex).find((fields) => fields.every(({ sparse }) => !sparse));
  if (!whole) return [];
  const order = { field: whole[0]!.name, direction: 'ascending' } as const;
  const count = await views.count(collection, { where: {}, order });
  return count === expected ? [] : [`I6 ${name}: it has ${count} documents, not ${expected}`];
};

/** I1, I2, I7: what is shown of an account's money agrees with itself. */
const checkShown = (
  accounts: readonly AccountDocument[],
  rows: readonly LedgerDocument[],
  charges: ReadonlyMap<string, Charge>,
): string[] => {
  const problems: string[] = [];
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  for (const { id, balance } of accounts) {
    const own = (byAccount.get(id) ?? []).toSorted((a, b) => (a.order < b.order ? -1 : 1));
    const sum = own.reduce((total, { amount }) => total + amount, 0);
    const last = own.at(-1)?.balanceAfter ?? 0;
    if (sum !== last || last !== balance) {
      problems.push(`I1 account ${id}: rows make ${sum}, the last says ${last}, shown ${balance}`);
    }
    if (balance < 0) problems.push(`I2 account ${id}: the balance shown is ${balance}`);
  }
  for (const { id, category, accountId, chargeId } of rows) {
    if (category === null || charges.get(chargeId ?? '')?.chargesService) continue;
    if (category === 'SERVICE') {
      problems.push(`I7 account ${accountId}: the ledger row ${id} is of a SERVICE message`);
    }
  }
  return problems;
};

/** I1, I6, I7, I12, I13, I14: the read models, once they have seen the whole log. */
export const checkViews = async (
  views: Views,
  events: readonly KnownEvent[],
  charges: ReadonlyMap<string, Charge>,
  {
    halted,
    isFollowed,
    erased,
  }: { halted: readonly string[]; isFollowed: boolean; erased: readonly Erased[] },
): Promise<string[]> => {
  const head = events.at(-1)?.position ?? '';
  const ends = ALL_BUCKETS.map(
    (bucket) => events.findLast(({ stream }) => bucketOf(stream) === bucket)?.position ?? '',
  );
  const live = await views.live();
  const problems: string[] = [];
  const documents = new Map<string, object[]>();
  const looked = projections.filter(({ name }) => !halted.includes(name));
  const areThere = async () => {
    const serving = looked.flatMap(({ name }) => live[name] ?? []);
    const places = await views.checkpoints();
    return serving.every((one) => {
      const own = places[one] ?? [''];
      if (own.length === 1) return own[0]! >= head;
      return own.every((place, bucket) => place >= ends[bucket]!);
    });
  };
  const caughtUp = isFollowed
    ? await untilTrue('the views to catch up', areThere).then(
        () => true,
        () => false,
      )
    : await areThere();
  if (!caughtUp) problems.push(`I6 the read models do not catch up with "${head}"`);
  for (const projection of looked) {
    const { name } = projection;
    const collection = live[name];
    if (collection === undefined) {
      problems.push(`I6 ${name}: nothing serves it`);
      continue;
    }
    const touched = everTouched(projection, events);
    const shown = await shownIn(views, collection, [...touched.keys()]);
    problems.push(...checkBuckets(projection, touched, shown));
    const expected = foldAll(projection, events);
    problems.push(...compare(projection, expected, shown));
    problems.push(...(await countAll(views, projection, collection, expected.size)));
    documents.set(
      name,
      [...shown.values()].map(({ document }) => document),
    );
  }
  const of = <Doc>(name: string) => (documents.get(name) ?? []) as Doc[];
  const money = ['accounts', 'ledger'].every((name) => documents.has(name));
  if (money) problems.push(...checkShown(of('accounts'), of('ledger'), charges));
  problems.push(...checkDocuments(events, documents));
  problems.push(...checkErasedDocuments(documents, erased));
  problems.push(...checkTaken(documents, charges), ...checkJoins(documents, charges));
  return problems;
};
