import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { sender } from '../../support/provider.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';
import { calls, MEDIA, TEMPLATE } from '../graph/calls.ts';
import { type Exchange, startRelay } from './relay.ts';

export interface Traffic {
  /** Every call that the service makes. */
  calls: readonly Exchange[];
  /** Calls by hand, for the rest of what the simulator answers. */
  others: readonly Exchange[];
  /** The webhooks of the simulator. */
  notices: readonly Json[];
}

const { phoneNumberId, wabaId, accessToken } = sender();
const CUSTOMER = '447700900123';

/** The templates that the service's calls name. */
const templates = [
  {
    name: 'order_shipped',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Order {{1}}, number {{2}}: {{3}} .' }],
  },
  {
    name: 'otp_verification',
    language: 'en_US',
    category: 'AUTHENTICATION',
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ],
  },
  {
    name: 'hello',
    language: 'en',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello.' }],
  },
  {
    name: 'welcome',
    language: 'en',
    category: 'MARKETING',
    parameter_format: 'NAMED',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hi {{first_name}}, welcome.' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Stop' }] },
    ],
  },
];

type OtherCall = [method: string, path: string, body?: object];

const hello = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  type: 'template',
  template: { name: 'hello', language: { code: 'en' } },
};

/** What the simulator answers beside the service's calls: the rest of its endpoints, and refusals. */
const otherCalls: OtherCall[] = [
  ['GET', `${wabaId}/phone_numbers`],
  ...['15550199938', '15550199939', '15550199901'].map((to): OtherCall => {
    const body = { ...hello, to };
    return ['POST', `${phoneNumberId}/messages`, body];
  }),
  ['POST', `${phoneNumberId}/deregister`, {}],
  ['POST', `${phoneNumberId}/messages`, { messaging_product: 'whatsapp', to: CUSTOMER }],
  ['POST', `${phoneNumberId}/register`, { messaging_product: 'whatsapp', pin: '123456' }],
  ['POST', `${phoneNumberId}/register`, { messaging_product: 'whatsapp', pin: '654321' }],
  ['POST', `${phoneNumberId}/messages`, { messaging_product: 'whatsapp', to: CUSTOMER }],
  ['POST', `${wabaId}/message_templates`, { name: 'A' }],
  ['DELETE', `${wabaId}/message_templates?name=hello`],
  ['DELETE', `${wabaId}/message_templates?name=hello`],
  ['DELETE', `${wabaId}/subscribed_apps`],
];

/** Customers write in every way that the simulator knows. */
const inbounds = [
  { text: 'Hi' },
  { button: { id: 'yes', title: 'Yes' } },
  { row: { id: 'r1', title: 'Row', description: 'The first' } },
  { quickReply: { payload: 'stop', text: 'Stop' } },
  {
    message: {
      type: 'image',
      image: { id: '900', mime_type: 'image/jpeg', sha256: 'c2hh', caption: 'Mine' },
    },
  },
  { message: { type: 'location', location: { latitude: 18.5, longitude: -73.8 } } },
  {
    message: {
      type: 'reaction',
      reaction: { message_id: 'wamid.OUT1', emoji: '👍' },
    },
  },
];

const makeCalls = async (baseUrl: string) => {
  const provider = createGraphProvider({ baseUrl, version: 'v25.0', timeoutMs: 60_000 });
  try {
    for (const { run } of calls) await run(provider);
  } finally {
    await provider.close();
  }
};

const makeOtherCalls = async (baseUrl: string) => {
  for (const [method, path, body] of otherCalls) {
    await fetch(`${baseUrl}/v25.0/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
};

const makeNotices = async (simulator: Simulator) => {
  for (const inbound of inbounds) await simulator.inbound(CUSTOMER, { phoneNumberId, ...inbound });
  const messageId = simulator.sends().find((send) => send.messageId !== null)?.messageId ?? '';
  await simulator.status(messageId, 131026);
};

/** What passes between the service, which makes all its calls, and the simulator. */
export const trafficOf = async (): Promise<Traffic> => {
  const receiver = await startReceiver('secret');
  const simulator = createSimulator({
    appSecret: 'secret',
    webhookUrl: receiver.url,
    timings: { sentMs: 1, deliveredMs: 2, readMs: 3, reviewMs: 1, authenticationReviewMs: 1 },
  });
  const relay = await startRelay(await simulator.start());
  try {
    simulator.setNumber({ phoneNumberId, wabaId });
    const [first] = templates.map((template) => simulator.setTemplate(wabaId, template));
    if (first?.id !== TEMPLATE) throw new Error(`the first template has the id ${first?.id}`);
    const file = { phoneNumberId, mimeType: 'image/png', content: Buffer.from('the bytes') };
    simulator.setMedia({ id: MEDIA, ...file });
    const messageId = 'wamid.IN1';
    await simulator.inbound(CUSTOMER, { phoneNumberId, text: 'Hi', messageId });
    await makeCalls(relay.url);
    const count = relay.exchanges.length;
    await makeNotices(simulator);
    await until('the simulator is quiet', () => simulator.pending() === 0);
    await makeOtherCalls(relay.url);
    return {
      calls: relay.exchanges.slice(0, count),
      others: relay.exchanges.slice(count),
      notices: receiver.bodies.map((text) => JSON.parse(text) as Json),
    };
  } finally {
    await relay.close();
    await simulator.stop();
    await receiver.close();
  }
};
