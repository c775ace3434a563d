import { z } from 'zod';
import type { Position } from '../events/store.ts';

/** What every list takes: how many, and where the page before it ended. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 100, 'must be a whole number from 1 to 100')
    .default(50)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 50 }),
  cursor: z
    .string()
    .max(500)
    .transform((text, context) => {
      const position = decodeCursor(text);
      if (position === undefined) context.addIssue('is not a cursor of this list');
      return position ?? '';
    })
    .optional(),
};

const MARK = 'p:';

/** Opaque to callers: the place of the page's last row in the log. */
export const encodeCursor = (position: Position): string =>
  Buffer.from(MARK + position).toString('base64url');

const decodeCursor = (text: string): Position | undefined => {
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const position = plain.slice(MARK.length);
  const sound = plain.startsWith(MARK) && /^[0-9a-f-]{1,100}$/.test(position);
  return sound && encodeCursor(position) === text ? position : undefined;
};

/** Rows after the cursor, newest first. Stable while new rows arrive: they come before it. */
export const newestFirst = (page: { limit: number; cursor?: Position | undefined }) => ({
  where: page.cursor === undefined ? {} : { order: { lt: page.cursor } },
  order: { field: 'order', direction: 'descending' as const },
  /** One more than asked tells whether there is a next page. */
  limit: page.limit + 1,
});

export const pageOf = <Row extends { order: Position }>(
  rows: readonly Row[],
  limit: number,
): { rows: readonly Row[]; nextCursor: string | null } => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last ? encodeCursor(last.order) : null };
};

/** A moment, in any precision and offset: stored times are compared as texts of one form. */
export const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString());

/** From `since` on, and before `until`; undefined when neither is given. */
export const timeRange = (
  since: string | undefined,
  until: string | undefined,
): { gte?: string; lt?: string } | undefined =>
  since === undefined && until === undefined
    ? undefined
    : { ...(since !== undefined && { gte: since }), ...(until !== undefined && { lt: until }) };
