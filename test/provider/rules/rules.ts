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
  return interactive('flow', {
    action: { name: 'flow', parameters: { ...right, ...parameters } },
  });
};
const person = { formatted_name: 'Ravi Shah', first_name: 'Ravi' };

/** At the limit the first content passes; the second one breaks the rule whose words match. */
export const rules: [string, BuiltContent, BuiltContent, RegExp][] = [
  [
    'the length of a text',
    { type: 'text', body: words(4096), previewUrl: false },
    { type: 'text', body: words(4097), previewUrl: false },
    /text\.body.*4096/,
  ],
  [
    'the length of a caption',
    media({ link, caption: words(1024) }),
    media({ link, caption: words(1025) }),
    /media\.caption.*1024/,
  ],
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
    'the length of a header',
    interactive('new', { header: { type: 'text', text: words(60) } }),
    interactive('new', { header: { type: 'text', text: words(61) } }),
    /interactive\.header\.text.*60/,
  ],
  [
    'the length of a footer',
    interactive('new', { footer: { text: words(60) } }),
    interactive('new', { footer: { text: words(61) } }),
    /interactive\.footer\.text.*60/,
  ],
  [
    'the length of a body',
    interactive('list', { body: { text: words(1024) } }),
    interactive('list', { body: { text: words(1025) } }),
    /interactive\.body\.text.*1024/,
  ],
  [
    'the length of a button’s title',
    buttons({ id: 'a', title: words(20) }),
    buttons({ id: 'a', title: words(21) }),
    /buttons\[0\]\.reply\.title.*20/,
  ],
  [
    'the length of a button’s id',
    buttons({ id: words(256), title: 'A' }),
    buttons({ id: words(257), title: 'A' }),
    /buttons\[0\]\.reply\.id.*256/,
  ],
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
    'the length of a list’s button',
    interactive('list', { action: { button: words(20) } }),
    interactive('list', { action: { button: words(21) } }),
    /action\.button.*20/,
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
  ['the length of a section’s title', list({ title: words(24) }), list({ title: words(25) }), /24/],
  [
    'the length of a row’s title',
    list({ rows: rows(1, { title: words(24) }) }),
    list({ rows: rows(1, { title: words(25) }) }),
    /rows\[0\]\.title.*24/,
  ],
  [
    'the length of a row’s description',
    list({ rows: rows(1, { description: words(72) }) }),
    list({ rows: rows(1, { description: words(73) }) }),
    /description.*72/,
  ],
  [
    'the length of a row’s id',
    list({ rows: rows(1, { id: words(200) }) }),
    list({ rows: rows(1, { id: words(201) }) }),
    /rows\[0\]\.id.*200/,
  ],
  [
    'a header of media on a list',
    interactive('list', { header: { type: 'text', text: 'A' } }),
    interactive('list', { header: { type: 'image', image: { id: '7' } } }),
    /header.*text/,
  ],
  [
    'the length of a link’s label',
    interactive('cta_url', { action: { parameters: { display_text: words(20) } } }),
    interactive('cta_url', { action: { parameters: { display_text: words(21) } } }),
    /display_text.*20/,
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
    'the length of a flow’s label',
    flow({ flow_cta: words(20) }),
    flow({ flow_cta: words(21) }),
    /flow_cta.*20/,
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
