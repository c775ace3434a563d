import type { Content } from '../../../src/events/content.ts';

// Messages of each type, and the fields with which the service sends them. Texts are as long as the
// provider takes them.

type Sample<Type> = readonly [
  what: string,
  content: Extract<Content, { type: Type }>,
  fields: object,
];

const words = (length: number) => 'x'.repeat(length);
const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));

const header = { type: 'text', text: words(60) };
const body = { text: words(1024) };
const footer = { text: words(60) };
const reply = (id: string) => ({ type: 'reply', reply: { id, title: id.slice(-20) } });
const row = (id: string) => ({ id, title: id.slice(-24), description: words(72) });
const product = { catalog_id: '500', product_retailer_id: 'shirt-1' };
const flow = { flow_message_version: '3', flow_id: '700', flow_cta: words(20) };
const url = { display_text: words(20), url: 'https://example.org' };
const products = { title: words(24), product_items: [{ product_retailer_id: 'shirt-1' }] };
const person = {
  name: { formatted_name: 'Ana Reis', first_name: 'Ana', last_name: 'Reis' },
  phones: [{ phone: '+551130001000', type: 'WORK', wa_id: '551130001000' }],
  emails: [{ email: 'ana@example.org', type: 'WORK' }],
  addresses: [{ street: 'Rua A 10', city: 'Recife', country: 'Brazil', type: 'HOME' }],
  org: { company: 'X', department: 'Y', title: 'Z' },
  urls: [{ url: 'https://example.org', type: 'WORK' }],
  birthday: '1990-05-30',
};

/** Passes through untouched, so that both sides are the same; its body is as long as it may be. */
const interactive = (
  what: string,
  type: string,
  action: object,
  parts: object = {},
): Sample<'interactive'> => {
  const content = { type: 'interactive' as const, interactive: { type, body, action, ...parts } };
  return [what, content, content];
};
const whole = { header, footer };

const interactives = [
  interactive(
    'three buttons',
    'button',
    { buttons: ['a', 'b', 'c'].map((end) => reply(words(255) + end)) },
    whole,
  ),
  interactive(
    'buttons under a picture',
    'button',
    { buttons: [reply('yes')] },
    { header: { type: 'image', image: { id: '900' } } },
  ),
  interactive(
    'a list of ten rows',
    'list',
    {
      button: words(20),
      sections: [1, 2].map((section) => ({
        title: words(24),
        rows: [1, 2, 3, 4, 5].map((at) => row(words(198) + section + at)),
      })),
    },
    whole,
  ),
  interactive('a product', 'product', product, { footer }),
  interactive(
    'several products',
    'product_list',
    { catalog_id: '500', sections: [products] },
    whole,
  ),
  interactive(
    'a catalog',
    'catalog_message',
    { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: 'shirt-1' } },
    { footer },
  ),
  interactive('a flow', 'flow', { name: 'flow', parameters: flow }, whole),
  interactive('a link', 'cta_url', { name: 'cta_url', parameters: url }, whole),
  interactive('a request for a place', 'location_request_message', { name: 'send_location' }),
];

const order = { name: 'order_shipped', language: 'en_US' };
const code = { name: 'otp_verification', language: 'en_US' };
const template = ({ name, language }: typeof order, ...components: object[]) => ({
  type: 'template',
  template: {
    name,
    language: { code: language },
    ...(components.length > 0 && { components }),
  },
});

const parameters = ['A-77', 'AWB1', 'https://example.org'];
const notifications: readonly Sample<'notification'>[] = [
  [
    'a notification of the catalog',
    { type: 'notification', ...order, authentication: false, parameters },
    template(order, { type: 'body', parameters: texts(...parameters) }),
  ],
  [
    'a notification without variables',
    { type: 'notification', name: 'hello', language: 'en', authentication: false, parameters: [] },
    template({ name: 'hello', language: 'en' }),
  ],
  [
    'a one-time code',
    { type: 'notification', ...code, authentication: true, parameters: ['123456789012345'] },
    template(
      code,
      { type: 'body', parameters: texts('123456789012345') },
      { type: 'button', sub_type: 'url', index: '0', parameters: texts('123456789012345') },
    ),
  ],
];

const named = [
  {
    type: 'header',
    parameters: [{ type: 'image', image: { link: 'https://example.org/a.jpg' } }],
  },
  { type: 'body', parameters: [{ type: 'text', text: 'Mia', parameter_name: 'first_name' }] },
  {
    type: 'button',
    sub_type: 'quick_reply',
    index: '0',
    parameters: [{ type: 'payload', payload: 'stop' }],
  },
];

const medium = (
  mediaType: Extract<Content, { type: 'media' }>['mediaType'],
  source: { id: string } | { link: string },
  more: { caption?: string; filename?: string } = {},
): Sample<'media'> => [
  `${mediaType} by its ${Object.keys(source)}`,
  { type: 'media', mediaType, ...source, ...more },
  { type: mediaType, [mediaType]: { ...source, ...more } },
];
const link = { link: 'https://example.org/file' };
const id = { id: '900' };

/** An entry for each type: a new type does not compile without one. */
export const messages: { [Type in Content['type']]: readonly Sample<Type>[] } = {
  notification: notifications,
  template: [
    [
      'a template without components',
      { type: 'template', name: 'hello', language: 'en', components: [] },
      template({ name: 'hello', language: 'en' }),
    ],
    [
      'a template with named parameters',
      { type: 'template', name: 'welcome', language: 'en', components: named },
      template({ name: 'welcome', language: 'en' }, ...named),
    ],
  ],
  text: [
    [
      'a text',
      { type: 'text', body: words(4096), previewUrl: true },
      { type: 'text', text: { preview_url: true, body: words(4096) } },
    ],
  ],
  media: [
    medium('image', id, { caption: words(1024) }),
    medium('image', link),
    medium('video', link, { caption: words(1024) }),
    medium('audio', id),
    medium('document', link, { caption: words(1024), filename: 'invoice.pdf' }),
    medium('sticker', id),
  ],
  location: [
    [
      'a location',
      { type: 'location', latitude: 18.52, longitude: -73.85, name: 'Shop', address: '1 Road' },
      {
        type: 'location',
        location: { latitude: 18.52, longitude: -73.85, name: 'Shop', address: '1 Road' },
      },
    ],
  ],
  interactive: interactives,
  contacts: [
    [
      'contacts',
      { type: 'contacts', contacts: [person] },
      { type: 'contacts', contacts: [person] },
    ],
  ],
  reaction: [
    [
      'a reaction',
      { type: 'reaction', messageId: 'wamid.IN1', emoji: '👍' },
      { type: 'reaction', reaction: { message_id: 'wamid.IN1', emoji: '👍' } },
    ],
    [
      'the removal of a reaction',
      { type: 'reaction', messageId: 'wamid.IN1', emoji: '' },
      { type: 'reaction', reaction: { message_id: 'wamid.IN1', emoji: '' } },
    ],
  ],
};
