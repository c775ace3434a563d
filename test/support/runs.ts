/** The runs of a property: few in every run of the tests, many in the series, where its title has the tag. */
export const runs = (few: number, many: number) =>
  [
    [few, ''],
    [many, ' @series'],
  ] as const;
