import { NONCE_BYTES, TAG_BYTES } from './aes.ts';
import type { Secrets } from './secrets.ts';

// Ids that hold what they stand for, and that only this service can make: nothing is stored.

/** What an id is of: the beginning of its text, and what it is bound to. */
interface IdKind {
  prefix: string;
  context: string;
}

export const sealedIdOf = (
  secrets: Pick<Secrets, 'seal'>,
  { prefix, context }: IdKind,
  value: unknown,
): string => {
  const { key, iv, tag, text } = secrets.seal(JSON.stringify(value), context);
  const bytes = Buffer.concat([iv, tag, text].map((part) => Buffer.from(part, 'base64')));
  return `${prefix}_${key}.${bytes.toString('base64url')}`;
};

const FORM = /^(?<prefix>[a-z]+)_(?<key>\w+)\.(?<bytes>[\w-]+)$/;

/** What an id holds. Throws where it was changed, or is of another kind. */
export const readSealedId = (
  secrets: Pick<Secrets, 'open'>,
  { prefix, context }: IdKind,
  id: string,
): unknown => {
  const { prefix: found, key, bytes: given } = FORM.exec(id)?.groups ?? {};
  if (found !== prefix || key === undefined || given === undefined) throw new Error('no such id');
  const bytes = Buffer.from(given, 'base64url');
  // Several texts decode to the same bytes.
  if (bytes.toString('base64url') !== given) throw new Error('not in its one form');
  const part = (from: number, to?: number) => bytes.subarray(from, to).toString('base64');
  const sealed = {
    key,
    iv: part(0, NONCE_BYTES),
    tag: part(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    text: part(NONCE_BYTES + TAG_BYTES),
  };
  return JSON.parse(secrets.open(sealed, context));
};
