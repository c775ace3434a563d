import { z } from 'zod';

/** Ids of a recipient, where no other field or event tells them. */
export const shownIds = z.object({
  /** Digits, or a user id while the number is not known. */
  waId: z.string().nullable(),
  userId: z.string().optional(),
});

type Old = Record<string, unknown>;

const recipientOf = ({ recipientWaId, recipientUserId }: Old): Old | null =>
  (recipientWaId ?? null) === null && recipientUserId === undefined
    ? null
    : { waId: recipientWaId, userId: recipientUserId };

/** Older versions held the ids in clear, and named the contact by one of them. */
export const withRecipient = ({ recipientWaId, recipientUserId, ...older }: Old): Old => ({
  ...older,
  contactRef: recipientWaId ?? recipientUserId ?? '',
  recipient: recipientOf({ recipientWaId, recipientUserId }),
});
