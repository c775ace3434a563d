/** What one check found. */
export interface Finding {
  /** Of what it is, such as `clock`. */
  name: string;
  /** The account or the number that it is about. */
  about?: string;
  state: 'ok' | 'failed' | 'skipped';
  /** What was seen, in one sentence. */
  detail: string;
  /** What to do; with every `failed`. */
  remedy?: string;
}

type Told = Pick<Finding, 'name' | 'about'>;

export const ok = (told: Told, detail: string): Finding => ({ ...told, state: 'ok', detail });

export const failed = (told: Told, detail: string, remedy: string): Finding => ({
  ...told,
  state: 'failed',
  detail,
  remedy,
});

/** A check that cannot be made, and why. */
export const skipped = (told: Told, detail: string): Finding => ({
  ...told,
  state: 'skipped',
  detail,
});

/** One check after the other: later ones may need what earlier ones found. */
export type Checks = AsyncIterable<Finding>;
