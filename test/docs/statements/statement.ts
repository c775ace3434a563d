/** A statement of the contract, in our words, and the tests that would go red if it were broken. */
export interface Statement {
  section: string;
  says: string;
  /** `<file below test, without .test.ts>: <title>`. */
  tests: readonly string[];
  /** Why no test can tell; null where there is one. */
  untestable: string | null;
}

/** What a section says, each thing with its test, its tests, or why there can be none. */
export const section = (
  section: string,
  said: Readonly<Record<string, string | readonly string[] | { untestable: string }>>,
): Statement[] =>
  Object.entries(said).map(([says, how]) =>
    typeof how === 'object' && 'untestable' in how
      ? { section, says, tests: [], untestable: how.untestable }
      : { section, says, tests: [how].flat(), untestable: null },
  );
