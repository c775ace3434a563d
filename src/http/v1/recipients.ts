import { parseContact } from '../../events/contact.ts';
import type { Idempotent } from '../route/route.ts';

type ContactsOf = NonNullable<Idempotent['contacts']>;

/** The recipient of a send. */
export const recipientIn: ContactsOf = ({ body }) => [parseContact((body as { to: string }).to)];

/** The recipients of a batch, each once. */
export const recipientsIn: ContactsOf = ({ body }) => {
  const { recipients } = body as { recipients: readonly { to: string }[] };
  return [...new Set(recipients.map(({ to }) => parseContact(to)))];
};
