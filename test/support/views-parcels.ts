import type { Query, Views } from '../../src/projections/views.ts';

// Documents for the contract of the views.

export interface Parcel {
  id: string;
  owner: string | null;
  weight: number;
  sent: boolean;
  /** Null of most. */
  note: string | null;
  order: string;
}

export const at = (number: number): string => String(number).padStart(16, '0');

export const parcel = (number: number, change: Partial<Parcel> = {}): Parcel => ({
  id: `p${number}`,
  owner: number % 2 === 0 ? 'ann' : 'bob',
  weight: number,
  sent: number % 3 === 0,
  note: number === 6 ? 'of Ünicode.* and (more' : null,
  order: at(number),
  ...change,
});

export const keep = (document: Parcel, position = document.order) => ({
  id: document.id,
  position,
  document,
});

/** Ids of what a question finds, in the order found. */
export const idsOf = async (
  views: Views,
  collection: string,
  query: Partial<Query>,
): Promise<string[]> => {
  const whole: Query = {
    where: {},
    order: { field: 'order', direction: 'ascending' },
    limit: 100,
    ...query,
  };
  return (await views.find<Parcel>(collection, whole)).map(({ id }) => id);
};

export const indexes = [['owner', '-order'], ['owner', 'weight'], ['note?', 'order'], ['-order']];
export const filters = ['sent'];
