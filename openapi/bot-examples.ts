import type { Examples } from './example.ts';

const NUMBER = '106540352242922';

const nodes = [
  { id: 'begin', type: 'start', position: { x: 0, y: 0 }, data: {} },
  {
    id: 'ask',
    type: 'buttons',
    position: { x: 0, y: 120 },
    data: {
      text: 'Hi {{contact.name}}, what can we do for you?',
      buttons: [
        { id: 'order', title: 'My order' },
        { id: 'human', title: 'Talk to us' },
      ],
    },
  },
  {
    id: 'order',
    type: 'message',
    position: { x: -160, y: 240 },
    data: { text: 'See your orders at https://shop.example/orders' },
  },
  { id: 'human', type: 'handoff', position: { x: 160, y: 240 }, data: { minutes: 60 } },
];

const edges = [
  { id: 'e1', source: 'begin', sourceHandle: 'default', target: 'ask' },
  { id: 'e2', source: 'ask', sourceHandle: 'button:order', target: 'order' },
  { id: 'e3', source: 'ask', sourceHandle: 'button:human', target: 'human' },
];

const summary = {
  id: 'bot_0199e0a1-7c1e-7b60-9a55-2f4b8f1f0c11',
  name: 'First aid',
  description: null,
  trigger: 'KEYWORD',
  triggerKeywords: ['help', 'hello'],
  isActive: true,
  totalExecutions: 0,
  lastExecutedAt: null,
  createdAt: '2026-11-21T09:00:00.000Z',
};

const bot = { ...summary, triggerMatchType: 'CONTAINS', nodes, edges };

const draft = { basis: 1, at: '2026-11-21T10:04:12.000Z', nodes, edges };

const run = {
  id: 'run_0199e0a2-1b7d-7f00-8a3e-0c6f3d1a9b24',
  botId: summary.id,
  phoneNumberId: NUMBER,
  contact: { waId: '919812345678', userId: 'IN.13491208655302741918', name: 'Asha' },
  messageId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUM0E5',
  state: 'waiting',
  waitsFor: 'reply',
  waitsUntil: '2026-11-21T10:50:31.000Z',
  nodeId: 'ask',
  stepCount: 1,
  reason: null,
  detail: null,
  startedAt: '2026-11-21T10:20:31.400Z',
  endedAt: null,
};

const step = {
  nodeId: 'begin',
  nodeType: 'start',
  outcome: 'default',
  nextNodeId: 'ask',
  messageId: null,
  httpStatus: null,
  detail: null,
  variables: {},
};

export const botExamples: Readonly<Record<string, Examples>> = {
  'GET /v1/bots': {
    answer: [
      {
        ...summary,
        phoneNumber: { phoneNumberId: NUMBER, displayPhoneNumber: '+1 555-010-0001' },
      },
    ],
  },
  'GET /v1/bots/:botId': { answer: bot },
  'POST /v1/bots': {
    requests: {
      'A menu': { name: 'First aid', triggerKeywords: ['help', 'hello'], nodes, edges },
    },
    answer: bot,
  },
  'PATCH /v1/bots/:botId': {
    requests: { 'Switch it off': { isActive: false }, Rename: { name: 'Help desk' } },
    answer: { ...bot, isActive: false },
  },
  'DELETE /v1/bots/:botId': { answer: { success: true } },
  'GET /v1/bots/:botId/draft': { answer: { draft } },
  'PUT /v1/bots/:botId/draft': {
    requests: { 'A graph that is not live yet': { nodes, edges } },
    answer: { draft },
  },
  'DELETE /v1/bots/:botId/draft': { answer: { success: true } },
  'POST /v1/bots/:botId/publish': {
    requests: { 'The draft': {}, 'Back to the first version': { version: 1 } },
    answer: bot,
  },
  'POST /v1/bots/:botId/validate': {
    requests: { 'The stored graph': {}, 'Another graph': { nodes, edges: edges.slice(0, 2) } },
    answer: { valid: true, problems: [] },
  },
  'POST /v1/bots/:botId/simulate': {
    requests: {
      'A customer who presses a button': {
        messages: [{ text: 'hello' }, { buttonId: 'order' }],
        contact: { waId: '919812345678', userId: 'IN.13491208655302741918', name: 'Asha' },
      },
    },
    answer: {
      transcript: [
        {
          direction: 'inbound',
          type: 'text',
          text: 'hello',
          nodeId: null,
          at: '2026-11-21T10:20:31.000Z',
        },
        {
          direction: 'outbound',
          type: 'interactive',
          text: 'Hi Asha, what can we do for you?',
          nodeId: 'ask',
          at: '2026-11-21T10:20:31.000Z',
        },
      ],
      path: ['begin', 'ask'],
      steps: [step],
      variables: {},
      ended: false,
      reason: 'reply',
      detail: null,
      wouldStart: true,
    },
  },
  'GET /v1/bots/:botId/versions': {
    answer: {
      versions: [
        {
          version: 1,
          at: summary.createdAt,
          name: summary.name,
          description: null,
          phoneNumberId: null,
          trigger: 'KEYWORD',
          triggerKeywords: summary.triggerKeywords,
          triggerMatchType: 'CONTAINS',
          isActive: true,
          nodes,
          edges,
        },
      ],
      nextCursor: null,
    },
  },
  'GET /v1/bots/:botId/runs': { answer: { runs: [run], nextCursor: null } },
  'GET /v1/bots/:botId/runs/:runId': {
    answer: {
      ...run,
      path: ['begin', 'ask'],
      steps: [{ ...step, at: '2026-11-21T10:20:31.400Z' }],
      variables: {},
      truncated: false,
    },
  },
};
