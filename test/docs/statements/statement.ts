/** A statement of the contract, in our words, and the tests that would go red if it were broken. */
export interface Statement {
  section: string;
  says: string;
  /** `<file below test, without .test.ts>: <title>`. */
  tests: readonly string[];
  /** Why no test can tell; null where there is one. */
  untestable: string | null;
}

export const tested = (section: string, says: string, ...tests: readonly string[]): Statement => ({
  section,
  says,
  tests,
  untestable: null,
});

export const untested = (section: string, says: string, untestable: string): Statement => ({
  section,
  says,
  tests: [],
  untestable,
});
