import { MICROS_PER_UNIT } from '../commands/pricing/money.ts';
import { formatMicros } from '../shared/decimal.ts';
import { categoryWord } from './billing.ts';

// How many messages were delivered, here and by the provider's or an operator's own account.

/** Delivered messages of one category and country. */
export interface Volume {
  /** As the provider's analytics write it, such as `AUTHENTICATION_INTERNATIONAL`. */
  category: string;
  countryCode: string;
  billed: number;
  free: number;
  /**
   * Theirs: what it costs in the currency of the business account, about. Ours: what was recorded as the
   * provider's cost. Null where it is not known.
   */
  cost: number | null;
}

interface VolumeRow {
  category: string;
  countryCode: string;
  ours: Pick<Volume, 'billed' | 'free' | 'cost'>;
  theirs: Pick<Volume, 'billed' | 'free' | 'cost'>;
  /** What they billed less what was recorded as cost, a decimal string; null where a cost is missing. */
  difference: string | null;
  /** Whether the counts agree. */
  isSame: boolean;
}

/** Volumes of both sides. */
export interface Comparison {
  source: string;
  rows: VolumeRow[];
  /** What could not be asked, and why. */
  missing: { what: string; reason: string }[];
}

const nothing = { billed: 0, free: 0, cost: null };

/** Adds volumes by category and country. */
export const createVolumes = () => {
  const rows = new Map<string, Volume>();
  return {
    add(category: string, countryCode: string, counts: Partial<Volume>): void {
      const key = `${category} ${countryCode}`;
      const row = rows.get(key) ?? { category, countryCode, ...nothing };
      row.billed += counts.billed ?? 0;
      row.free += counts.free ?? 0;
      const { cost } = counts;
      if (typeof cost === 'number') row.cost = (row.cost ?? 0) + cost;
      rows.set(key, row);
    },
    list: (): Volume[] => [...rows.values()],
  };
};

/** The provider writes countries in capitals; a lost one is that of numbers without a country. */
export const countryWord = (value: unknown): string =>
  typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : 'ZZ';

export const volumeCategory = (value: unknown): string => categoryWord(value) ?? 'UNKNOWN';

/** A side without messages costs nothing. */
const microsOf = ({ billed, free, cost }: Pick<Volume, 'billed' | 'free' | 'cost'>) =>
  billed + free === 0 ? 0 : cost === null ? null : Math.round(cost * MICROS_PER_UNIT);

const moneyBetween = (...sides: [VolumeRow['theirs'], VolumeRow['ours']]): string | null => {
  const [theirs, ours] = sides.map(microsOf);
  return theirs == null || ours == null ? null : formatMicros(theirs - ours);
};

/** Both sides by category and country. */
export const compareVolumes = (ours: readonly Volume[], theirs: readonly Volume[]): VolumeRow[] => {
  const keyOf = ({ category, countryCode }: Volume) => `${category} ${countryCode}`;
  const own = new Map(ours.map((volume) => [keyOf(volume), volume]));
  const other = new Map(theirs.map((volume) => [keyOf(volume), volume]));
  return [...new Set([...own.keys(), ...other.keys()])].sort().map((key) => {
    const [category = '', countryCode = ''] = key.split(' ');
    const sideOf = ({
      billed,
      free,
      cost,
    }: Omit<Volume, 'category' | 'countryCode'> = nothing) => ({
      billed,
      free,
      cost,
    });
    const [ours, theirs] = [sideOf(own.get(key)), sideOf(other.get(key))];
    const isSame = ours.billed === theirs.billed && ours.free === theirs.free;
    const difference = moneyBetween(theirs, ours);
    return { category, countryCode, ours, theirs, difference, isSame };
  });
};
