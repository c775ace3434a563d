import type { Position } from '../../events/store.ts';
import type { Scalar } from '../views.ts';
import type { Kind } from './shape.ts';

// The values of columns, as they are stored and as they are bound.

export type Value = string | number | null;
export type Parameter = string | number | bigint;

const POSITION_DIGITS = 16;
const EMBEDDED = /^[0-8]\d{15}$/;
/** Below all positions, as the empty text is. */
const START = -1;

/** A position of the embedded log as a number, of one to six bytes; others stay texts. */
export const placeOf = (position: Position): string | number => {
  if (position === '') return START;
  return EMBEDDED.test(position) ? Number(position) : position;
};

export const positionFrom = (place: unknown): Position => {
  if (typeof place !== 'number') return place as string;
  return place === START ? '' : String(place).padStart(POSITION_DIGITS, '0');
};

/** Node binds numbers as floats, which take eight bytes. */
export const bound = <T extends Value>(value: T): T | bigint =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;

/** A value of a condition, as the column has it. A word stays a text. */
export const comparedOf = (kind: Kind, value: NonNullable<Scalar>): string | number => {
  if (typeof value === 'boolean') return Number(value);
  return kind === 'position' && typeof value === 'string' ? placeOf(value) : value;
};

/** A document's value in a column of its own: the same as SQLite would extract from JSON. */
export const plainOf = (value: unknown): Value => {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'boolean':
      return Number(value);
    default:
      return value === null || value === undefined ? null : JSON.stringify(value);
  }
};

/** Whether SQLite gives back this value as it was. */
export const isExact = (value: unknown): value is string | number =>
  typeof value === 'string'
    ? value.isWellFormed() && !value.includes('\0')
    : Number.isSafeInteger(value) && !Object.is(value, -0);
