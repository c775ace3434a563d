import { categoryWord } from './billing.ts';

// How many messages were delivered, here and by the provider's or an operator's own account.

/** Delivered messages of one category and country. */
export interface Volume {
  /** As the provider's analytics write it, such as `AUTHENTICATION_INTERNATIONAL`. */
  category: string;
  countryCode: string;
  billed: number;
  free: number;
}

/** A volume of somebody else's account. */
export interface TheirVolume extends Volume {
  /** What it costs in the currency of the business account, about; null where nobody says. */
  cost: number | null;
}

export interface VolumeRow {
  category: string;
  countryCode: string;
  ours: { billed: number; free: number };
  theirs: { billed: number; free: number; cost: number | null };
  isSame: boolean;
}

/** Volumes of both sides. */
export interface Comparison {
  source: string;
  rows: VolumeRow[];
  /** What could not be asked, and why. */
  missing: { what: string; reason: string }[];
}

const nothing = { billed: 0, free: 0 };

/** Adds volumes by category and country. */
export const createVolumes = () => {
  const rows = new Map<string, TheirVolume>();
  return {
    add(category: string, countryCode: string, counts: Partial<TheirVolume>): void {
      const key = `${category} ${countryCode}`;
      const row = rows.get(key) ?? { category, countryCode, ...nothing, cost: null };
      row.billed += counts.billed ?? 0;
      row.free += counts.free ?? 0;
      const { cost } = counts;
      if (typeof cost === 'number') row.cost = (row.cost ?? 0) + cost;
      rows.set(key, row);
    },
    list: (): TheirVolume[] => [...rows.values()],
  };
};

/** The provider writes countries in capitals; a lost one is that of numbers without a country. */
export const countryWord = (value: unknown): string =>
  typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : 'ZZ';

export const volumeCategory = (value: unknown): string => categoryWord(value) ?? 'UNKNOWN';

/** Both sides by category and country. */
export const compareVolumes = (
  ours: readonly Volume[],
  theirs: readonly TheirVolume[],
): VolumeRow[] => {
  const keyOf = ({ category, countryCode }: Volume) => `${category} ${countryCode}`;
  const own = new Map(ours.map((volume) => [keyOf(volume), volume]));
  const other = new Map(theirs.map((volume) => [keyOf(volume), volume]));
  return [...new Set([...own.keys(), ...other.keys()])].sort().map((key) => {
    const [mine = nothing, their = { ...nothing, cost: null }] = [own.get(key), other.get(key)];
    const [category = '', countryCode = ''] = key.split(' ');
    const ours = { billed: mine.billed, free: mine.free };
    const theirs = { billed: their.billed, free: their.free, cost: their.cost };
    const isSame = ours.billed === theirs.billed && ours.free === theirs.free;
    return { category, countryCode, ours, theirs, isSame };
  });
};
