const SPAN = /^(\d{1,6})(m|h|d)$/;
const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span of time such as `6h`, in milliseconds; undefined for another text. */
export const spanOf = (text: string): number | undefined => {
  const [, count, unit] = SPAN.exec(text) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * UNIT_MS[unit]!;
};
