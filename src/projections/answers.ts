import type { Position } from '../events/store.ts';
import { defineProjection, made } from './define.ts';

/** Leads from a contact to the stored answer of an idempotent request. The log alone holds the answer. */
interface AnswerDocument {
  /** `<ref>.<revision>.<stream>`: the answer of a batch has one document for each of its contacts. */
  id: string;
  contactRef: string;
  order: Position;
}

/** Where the log holds the answer of a document. */
export const placeOfAnswer = ({ id }: AnswerDocument): { stream: string; revision: number } => {
  const [ref = '', revision = ''] = id.split('.', 2);
  return { stream: id.slice(ref.length + revision.length + 2), revision: Number(revision) };
};

export const answers = defineProjection<AnswerDocument>({
  name: 'answers',
  version: 1,
  indexes: [['contactRef', '-order']],
  on: {
    RequestAnswered: made(
      ({ data, revision, stream }) => data.contactRefs.map((ref) => `${ref}.${revision}.${stream}`),
      ({ position }, id) => ({ id, contactRef: id.slice(0, id.indexOf('.')), order: position }),
    ),
  },
});
