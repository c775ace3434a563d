import { getCountry } from 'countries-and-timezones';
import { LRUCache } from 'lru-cache';
import { offsetAt } from '../../shared/time-zones.ts';
import { placeOf } from '../pricing/market.ts';

/** Zones that show the same time on all of these days ahead count as one. */
const COMPARED_DAYS = 370;
/** Between two changes of a clock lie more days. */
const STEP_DAYS = 5;
const DAY_MS = 24 * 60 * 60_000;

/** By country and month: rules change, seldom. */
const known = new LRUCache<string, readonly string[]>({ max: 500 });

/** The zones of a country whose clocks differ, each by its first name; none of an unknown country. */
export const zonesOfCountry = (country: string, now: number): readonly string[] => {
  const key = `${country} ${Math.floor(now / (30 * DAY_MS))}`;
  const before = known.get(key);
  if (before) return before;
  const byOffsets = new Map<string, string>();
  for (const zone of getCountry(country)?.timezones ?? []) {
    const offsets: number[] = [];
    for (let day = 0; day <= COMPARED_DAYS; day += STEP_DAYS) {
      offsets.push(offsetAt(zone, now + day * DAY_MS));
    }
    const shown = offsets.join();
    if (!byOffsets.has(shown)) byOffsets.set(shown, zone);
  }
  const zones = [...byOffsets.values()];
  known.set(key, zones);
  return zones;
};

/** The zones of the country of a number or a user id. */
export const zonesOf = (to: string, now: number): readonly string[] =>
  zonesOfCountry(placeOf(to).countryCode, now);
