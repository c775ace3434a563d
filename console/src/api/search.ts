/** A text in the address of a page, cut to a sane length. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value).slice(0, 300);
