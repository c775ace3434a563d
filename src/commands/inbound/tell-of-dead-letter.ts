import type { Logger } from '../../shared/logger.ts';
import type { KeptLetter } from './dead-letters.ts';

/** Webhook fields and kinds of items that the metric names; any other is `other`. */
const FIELDS = new Set(
  `status message user_preference template_status template_category template_quality
  phone_quality phone_name account_update messages user_preferences`.split(/\s+/),
);

/** The form of the provider's names; anything else may be content. */
const FIELD_NAME = /^[a-z_]{1,64}$/;

/**
 * Reports a kept dead letter in a log line and a metric: its ids, field and reason, and none of its
 * content.
 */
export const tellOfDeadLetter =
  (logger: Logger, count: (labels: Record<string, string>) => void) =>
  ({ error, kind, field, ...ids }: KeptLetter): void => {
    const isFault = kind === 'failed';
    const why = isFault ? { err: error } : { reason: (error as Error).message };
    const named = FIELD_NAME.test(field) ? field : 'other';
    logger.warn({ ...ids, field: named, kind, ...why }, 'A dead letter was kept');
    count({ field: FIELDS.has(field) ? field : 'other', reason: kind });
  };
