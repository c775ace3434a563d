import { expect } from 'chai';
import type { Recorded } from '../../src/events/store.ts';
import type { Handler, Projection } from '../../src/projections/define.ts';
import { recorded, type Written } from './projections-facts.ts';

type Documents<Doc> = Map<string, { position: string; document: Doc }>;

/**
 * What a projection is by definition: its folds, one event after the other, and nothing else. An
 * event that a document has seen does not touch it again.
 */
export const foldAll = <Doc>(
  projection: Projection<Doc>,
  events: readonly Recorded[],
  documents: Documents<Doc> = new Map(),
): Documents<Doc> => {
  const charges = new Map<unknown, Recorded>();
  for (const one of events) {
    const { chargeId } = one.data as { chargeId?: string };
    if (one.type === 'ChargeReserved') charges.set(chargeId, one);
    const charge = one.charge ?? (one.type === 'MessageSent' && charges.get(chargeId));
    const event = charge ? { ...one, charge } : one;
    const handler = (projection.on as Record<string, Handler<Doc, Recorded> | undefined>)[
      event.type
    ];
    if (!handler) continue;
    const ids = [handler.key(event)].flat();
    const before = new Map(ids.map((id) => [id, documents.get(id)?.document]));
    for (const id of ids) {
      const kept = documents.get(id);
      if (kept && event.position <= kept.position) continue;
      const document = handler.fold(kept?.document, event, id, (one) => before.get(one));
      if (kept && handler.begins?.(event)) {
        const begun = handler.fold(undefined, event, id, () => undefined);
        expect(begun, `${id}: ${event.type} begins a document`).to.deep.equal(document);
      }
      if (document === undefined || document === kept?.document) continue;
      if (document === null) documents.delete(id);
      else documents.set(id, { position: event.position, document });
    }
  }
  return documents;
};

/** The documents as bytes, by id. */
export const bytesOf = (documents: Documents<unknown>): Record<string, string> =>
  Object.fromEntries(
    [...documents].sort().map(([id, { document }]) => [id, JSON.stringify(document)]),
  );

const deepFreeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
};

/** Each event as it comes from the log: shared by all who read it, so nobody may change it. */
const frozen = (facts: readonly Written[]): Recorded[] => {
  const events = recorded(facts);
  for (const event of events) deepFreeze(event);
  return events;
};

const lawsHold = <Doc>(projection: Projection<Doc>, events: readonly Recorded[]): void => {
  const once = foldAll(projection, events);
  for (const { document } of once.values()) {
    expect(document, 'JSON and nothing else').to.deep.equal(JSON.parse(JSON.stringify(document)));
    deepFreeze(document);
  }
  const bytes = bytesOf(once);
  expect(bytesOf(foldAll(projection, events, once)), 'a replay').to.deep.equal(bytes);
};

/** Given what has happened, then the projection shows these documents. */
export const given =
  <Doc>(projection: Projection<Doc>) =>
  (...facts: readonly Written[]) => {
    const events = frozen(facts);
    lawsHold(projection, events);
    const documents = foldAll(projection, events);
    const get = (id: string): Doc | undefined => documents.get(id)?.document;
    return {
      document: get,
      thenShows(id: string, expected: Partial<Doc>) {
        const document = get(id);
        expect(document, `document ${id}`).to.be.an('object');
        expect(document).to.deep.include(expected);
      },
      thenIs(id: string, expected: Doc) {
        expect(get(id)).to.deep.equal(expected);
      },
      thenHas(count: number) {
        expect(documents.size).to.equal(count);
      },
    };
  };

/** Reads the documents to which these events fold. */
export const readerOf = (events: Parameters<typeof foldAll>[1]) => {
  const get = async <Doc>(projection: Projection<Doc>, id: string) =>
    foldAll(projection, events).get(id)?.document;
  return {
    get,
    getMany: async <Doc>(projection: Projection<Doc>, ids: readonly string[]) =>
      (await Promise.all(ids.map((id) => get(projection, id)))).filter((one) => one !== undefined),
  };
};
