import { isUserId } from '../../events/contact.ts';
import type { Content } from '../../events/content.ts';

/** A message as the provider's send call takes it. */
type ProviderMessage = Record<string, unknown>;

const textParameters = (values: readonly string[]) =>
  values.map((text) => ({ type: 'text', text }));

const template = (name: string, language: string, components: readonly unknown[]) => ({
  name,
  language: { code: language },
  ...(components.length > 0 && { components }),
});

/** The provider wants the code twice: for the text and for the button that copies it. */
const authenticationComponents = (parameters: readonly string[]) => [
  { type: 'body', parameters: textParameters(parameters) },
  {
    type: 'button',
    sub_type: 'url',
    index: '0',
    parameters: textParameters(parameters.slice(0, 1)),
  },
];

const notificationComponents = ({
  authentication,
  parameters,
}: Extract<Content, { type: 'notification' }>): unknown[] => {
  if (parameters.length === 0) return [];
  if (authentication) return authenticationComponents(parameters);
  return [{ type: 'body', parameters: textParameters(parameters) }];
};

/** The part of the message that its type names; an unknown type does not compile. */
const encodeContent = (content: Content): ProviderMessage => {
  switch (content.type) {
    case 'notification': {
      const components = notificationComponents(content);
      return { type: 'template', template: template(content.name, content.language, components) };
    }
    case 'template':
      return {
        type: 'template',
        template: template(content.name, content.language, content.components),
      };
    case 'text':
      return { type: 'text', text: { preview_url: content.previewUrl, body: content.body } };
    case 'media': {
      // Keys without a value vanish when the message is written as JSON.
      const { mediaType, id, link, caption, filename, voice } = content;
      return { type: mediaType, [mediaType]: { id, link, caption, filename, voice } };
    }
    case 'location': {
      const { latitude, longitude, name, address } = content;
      return { type: 'location', location: { latitude, longitude, name, address } };
    }
    case 'interactive':
      return { type: 'interactive', interactive: content.interactive };
    case 'contacts':
      return { type: 'contacts', contacts: content.contacts };
    case 'reaction': {
      const { messageId, emoji } = content;
      return { type: 'reaction', reaction: { message_id: messageId, emoji } };
    }
    default:
      return content satisfies never;
  }
};

const recipientOf = (to: string): ProviderMessage => {
  if (isUserId(to)) return { recipient: to };
  return { to: to.startsWith('+') ? to : `+${to}` };
};

/**
 * Encodes a message for the provider. A number gets a `+`: without one the provider may take it for a
 * national number of the sender's country. The charge's id comes back in every status update.
 */
export const encodeMessage = (
  to: string,
  content: Content,
  {
    chargeId,
    contextMessageId,
    messagingAccountId,
  }: {
    chargeId: string;
    contextMessageId: string | null;
    messagingAccountId?: string | null | undefined;
  },
): ProviderMessage => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...recipientOf(to),
  ...(contextMessageId !== null && { context: { message_id: contextMessageId } }),
  biz_opaque_callback_data: chargeId,
  messaging_account_id: messagingAccountId ?? undefined,
  ...encodeContent(content),
});

/** Encodes a read receipt, which may show that a reply is being written. */
export const encodeReceipt = (messageId: string, typing: boolean): ProviderMessage => ({
  messaging_product: 'whatsapp',
  status: 'read',
  message_id: messageId,
  ...(typing && { typing_indicator: { type: 'text' } }),
});
