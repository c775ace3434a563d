import type { KnownEvent } from '../../../src/events/index.ts';
import { foundIn, type Needle } from '../privacy/needles.ts';
import type { RecordedAnswer } from './recorder.ts';

/** A contact whose erasure is done, and what was known of it before. */
export interface Erased {
  needles: readonly Needle[];
  /** Number of the recorded answers before the erasure was done. */
  answers: number;
}

/** The refs whose keys the log says are destroyed. */
const destroyedIn = (events: readonly KnownEvent[]): Set<string> =>
  new Set(events.flatMap(({ type, data }) => (type === 'ContactErased' ? data.refs : [])));

const refsOf = ({ data }: KnownEvent): readonly string[] => {
  const { contactRef, contactRefs } = data as { contactRef?: string; contactRefs?: string[] };
  return contactRefs ?? (contactRef === undefined ? [] : [contactRef]);
};

/** Every sealed part of a contact whose keys are destroyed stays closed, and is said to be erased. */
const checkSealed = (events: readonly KnownEvent[]): string[] => {
  const destroyed = destroyedIn(events);
  return events
    .filter((event) => event.sealedMonth !== undefined && !event.isErased)
    .filter((event) => refsOf(event).some((ref) => destroyed.has(ref)))
    .map(({ type, position }) => `I14 ${type} at ${position}: its contact is erased, and it opens`);
};

/** An erasure that is done has destroyed every subject that it names. */
const checkDone = (events: readonly KnownEvent[]): string[] => {
  const destroyed = destroyedIn(events);
  const done = new Set(
    events.flatMap(({ type, data }) => (type === 'ErasureDone' ? [data.erasureId] : [])),
  );
  return events.flatMap((event) => {
    if (event.type !== 'ErasureRequested' || !done.has(event.data.erasureId)) return [];
    const left = event.data.subjects.filter(({ ref }) => !destroyed.has(ref));
    return left.map(({ ref }) => `I14 the erasure ${event.data.erasureId} has left ${ref}`);
  });
};

const namesIn = (value: unknown, needles: readonly Needle[]): string =>
  foundIn(Buffer.from(JSON.stringify(value) ?? ''), needles)
    .slice(0, 3)
    .join(', ');

/** I14: nothing of an erased contact can be had from the log, from documents or from answers. */
export const checkErased = (
  events: readonly KnownEvent[],
  answers: readonly RecordedAnswer[],
  erased: readonly Erased[],
): string[] => {
  const found = erased.flatMap(({ needles, answers: before }) => [
    ...events.flatMap((event) => {
      const names = namesIn(event, needles);
      return names === '' ? [] : [`I14 ${event.type} at ${event.position}: ${names}`];
    }),
    ...answers.slice(before).flatMap(({ method, path, body }) => {
      const names = namesIn(body, needles);
      return names === '' ? [] : [`I14 ${method} ${path}: ${names}`];
    }),
  ]);
  return [...checkSealed(events), ...checkDone(events), ...found];
};

/** I14 of the documents of the read models. */
export const checkErasedDocuments = (
  documents: ReadonlyMap<string, readonly object[]>,
  erased: readonly Erased[],
): string[] =>
  erased.flatMap(({ needles }) =>
    [...documents].flatMap(([name, all]) =>
      all.flatMap((document) => {
        const names = namesIn(document, needles);
        return names === '' ? [] : [`I14 ${name}: a document holds ${names}`];
      }),
    ),
  );
