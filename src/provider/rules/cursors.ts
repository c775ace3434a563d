// Cursors of lists, as the provider's: no program can tell what they say.

export const cursorOf = (index: number): string => Buffer.from(`at ${index}`).toString('base64url');

/** The beginning of the list for a cursor that is none. */
export const indexOf = (cursor: string | null | undefined): number =>
  Number(
    Buffer.from(cursor ?? '', 'base64url')
      .toString()
      .slice('at '.length),
  ) || 0;
