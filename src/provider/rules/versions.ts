/** The versions of the provider's API, oldest first, and the day on which each ends; null while that is not announced. */
const ends: Readonly<Record<string, string | null>> = {
  'v18.0': '2026-01-26',
  'v19.0': '2026-05-21',
  'v20.0': '2026-09-24',
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
  'v26.0': null,
};

/** When a version ends, in ms since 1970; null while that is not announced, undefined for one that is not known. */
export const endOfVersion = (version: string): number | null | undefined => {
  const day = ends[version];
  return typeof day === 'string' ? Date.parse(day) : day;
};

/** The versions that are alive, oldest first. */
export const livingVersions = (now: number): readonly string[] =>
  Object.keys(ends).filter((version) => (endOfVersion(version) ?? Number.POSITIVE_INFINITY) > now);
