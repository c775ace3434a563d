import { z } from 'zod';
import { forwardedTypes } from '../src/commands/inbound/forward.ts';
import type { Schema, SchemaWriter } from './schema.ts';

/** Contract 6: the request to the callback URL of a number. */
export const ForwardedMessage = z.object({
  phoneNumberId: z.string().describe('Which number of the account received the message.'),
  from: z
    .string()
    .nullable()
    .describe('The sender, digits only: the value to use as `to` in a reply. Null if hidden.'),
  contactUserId: z
    .string()
    .optional()
    .describe("The provider's id of the sender: the value to use as `to` where `from` is null."),
  type: z.enum(forwardedTypes).describe('Which field of `message` holds the content.'),
  message: z
    .looseObject({
      id: z.string().describe('The key by which to drop duplicates.'),
      timestamp: z.string().describe('Unix seconds, as a text.'),
      type: z.string(),
      context: z
        .looseObject({ id: z.string().optional() })
        .optional()
        .describe('Present when the customer replied to a message; `id` is that message.'),
    })
    .describe("The provider's message object, verbatim."),
  contact: z
    .looseObject({
      wa_id: z.string().nullable().optional(),
      user_id: z.string().optional(),
      profile: z.looseObject({ name: z.string().optional() }).optional(),
    })
    .optional()
    .describe('Absent when the provider sent no contact record.'),
  timestamp: z.iso.datetime().describe('When the message was forwarded, not when it was written.'),
});

const contact = { wa_id: '919812345678', profile: { name: 'Asha' } };
const head = { phoneNumberId: '106540352242922', from: '919812345678' };
const sent = { from: '919812345678', timestamp: '1795256431' };

export const forwardedExamples: Record<string, z.input<typeof ForwardedMessage>> = {
  'A text': {
    ...head,
    type: 'text',
    message: {
      ...sent,
      id: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUM0E5',
      type: 'text',
      text: { body: 'Can you deliver after six?' },
    },
    contact,
    timestamp: '2026-11-21T10:20:31.400Z',
  },
  'A tap on a button': {
    ...head,
    type: 'interactive',
    message: {
      ...sent,
      id: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUM0F2',
      type: 'interactive',
      context: { id: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSOUI1RjE2' },
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    },
    contact,
    timestamp: '2026-11-21T10:21:02.118Z',
  },
};

const examples = Object.entries(forwardedExamples).map(([name, value]) => [
  name,
  { summary: name, value },
]);

export const webhooks = (schemas: SchemaWriter): Schema => ({
  inboundMessage: {
    post: {
      operationId: 'receiveInboundMessage',
      tags: ['Messages'],
      summary: 'A customer wrote: what your callback URL receives',
      description:
        'Posted once to the URL of `PATCH /v1/phones/{phoneNumberId}/webhook`, with 5 seconds to answer and no second try. ' +
        'It carries no signature: put a secret segment in the URL, compare it in constant time, and trust nothing else in the body but `from`. ' +
        'The same message can come twice; `message.id` tells. Answer 200 at once and work afterwards. ' +
        'A request to stop arrives as an ordinary text: record it, and check it before each marketing message.',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemas.write(ForwardedMessage, 'output'),
            examples: Object.fromEntries(examples),
          },
        },
      },
      responses: {
        200: { description: 'The body of your answer is ignored.' },
        '4XX': { description: 'Is noted in the timeline of the message, and not tried again.' },
      },
    },
  },
});
