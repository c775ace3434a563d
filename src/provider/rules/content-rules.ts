import type { Content } from '../../events/content.ts';
import { brokenInteractiveRule } from './interactive-rules.ts';
import { CAPTIONED, counts, lengths } from './message-limits.ts';

const WEB_ADDRESS = /^https?:\/\//i;

const tooLong = (field: string, text: string | undefined, max: number) =>
  (text?.length ?? 0) > max
    ? `\`${field}\` has more than ${max} characters, the provider's limit`
    : undefined;

const brokenMediaRule = (media: Extract<Content, { type: 'media' }>): string | undefined => {
  const { mediaType, link, id, caption } = media;
  if (link && id) {
    return 'The provider takes exactly one of `media.link` and `media.id`: leave one out';
  }
  if (link && !WEB_ADDRESS.test(link)) {
    return '`media.link` must begin with https:// or http://: the provider fetches it';
  }
  if (caption && !CAPTIONED.includes(mediaType)) {
    return `\`media.caption\`: the provider takes none with ${mediaType}, only with ${CAPTIONED.join(', ')}`;
  }
  return tooLong('media.caption', caption, lengths.caption);
};

const namePartsOf = ({ name }: Readonly<Record<string, unknown>>): [string, unknown][] =>
  typeof name === 'object' && name !== null
    ? Object.entries(name).filter(([, part]) => typeof part === 'string' && part !== '')
    : [];

const brokenContactsRule = (contacts: Extract<Content, { type: 'contacts' }>['contacts']) => {
  if (contacts.length > counts.contacts) {
    return `\`contacts\` has ${contacts.length} items: the provider takes at most ${counts.contacts}`;
  }
  for (const [at, contact] of contacts.entries()) {
    const parts = namePartsOf(contact).map(([part]) => part);
    if (!parts.includes('formatted_name')) {
      return `\`contacts[${at}].name.formatted_name\` is required by the provider`;
    }
    if (parts.length < 2) {
      return `\`contacts[${at}].name\` needs one more part, such as \`first_name\`: the provider requires it`;
    }
  }
  return undefined;
};

/**
 * The rule of the provider that a message breaks, in words that name the field and the limit. A message
 * that breaks one would be charged, refused and refunded.
 */
export const brokenRule = (
  content: Content,
  { isReply = false }: { isReply?: boolean } = {},
): string | undefined => {
  switch (content.type) {
    case 'text':
      return tooLong('text.body', content.body, lengths.text);
    case 'media':
      return brokenMediaRule(content);
    case 'interactive':
      return brokenInteractiveRule(content.interactive);
    case 'contacts':
      return brokenContactsRule(content.contacts);
    case 'reaction':
      return isReply
        ? '`contextMessageId`: the provider takes none with a reaction, which names its message itself'
        : undefined;
    default:
      return undefined;
  }
};
