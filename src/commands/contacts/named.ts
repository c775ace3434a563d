import { takeOut } from '../../events/define.ts';
import type { DataSubject, Named } from '../../events/personal.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { namedPlacesIn } from '../../provider/webhook/named-contacts.ts';
import type { Subjects } from './subjects.ts';

/** Contacts beside its own that one message can name; what names more of them is not kept. */
const OTHERS_MAX = 50;

/** A message's own contact, and the ids that name only it. */
interface Own {
  accountId: string;
  subject: DataSubject;
  ids: ReadonlySet<string | null>;
}

/** What the event about a message says of further contacts. */
export interface NamedOthers<T> {
  /** The parts of the event, as they are to be kept. */
  kept: T;
  /** For the event's fields of `namesOthers`. */
  fields: { otherRefs?: string[]; named?: Named[] };
  /** Whose keys seal what names them. */
  subjects: readonly DataSubject[];
}

/**
 * Finds what parts of an event say of further contacts: whom a message quotes, whose number changed, whose
 * card it carries. `path` leads from the event's data to the parts. Their subjects are made where they are
 * new, so that an erasure finds them.
 */
export const nameOthers = async <T extends object>(
  subjects: Pick<Subjects, 'of'>,
  { accountId, subject, ids: own }: Own,
  parts: T,
  path: readonly string[],
): Promise<NamedOthers<T>> => {
  const places = [...namedPlacesIn(parts)]
    .map((place) => ({ ...place, ids: place.ids.filter((id) => !own.has(id)) }))
    .filter(({ ids }) => ids.length > 0)
    // Of many cards beside an answered message, cards are left out.
    .sort((one, other) => one.path.length - other.path.length);
  if (places.length === 0) return { kept: parts, fields: {}, subjects: [] };

  const all = [...new Set(places.flatMap(({ ids }) => ids))].slice(0, OTHERS_MAX);
  const found = await Promise.all(all.map((id) => subjects.of(accountId, id)));
  // Their keys must expire together with that of the event.
  if (found.some(({ month }) => month !== subject.month)) {
    throw new StoreUnavailable('the month has just changed', { retryAfterSeconds: 1 });
  }
  const refOf = new Map(all.map((id, at) => [id, found[at]!.ref]));
  const kept = structuredClone(parts);
  const named: Named[] = [];
  for (const { path: place, ids } of places) {
    const refs = ids.flatMap((id) => refOf.get(id) ?? []);
    if (refs.length < ids.length) takeOut(kept as Record<string, unknown>, [...place]);
    else named.push({ path: [...path, ...place], refs: [...new Set(refs)] });
  }
  const otherRefs = [...new Set(named.flatMap(({ refs }) => refs))];
  return { kept, fields: { otherRefs, named }, subjects: found };
};
