import { hash } from 'node:crypto';
import type { World } from './world.ts';

interface Named {
  /** The customer's digits, or user id. */
  contact: string;
  phoneNumberId: string;
  direction: 'inbound' | 'outbound';
}

/** The bytes that precede the random part, which is 20 or 18 hexadecimal digits long. */
const FORMS = {
  inbound: { mark: 0x12, digits: 20 },
  outbound: { mark: 0x11, digits: 18 },
} as const;

/** A new id of a message as the provider makes them: base64 of bytes that hold the customer's number. */
export const newMessageId = (
  { clock, nextId }: Pick<World, 'clock' | 'nextId'>,
  { contact, phoneNumberId, direction }: Named,
): string => {
  const { mark, digits } = FORMS[direction];
  const unique = hash('sha256', `${phoneNumberId} ${contact} ${clock.now()} ${nextId()}`);
  const bytes = Buffer.concat([
    Buffer.of(0x1c, 0x18, contact.length),
    Buffer.from(contact),
    Buffer.of(0x15, 0x02, 0x00, mark, 0x18, digits),
    Buffer.from(unique.slice(0, digits).toUpperCase()),
    Buffer.of(0x00),
  ]);
  return `wamid.${bytes.toString('base64')}`;
};
