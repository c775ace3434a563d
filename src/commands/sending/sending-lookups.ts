import type { Secrets } from '../../shared/secrets.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Lookups, NumberRecord, TemplateRow } from '../core/lookups.ts';
import type { Mirror } from '../templates/mirror.ts';
import { senderOf } from './senders.ts';

export type FoundTemplate = Omit<TemplateRow, 'wabaId'>;

interface Deps {
  lookups: Pick<Lookups, 'templates' | 'windowExpiresAt'>;
  contacts: Pick<Contacts, 'find'>;
  mirror: Pick<Mirror, 'readName'>;
  secrets: Secrets;
}

/** The template that `choose` takes: from the local mirror, else from one live read. */
export const findTemplate = async <Row>(
  { lookups, mirror, secrets }: Omit<Deps, 'contacts'>,
  number: NumberRecord,
  name: string,
  choose: (rows: readonly FoundTemplate[]) => Row | undefined,
  { signal: _, ...context }: CommandContext & { signal?: AbortSignal | undefined },
): Promise<Row | undefined> => {
  const known = choose(await lookups.templates(number.wabaId, name));
  if (known !== undefined) return known;
  const seen = await mirror.readName(senderOf(number, secrets), name, context);
  // Another send, or another instance, may have read the template since this send looked.
  return choose(seen ?? (await lookups.templates(number.wabaId, name, { fresh: true })));
};

/** When the 24-hour window of a recipient at a number closes or closed; null when it never opened. */
export const windowOf = async (
  { lookups, contacts }: Pick<Deps, 'lookups' | 'contacts'>,
  { accountId, phoneNumberId }: NumberRecord,
  to: string,
  { requestId }: CommandContext,
): Promise<number | null> => {
  const contact = await contacts.find(accountId, to, { requestId });
  const windowIn = (contactRef: string) =>
    lookups.windowExpiresAt({ accountId, phoneNumberId, contactRef });
  const expiresAt = contact ? await windowIn(contact.ref) : null;
  // In logs from before contacts had pseudonyms, their ids named them.
  return expiresAt ?? windowIn(to);
};
