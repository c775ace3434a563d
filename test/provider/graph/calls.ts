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

const sending = (what: string, outbound: Sending, fields: object): Call => ({
  name: `sends ${what}`,
  of: 'send',
  run: (provider) =>
    provider.send(from, {
      to: '447700900123',
      contextMessageId: null,
      chargeId: 'charge-1',
      ...outbound,
    }),
  requests: [
    {
      method: 'POST',
      path: `${NUMBER}/messages`,
      answer: sent,
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        biz_opaque_callback_data: 'charge-1',
        ...fields,
      },
    },
  ],
});

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

const receipt = (typing: boolean): Call => ({
  name: typing ? 'marks a message as read, and shows that it types' : 'marks a message as read',
  of: 'markRead',
  run: (provider) => provider.markRead(from, { messageId: 'wamid.IN1', typing }),
  requests: [
    {
      method: 'POST',
      path: `${NUMBER}/messages`,
      answer: done,
      body: {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: 'wamid.IN1',
        ...(typing && { typing_indicator: { type: 'text' } }),
      },
    },
  ],
});

const numbers: Call[] = [
  {
    name: 'reads a number',
    of: 'readNumber',
    run: (provider) => provider.readNumber(from),
    requests: [
      {
        method: 'GET',
        path: NUMBER,
        answer: { id: NUMBER, platform_type: 'CLOUD_API' },
        query: { fields: numberFields },
      },
    ],
  },
  {
    name: 'registers a number',
    of: 'registerNumber',
    run: (provider) => provider.registerNumber(from, '123456'),
    requests: [
      {
        method: 'POST',
        path: `${NUMBER}/register`,
        answer: done,
        body: { messaging_product: 'whatsapp', pin: '123456' },
      },
    ],
  },
];

const apps = (...ids: string[]): Request => ({
  method: 'GET',
  path: `${ACCOUNT}/subscribed_apps`,
  query: { limit: '100' },
  answer: { data: ids.map((id) => ({ whatsapp_business_api_data: { id } })) },
});
const ownApp = (answer: object): Request => ({
  method: 'GET',
  path: 'app',
  query: { fields: 'id' },
  answer,
});
const token: Request = {
  method: 'GET',
  path: 'debug_token',
  query: { input_token: from.accessToken },
  answer: { data: { app_id: APP } },
};

const subscriptions: Call[] = [
  {
    name: 'subscribes the app to a business account',
    of: 'subscribe',
    run: (provider) => provider.subscribe(from),
    requests: [
      apps(),
      { method: 'POST', path: `${ACCOUNT}/subscribed_apps`, body: {}, answer: done },
    ],
  },
  {
    name: 'finds the app subscribed',
    of: 'subscribe',
    run: (provider) => provider.subscribe(from),
    requests: [apps(APP), ownApp({ id: APP })],
  },
  {
    name: 'finds the app subscribed, which the token alone tells',
    of: 'subscribe',
    run: (provider) => provider.subscribe(from),
    requests: [apps(APP), ownApp({}), token],
  },
];

const [START, END] = [1_793_491_200, 1_793_577_600];
const volumes: Call = {
  name: 'reads the volumes of a business account',
  of: 'readVolumes',
  run: (provider) => provider.readVolumes(from, { from: START, to: END }),
  requests: [
    {
      method: 'GET',
      path: ACCOUNT,
      answer: { pricing_analytics: { data: [] } },
      query: {
        fields: [
          `pricing_analytics.start(${START}).end(${END}).granularity(DAILY)`,
          'dimensions(COUNTRY,PHONE,PRICING_CATEGORY,PRICING_TYPE).metric_types(COST,VOLUME)',
        ].join('.'),
      },
    },
  ],
};

const templateFields = 'id,name,language,status,category,components,rejected_reason';
const listed = (query: Record<string, string>, answer: object): Request => ({
  method: 'GET',
  path: `${ACCOUNT}/message_templates`,
  answer,
  query: { fields: templateFields, limit: '100', ...query },
});
const row = {
  id: TEMPLATE,
  name: 'order_shipped',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [],
};
const one: Request = {
  method: 'GET',
  path: TEMPLATE,
  query: { fields: templateFields },
  answer: row,
};

const templateReads: Call[] = [
  {
    name: 'lists templates, page by page',
    of: 'listTemplates',
    run: (provider) => provider.listTemplates(from),
    requests: [
      listed({}, { data: [row], paging: { cursors: { after: 'MQ' }, next: 'https://x.example' } }),
      listed({ after: 'MQ' }, { data: [] }),
    ],
  },
  {
    name: 'lists the templates of a name',
    of: 'listTemplates',
    run: (provider) => provider.listTemplates(from, 'order_shipped'),
    requests: [listed({ name: 'order_shipped' }, { data: [row] })],
  },
  {
    name: 'reads a template',
    of: 'readTemplate',
    run: (provider) => provider.readTemplate(from, TEMPLATE),
    requests: [one, listed({ name: 'order_shipped' }, { data: [row] })],
  },
];

const catalogDraft = (event: string, name: string): TemplateDraft => {
  const entry = findEvent(event)!;
  const { language, category } = entry;
  return { name, language, category, components: templateComponents(entry) };
};

const submission = (what: string, draft: TemplateDraft, body: object): Call => ({
  name: `submits ${what}`,
  of: 'submitTemplate',
  run: (provider) => provider.submitTemplate(from, draft),
  requests: [
    {
      method: 'POST',
      path: `${ACCOUNT}/message_templates`,
      body,
      answer: { id: TEMPLATE, status: 'PENDING', category: draft.category },
    },
  ],
});

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
const edit: Call = {
  name: 'edits a template',
  of: 'editTemplate',
  run: (provider) => provider.editTemplate(from, TEMPLATE, components),
  requests: [{ method: 'POST', path: TEMPLATE, body: { components }, answer: done }, one],
};

async function* picture() {
  yield Buffer.from('the bytes');
}
const media: Call[] = [
  {
    name: 'uploads a file',
    of: 'uploadMedia',
    run: (provider) => {
      const file = { content: picture(), mimeType: 'image/png', filename: 'a.png' };
      return provider.uploadMedia(from, file, new AbortController().signal);
    },
    requests: [
      {
        method: 'POST',
        path: `${NUMBER}/media`,
        answer: { id: '901' },
        body: [
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
        ].join('\r\n'),
      },
    ],
  },
  {
    name: 'asks where a file can be read',
    of: 'readMedia',
    run: (provider) => provider.readMedia(from, MEDIA),
    requests: [
      {
        method: 'GET',
        path: MEDIA,
        answer: { url: 'https://cdn.example/a' },
        query: { phone_number_id: NUMBER },
      },
    ],
  },
];

const removals: Call[] = [
  {
    name: 'removes a file',
    of: 'removeMedia',
    run: (provider) => provider.removeMedia(from, MEDIA),
    requests: [{ method: 'DELETE', path: MEDIA, query: { phone_number_id: NUMBER }, answer: done }],
  },
  {
    name: 'removes a template',
    of: 'removeTemplate',
    run: (provider) =>
      provider.removeTemplate(from, { name: 'order_shipped', metaTemplateId: TEMPLATE }),
    requests: [
      {
        method: 'DELETE',
        path: `${ACCOUNT}/message_templates`,
        query: { name: 'order_shipped', hsm_id: TEMPLATE },
        answer: done,
      },
    ],
  },
];

export const calls: readonly Call[] = [
  ...sends,
  receipt(false),
  receipt(true),
  ...media,
  ...numbers,
  ...subscriptions,
  volumes,
  ...templateReads,
  ...submissions,
  edit,
  ...removals,
];
