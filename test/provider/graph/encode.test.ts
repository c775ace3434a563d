import { expect } from 'chai';
import type { Content } from '../../../src/events/content.ts';
import { encodeMessage } from '../../../src/provider/rules/message-types.ts';

/** The JSON text that goes out, read again: what the provider sees. */
const encoded = (content: Content, contextMessageId: string | null = null, to = '447700900123') =>
  JSON.parse(
    JSON.stringify(encodeMessage(to, content, { chargeId: 'charge-1', contextMessageId })),
  );

const envelope = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '+447700900123',
  biz_opaque_callback_data: 'charge-1',
};

const golden: [string, Content, object][] = [
  [
    'contacts, untouched',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'A', first_name: 'A' }, odd: null }] },
    { type: 'contacts', contacts: [{ name: { formatted_name: 'A', first_name: 'A' }, odd: null }] },
  ],
  [
    'a reaction',
    { type: 'reaction', messageId: 'wamid.A', emoji: '👍' },
    { type: 'reaction', reaction: { message_id: 'wamid.A', emoji: '👍' } },
  ],
  [
    'the removal of a reaction',
    { type: 'reaction', messageId: 'wamid.A', emoji: '' },
    { type: 'reaction', reaction: { message_id: 'wamid.A', emoji: '' } },
  ],
  [
    'a notification of the catalog',
    {
      type: 'notification',
      name: 'order_shipped',
      language: 'en_US',
      authentication: false,
      parameters: ['A-77', 'AWB1'],
    },
    {
      type: 'template',
      template: {
        name: 'order_shipped',
        language: { code: 'en_US' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'A-77' },
              { type: 'text', text: 'AWB1' },
            ],
          },
        ],
      },
    },
  ],
  [
    'an authentication notification: the code goes twice',
    {
      type: 'notification',
      name: 'otp_verification',
      language: 'en_US',
      authentication: true,
      parameters: ['482913'],
    },
    {
      type: 'template',
      template: {
        name: 'otp_verification',
        language: { code: 'en_US' },
        components: [
          { type: 'body', parameters: [{ type: 'text', text: '482913' }] },
          {
            type: 'button',
            sub_type: 'url',
            index: '0',
            parameters: [{ type: 'text', text: '482913' }],
          },
        ],
      },
    },
  ],
  [
    'a template without variables',
    { type: 'notification', name: 'hello', language: 'en', authentication: false, parameters: [] },
    { type: 'template', template: { name: 'hello', language: { code: 'en' } } },
  ],
  [
    "a template with the caller's components, untouched",
    {
      type: 'template',
      name: 'promo',
      language: 'de',
      components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '7' } }], x: [1] }],
    },
    {
      type: 'template',
      template: {
        name: 'promo',
        language: { code: 'de' },
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { id: '7' } }], x: [1] },
        ],
      },
    },
  ],
  [
    'a template with an empty list of components',
    { type: 'template', name: 'promo', language: 'de', components: [] },
    { type: 'template', template: { name: 'promo', language: { code: 'de' } } },
  ],
  [
    'a text',
    { type: 'text', body: 'See https://example.org/é', previewUrl: true },
    { type: 'text', text: { preview_url: true, body: 'See https://example.org/é' } },
  ],
  [
    'a medium by its address',
    {
      type: 'media',
      mediaType: 'document',
      link: 'https://example.org/i.pdf',
      caption: 'Invoice',
      filename: 'i.pdf',
    },
    {
      type: 'document',
      document: { link: 'https://example.org/i.pdf', caption: 'Invoice', filename: 'i.pdf' },
    },
  ],
  [
    'a medium by its id',
    { type: 'media', mediaType: 'sticker', id: '900' },
    { type: 'sticker', sticker: { id: '900' } },
  ],
  [
    'a location',
    { type: 'location', latitude: 18.52, longitude: -73.85, name: 'Shop', address: '1 Road' },
    {
      type: 'location',
      location: { latitude: 18.52, longitude: -73.85, name: 'Shop', address: '1 Road' },
    },
  ],
  [
    'an interactive message, untouched',
    {
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'Pick' }, action: { a: [] } },
    },
    {
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'Pick' }, action: { a: [] } },
    },
  ],
];

describe('encodeMessage', () => {
  for (const [what, content, expected] of golden) {
    it(`writes ${what}`, () =>
      expect(encoded(content)).to.deep.equal({ ...envelope, ...expected }));
  }

  it('names the message that it answers', () => {
    const text: Content = { type: 'text', body: 'Yes', previewUrl: false };
    expect(encoded(text, 'wamid.IN1').context).to.deep.equal({ message_id: 'wamid.IN1' });
  });

  it('writes one plus before the number', () => {
    const text: Content = { type: 'text', body: 'Yes', previewUrl: false };
    expect(encoded(text, null, '+447700900123').to).to.equal('+447700900123');
  });
});
