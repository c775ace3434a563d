import { findEvent, templateComponents } from '../../../src/commands/sending/catalog.ts';
import type { Content } from '../../../src/events/content.ts';
import { numberFields } from '../../../src/provider/graph/numbers.ts';
import type { Provider, TemplateDraft } from '../../../src/provider/provider.ts';
import { sender } from '../../support/provider.ts';
import { messages } from './messages.ts';

// Every call that the service makes to the provider, with its requests exactly as they go out.

interface Request {
  method: 'GET' | 'POST' | 'DELETE';
  /** After the version. */
  path: string;
  query?: Readonly<Record<string, string>>;
  /** JSON, or the text of a form, with `boundary` as its boundary. */
  body?: object | string;
  /** An answer that lets the call go on. */
  answer: object;
}

export interface Call {
  name: string;
  /** The method of the port. */
  of: keyof Provider;
  run(provider: Provider): Promise<unknown>;
  requests: readonly Request[];
}

/** A call that makes these requests, one after the other. */
const calling = (
  name: string,
  of: keyof Provider,
  run: Call['run'],
  ...requests: Request[]
): Call => ({ name, of, run, requests });
const get = (path: string, query: Record<string, string>, answer: object) =>
  ({ method: 'GET', path, query, answer }) as const;
const post = (path: string, body: object | string, answer: object) =>
  ({ method: 'POST', path, body, answer }) as const;

const from = sender();
const { phoneNumberId: NUMBER, wabaId: ACCOUNT } = from;
/** The first id that the simulator gives. */
export const TEMPLATE = '30000000000000001';
const APP = '600000000000006';
/** A file that the number has. */
export const MEDIA = '900';

const sent = { messages: [{ id: 'wamid.OUT1' }] };
const done = { success: true };

interface Sending {
  to?: string;
  contextMessageId?: string;
  content: Content;
}

const sending = (what: string, outbound: Sending, fields: object): Call => {
  const message = { to: '447700900123', contextMessageId: null, chargeId: 'charge-1', ...outbound };
  const common = { messaging_product: 'whatsapp', recipient_type: 'individual' };
  const body = { ...common, biz_opaque_callback_data: 'charge-1', ...fields };
  const request = post(`${NUMBER}/messages`, body, sent);
  return calling(`sends ${what}`, 'send', (provider) => provider.send(from, message), request);
};

const text: Content = { type: 'text', body: 'Hi', previewUrl: false };
const textFields = { type: 'text', text: { preview_url: false, body: 'Hi' } };
const sends: Call[] = [
  ...Object.values(messages)
    .flat()
    .map(([what, content, fields]) =>
      sending(what, { content }, { to: '+447700900123', ...fields }),
    ),
  sending(
    'an answer to a message',
    { to: '+447700900123', contextMessageId: 'wamid.IN1', content: text },
    { to: '+447700900123', context: { message_id: 'wamid.IN1' }, ...textFields },
  ),
  sending(
    'to a user id',
    { to: 'US.13491208655302741918', content: text },
    { recipient: 'US.13491208655302741918', ...textFields },
  ),
];

const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.IN1' };
const receipt = (name: string, typing: boolean, more: object): Call =>
  calling(
    name,
    'markRead',
    (provider) => provider.markRead(from, { messageId: 'wamid.IN1', typing }),
    post(`${NUMBER}/messages`, { ...read, ...more }, done),
  );
const receipts = [
  receipt('marks a message as read', false, {}),
  receipt('marks a message as read, and shows that it types', true, {
    typing_indicator: { type: 'text' },
  }),
];

const numbers: Call[] = [
  calling(
    'reads a number',
    'readNumber',
    (provider) => provider.readNumber(from),
    get(NUMBER, { fields: numberFields }, { id: NUMBER, platform_type: 'CLOUD_API' }),
  ),
  calling(
    'registers a number',
    'registerNumber',
    (provider) => provider.registerNumber(from, '123456'),
    post(`${NUMBER}/register`, { messaging_product: 'whatsapp', pin: '123456' }, done),
  ),
];

const apps = (...ids: string[]): Request => {
  const data = ids.map((id) => ({ whatsapp_business_api_data: { id } }));
  return get(`${ACCOUNT}/subscribed_apps`, { limit: '100' }, { data });
};
const ownApp = (answer: object): Request => get('app', { fields: 'id' }, answer);
const token = get('debug_token', { input_token: from.accessToken }, { data: { app_id: APP } });

const subscribes = (name: string, ...requests: Request[]): Call =>
  calling(name, 'subscribe', (provider) => provider.subscribe(from), ...requests);
const subscriptions: Call[] = [
  subscribes(
    'subscribes the app to a business account',
    apps(),
    post(`${ACCOUNT}/subscribed_apps`, {}, done),
  ),
  subscribes('finds the app subscribed', apps(APP), ownApp({ id: APP })),
  subscribes('finds the app subscribed, which the token alone tells', apps(APP), ownApp({}), token),
];

const [START, END] = [1_793_491_200, 1_793_577_600];
const volumeFields = [
  `pricing_analytics.start(${START}).end(${END}).granularity(DAILY)`,
  'dimensions(COUNTRY,PHONE,PRICING_CATEGORY,PRICING_TYPE).metric_types(COST,VOLUME)',
].join('.');
const volumes = calling(
  'reads the volumes of a business account',
  'readVolumes',
  (provider) => provider.readVolumes(from, { from: START, to: END }),
  get(ACCOUNT, { fields: volumeFields }, { pricing_analytics: { data: [] } }),
);

const templateFields = 'id,name,language,status,category,components,rejected_reason';
const listed = (query: Record<string, string>, answer: object): Request =>
  get(`${ACCOUNT}/message_templates`, { fields: templateFields, limit: '100', ...query }, answer);
const row = {
  id: TEMPLATE,
  name: 'order_shipped',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [],
};
const one = get(TEMPLATE, { fields: templateFields }, row);
const ofName = listed({ name: 'order_shipped' }, { data: [row] });
const paging = { cursors: { after: 'MQ' }, next: 'https://x.example' };

const templateReads: Call[] = [
  calling(
    'lists templates, page by page',
    'listTemplates',
    (provider) => provider.listTemplates(from),
    listed({}, { data: [row], paging }),
    listed({ after: 'MQ' }, { data: [] }),
  ),
  calling(
    'lists the templates of a name',
    'listTemplates',
    (provider) => provider.listTemplates(from, 'order_shipped'),
    ofName,
  ),
  calling(
    'reads a template',
    'readTemplate',
    (provider) => provider.readTemplate(from, TEMPLATE),
    one,
    ofName,
  ),
];

const catalogDraft = (event: string, name: string): TemplateDraft => {
  const entry = findEvent(event)!;
  const { language, category } = entry;
  return { name, language, category, components: templateComponents(entry) };
};

const submission = (what: string, draft: TemplateDraft, body: object): Call =>
  calling(
    `submits ${what}`,
    'submitTemplate',
    (provider) => provider.submitTemplate(from, draft),
    post(`${ACCOUNT}/message_templates`, body, {
      id: TEMPLATE,
      status: 'PENDING',
      category: draft.category,
    }),
  );

const named: TemplateDraft = {
  name: 'new_welcome',
  language: 'en',
  category: 'MARKETING',
  components: [
    {
      type: 'HEADER',
      format: 'TEXT',
      text: 'For {{first_name}}',
      example: { header_text_named_params: [{ param_name: 'first_name', example: 'Mia' }] },
    },
    {
      type: 'BODY',
      text: 'Hi {{first_name}}, welcome.',
      example: { body_text_named_params: [{ param_name: 'first_name', example: 'Mia' }] },
    },
    { type: 'FOOTER', text: 'Reply STOP to opt out' },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: 'Shop',
          url: 'https://example.org/{{1}}',
          example: ['https://example.org/a'],
        },
        { type: 'QUICK_REPLY', text: 'Stop' },
      ],
    },
  ],
  parameterFormat: 'NAMED',
  messageSendTtlSeconds: 86_400,
};

const submissions: Call[] = [
  submission('a template of the catalog', catalogDraft('order_shipped', 'new_order'), {
    name: 'new_order',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      {
        type: 'BODY',
        text: 'Your order {{1}} has been shipped with tracking number {{2}}. Track it here: {{3}} . Thank you.',
        example: {
          body_text: [['A-1042', 'AWB7788990011', 'https://shop.example.com/track/A-1042']],
        },
      },
    ],
  }),
  submission('a template for codes', catalogDraft('otp_verification', 'new_code'), {
    name: 'new_code',
    language: 'en_US',
    category: 'AUTHENTICATION',
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
    ],
  }),
  submission('a template with named variables', named, {
    name: 'new_welcome',
    language: 'en',
    category: 'MARKETING',
    components: named.components,
    parameter_format: 'NAMED',
    message_send_ttl_seconds: 86_400,
  }),
];

const components = [{ type: 'BODY', text: 'Hello.' }];
const edit = calling(
  'edits a template',
  'editTemplate',
  (provider) => provider.editTemplate(from, TEMPLATE, components),
  post(TEMPLATE, { components }, done),
  one,
);

async function* picture() {
  yield Buffer.from('the bytes');
}
const form = [
  '--boundary',
  'Content-Disposition: form-data; name="messaging_product"',
  '',
  'whatsapp',
  '--boundary',
  'Content-Disposition: form-data; name="type"',
  '',
  'image/png',
  '--boundary',
  'Content-Disposition: form-data; name="file"; filename="a.png"',
  'Content-Type: image/png',
  '',
  'the bytes',
  '--boundary--',
  '',
].join('\r\n');
const media: Call[] = [
  calling(
    'uploads a file',
    'uploadMedia',
    (provider) => {
      const file = { content: picture(), mimeType: 'image/png', filename: 'a.png' };
      return provider.uploadMedia(from, file, new AbortController().signal);
    },
    post(`${NUMBER}/media`, form, { id: '901' }),
  ),
  calling(
    'asks where a file can be read',
    'readMedia',
    (provider) => provider.readMedia(from, MEDIA),
    get(MEDIA, { phone_number_id: NUMBER }, { url: 'https://cdn.example/a' }),
  ),
];

const removed = { name: 'order_shipped', metaTemplateId: TEMPLATE };
const byId = { name: 'order_shipped', hsm_id: TEMPLATE };
const removals: Call[] = [
  calling('removes a file', 'removeMedia', (provider) => provider.removeMedia(from, MEDIA), {
    ...get(MEDIA, { phone_number_id: NUMBER }, done),
    method: 'DELETE',
  }),
  calling(
    'removes a template',
    'removeTemplate',
    (provider) => provider.removeTemplate(from, removed),
    { ...get(`${ACCOUNT}/message_templates`, byId, done), method: 'DELETE' },
  ),
];

export const calls: readonly Call[] = [
  ...sends,
  ...receipts,
  ...media,
  ...numbers,
  ...subscriptions,
  volumes,
  ...templateReads,
  ...submissions,
  edit,
  ...removals,
];
