import type { BuiltContent } from '../../../src/provider/rules/message-types.ts';

// The provider's limits of a message, one case for each rule.

type Fields = Record<string, unknown>;

const words = (length: number) => 'x'.repeat(length);
export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const media = (fields: Fields) =>
  ({ type: 'media', mediaType: 'image', ...fields }) as BuiltContent;
const link = 'https://shop.example/a.jpg';

export const interactive = (type: string, fields: Fields): BuiltContent => ({
  type: 'interactive',
  interactive: { type, ...fields },
});
const buttons = (...replies: Fields[]) =>
  interactive('button', {
    action: { buttons: replies.map((reply) => ({ type: 'reply', reply })) },
  });
const list = (...sections: Fields[]) =>
  interactive('list', { action: { button: 'Choose', sections } });
const rows = (count: number, change: Fields = {}) =>
  times(count, (at) => ({ id: `${at}`, title: `Row ${at}`, ...change }));
const row = (change: Fields) => list({ rows: rows(1, change) });
const products = (...counts: number[]) =>
  interactive('product_list', {
    action: {
      sections: counts.map((count, at) => ({
        title: `S${at}`,
        product_items: times(count, String),
      })),
    },
  });
const cards = (count: number, change: Fields = {}) =>
  interactive('carousel', { action: { cards: times(count, () => ({})) }, ...change });
const contacts = (...names: Fields[]): BuiltContent => ({
  type: 'contacts',
  contacts: names.map((name) => ({ name })),
});
const flow = (parameters: Fields) => {
  const right = { flow_message_version: '3', flow_id: '700', flow_cta: 'Open' };
  return interactive('flow', { action: { name: 'flow', parameters: { ...right, ...parameters } } });
};
const url = (parameters: Fields) => interactive('cta_url', { action: { parameters } });
const person = { formatted_name: 'Ravi Shah', first_name: 'Ravi' };

type Rule = [string, BuiltContent, BuiltContent, RegExp];

/** What has at most so many characters, and where the rule says that it stands. */
const lengths: [string, number, (text: string) => BuiltContent, RegExp][] = [
  ['a text', 4096, (body) => ({ type: 'text', body, previewUrl: false }), /text\.body/],
  ['a caption', 1024, (caption) => media({ link, caption }), /media\.caption/],
  [
    'a header',
    60,
    (text) => interactive('new', { header: { type: 'text', text } }),
    /header\.text/,
  ],
  ['a footer', 60, (text) => interactive('new', { footer: { text } }), /footer\.text/],
  ['a body', 1024, (text) => interactive('list', { body: { text } }), /interactive\.body\.text/],
  ['a button’s title', 20, (title) => buttons({ id: 'a', title }), /buttons\[0\]\.reply\.title/],
  ['a button’s id', 256, (id) => buttons({ id, title: 'A' }), /buttons\[0\]\.reply\.id/],
  [
    'a list’s button',
    20,
    (button) => interactive('list', { action: { button } }),
    /action\.button/,
  ],
  ['a section’s title', 24, (title) => list({ title }), /sections\[0\]\.title/],
  ['a row’s title', 24, (title) => row({ title }), /rows\[0\]\.title/],
  ['a row’s description', 72, (description) => row({ description }), /description/],
  ['a row’s id', 200, (id) => row({ id }), /rows\[0\]\.id/],
  ['a link’s label', 20, (text) => url({ display_text: text }), /display_text/],
  ['a flow’s label', 20, (flow_cta) => flow({ flow_cta }), /flow_cta/],
];

/** At the limit the first content passes; the second one breaks the rule whose words match. */
export const rules: Rule[] = [
  ...lengths.map(([what, max, make, where]): Rule => {
    const says = new RegExp(`${where.source}.*${max}`);
    return [`the length of ${what}`, make(words(max)), make(words(max + 1)), says];
  }),
  [
    'a caption on audio',
    media({ mediaType: 'audio', link }),
    media({ mediaType: 'audio', link, caption: 'x' }),
    /audio/,
  ],
  [
    'a caption on a sticker',
    media({ mediaType: 'document', link, caption: 'x' }),
    media({ mediaType: 'sticker', link, caption: 'x' }),
    /sticker/,
  ],
  ['two sources of media', media({ id: '7' }), media({ id: '7', link }), /exactly one/],
  ['a link that is no web address', media({ link }), media({ link: 'ftp://a.example' }), /https/],
  [
    'two buttons with one id',
    buttons({ id: 'a', title: 'A' }, { id: 'b', title: 'B' }),
    buttons({ id: 'a', title: 'A' }, { id: 'a', title: 'B' }),
    /reply\.id.*twice/,
  ],
  [
    'two buttons with one title',
    buttons({ id: 'a', title: 'A' }, { id: 'b', title: 'B' }),
    buttons({ id: 'a', title: 'A' }, { id: 'b', title: 'A' }),
    /reply\.title.*twice/,
  ],
  ['a space around an id', buttons({ id: 'a b' }), buttons({ id: 'a ' }), /space/],
  ['no buttons', buttons({ id: 'a' }), buttons(), /0 items.*1 to 3/],
  [
    'the number of buttons',
    buttons(...times(3, (at) => ({ id: `${at}`, title: `${at}` }))),
    buttons(...times(4, (at) => ({ id: `${at}`, title: `${at}` }))),
    /4 items.*1 to 3/,
  ],
  [
    'the number of rows in all sections',
    list({ title: 'A', rows: rows(5) }, { title: 'B', rows: rows(5) }),
    list({ title: 'A', rows: rows(5) }, { title: 'B', rows: rows(6) }),
    /11 items.*at most 10/,
  ],
  [
    'the number of sections',
    list(...times(10, (at) => ({ title: `${at}` }))),
    list(...times(11, (at) => ({ title: `${at}` }))),
    /11 items.*1 to 10/,
  ],
  [
    'a section without a title among several',
    list({ rows: rows(1) }),
    list({ title: 'A', rows: rows(1) }, { rows: rows(1) }),
    /sections\[1\]\.title/,
  ],
  [
    'a header of media on a list',
    interactive('list', { header: { type: 'text', text: 'A' } }),
    interactive('list', { header: { type: 'image', image: { id: '7' } } }),
    /header.*text/,
  ],
  [
    'a flow without its version',
    flow({}),
    flow({ flow_message_version: 3 }),
    /flow_message_version/,
  ],
  ['a flow by id and by name', flow({}), flow({ flow_name: 'Survey' }), /flow_id.*flow_name/],
  ['a flow’s label', flow({}), flow({ flow_cta: undefined }), /flow_cta.*required/],
  ['an emoji in a flow’s label', flow({}), flow({ flow_cta: 'Go 👍' }), /flow_cta.*emoji/],
  [
    'empty data of a flow',
    flow({ flow_action_payload: { screen: 'A', data: { a: 1 } } }),
    flow({ flow_action_payload: { screen: 'A', data: {} } }),
    /flow_action_payload.data/,
  ],
  [
    'a footer on a request for a place',
    interactive('location_request_message', { body: { text: 'Where?' } }),
    interactive('location_request_message', { footer: { text: 'x' } }),
    /footer.*location_request_message/,
  ],
  [
    'a header on a product',
    interactive('product', { footer: { text: 'x' } }),
    interactive('product', { header: { type: 'text', text: 'x' } }),
    /header.*product/,
  ],
  ['the number of products', products(15, 15), products(15, 16), /31 items.*at most 30/],
  ['too few cards', cards(2), cards(1), /1 items.*2 to 10/],
  ['too many cards', cards(10), cards(11), /11 items.*2 to 10/],
  ['a header on a carousel', cards(2), cards(2, { header: {} }), /header.*carousel/],
  [
    'the number of contacts',
    contacts(...times(257, () => person)),
    contacts(...times(258, () => person)),
    /258 items.*257/,
  ],
  [
    'a contact without a formatted name',
    contacts(person),
    contacts(person, { first_name: 'Ravi' }),
    /contacts\[1\]\.name\.formatted_name/,
  ],
  [
    'a contact with one part of a name',
    contacts(person),
    contacts({ formatted_name: 'Ravi', first_name: '' }),
    /contacts\[0\]\.name.*one more part/,
  ],
];
