import { z } from 'zod';
import { TemplateCategory } from '../../events/category.ts';

/** What an error says beside the fields of the contract; absent where that wants `error` alone. */
export const advice = {
  hint: z.string().optional().describe('What to do next.'),
  docUrl: z.string().optional().describe('The page of this error, at the address of the service.'),
};

// Shapes that several operations of /v1 share. Sections are those of the contract.

export const iso = z.iso.datetime();
/** Who did something. */
export const Actor = z
  .object({
    id: z.string().describe('Id of the administrator or the person.'),
    email: z.string().optional().describe('E-mail; absent once the person is erased.'),
    name: z.string().optional().describe('Name; absent once the person is erased.'),
  })
  .meta({ id: 'Actor' });
export const phoneNumberId = z
  .string()
  .min(1)
  .max(100)
  .describe("The provider's phone number id; not the telephone number.");
export const sender = phoneNumberId
  .optional()
  .describe("The sending number; the account's oldest configured one by default.");
/** Contract 4.7 and 8: at least five characters, with no other check. */
export const recipient = z
  .string()
  .min(5)
  .max(200)
  .describe(
    'The recipient, in E.164 with the country code, or the `userId` of a customer, such as `US.1349…`. Of a number only digits count, a leading `00` counts as `+`. Nothing else is checked: a national number reaches another subscriber.',
  );
export const languageCode = z
  .string()
  .min(1)
  .max(20)
  .optional()
  .describe('Locale of the template; its own by default. `en_US` also finds `en`.');
/** The caller's own reference of a message, a filter of the history. */
export const clientReference = z
  .string()
  .max(128)
  .optional()
  .describe('Your reference of the message, which filters the history.');
/** Of a template's message that the provider accepted, and does not send yet. */
export const providerStatus = z
  .string()
  .optional()
  .describe(
    'Only while the provider holds the message: `held_for_quality_assessment` or `paused`. It may fail later.',
  );
export const success = z.literal(true).describe('Always true.');
export const direction = z
  .enum(['inbound', 'outbound'])
  .describe('`inbound`: from the customer. `outbound`: from the account.');
export const Contact = z
  .object({
    waId: z
      .string()
      .nullable()
      .describe("The customer's number, digits only; null while it is not known."),
    userId: z
      .string()
      .nullable()
      .describe("The provider's id of the customer, such as `US.1349…`; null without one."),
    name: z.string().nullable().describe("Name in the customer's profile."),
  })
  .meta({ id: 'Contact', description: 'The customer.' });
/** Of what was personal and whose keys are destroyed. */
export const erased = z
  .literal(true)
  .optional()
  .describe('Only after an erasure: what was personal in it is null.');
export const error = z.string().describe('The error as text for people.');

export const templateCategory = TemplateCategory.describe(
  'Category of the template, which decides the price.',
);

/** Contract 2.1. */
export const CatalogEntry = z
  .object({
    event: z.string().describe('Event key, which a send names.'),
    title: z.string().describe('Name for people.'),
    description: z.string().describe('When to send the event.'),
    group: z
      .enum(['Authentication', 'Orders', 'Shipping', 'Payments & Returns', 'Marketing'])
      .describe('Group of the event.'),
    category: templateCategory,
    templateName: z.string().describe("The provider's name of the template."),
    language: z.string().describe('Locale of the template, such as `en_US`.'),
    variables: z.array(z.string()).describe('Names in positional order: the first is `{{1}}`.'),
    variableDocs: z.record(z.string(), z.string()).describe('The meaning of each variable.'),
    preview: z.string().describe('The text with its placeholders.'),
  })
  .meta({ id: 'CatalogEntry' });

/** A change of a template's category that the provider has announced. */
export const changingTo = z
  .object({
    category: z.string().describe('The category after the change.'),
    at: iso.nullable().describe("The provider's time of the change; null without one."),
  })
  .optional()
  .describe('Only while the provider has announced a change of the category, and so of the price.');

/** Contract 2.2. */
export const ReadinessEntry = CatalogEntry.extend({
  status: z
    .enum(['APPROVED', 'PENDING', 'REJECTED', 'NOT_CREATED'])
    .describe('State of the template at the provider.'),
  statusReason: z.string().nullable().describe('Why the provider rejected the template.'),
  ready: z.boolean().describe('Whether the event can be sent: true when `APPROVED`.'),
  via: z
    .enum(['template', 'direct'])
    .nullable()
    .describe(
      'How it goes out: `template` when `ready`, `direct` without a template where the account may (Direct Send), else null.',
    ),
  changingTo,
}).meta({ id: 'ReadinessEntry' });

export const Health = z
  .object({
    canSend: z.boolean().describe('False when the number can send nothing at all.'),
    blockers: z.array(z.string()).describe('A sentence for each obstacle, which names the fix.'),
    status: z
      .literal('LIMITED')
      .optional()
      .describe('Only while the number can send, but the provider limits it.'),
    limits: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('A sentence for each limit, with the reason that the provider gives.'),
    directSend: z
      .object({
        state: z
          .enum(['not_onboarded', 'restricted'])
          .describe(
            'The provider has not admitted the business account, or restricts it for its messages.',
          ),
        until: iso.describe('Until then no message goes out without a template, ISO 8601.'),
      })
      .optional()
      .describe(
        'Only for a day after the provider refused a message without a template (Direct Send), in accounts that send such messages.',
      ),
  })
  .describe('Whether the number can send.');

export const messagingLimit = z
  .string()
  .nullable()
  .describe(
    'How many customers may be written to with templates in 24 hours, in the words of the provider, such as `TIER_2K`; null until it says it.',
  );

export const messagingAccountId = z
  .string()
  .nullable()
  .describe('The messaging account that pays, which sends carry; null where none was given.');

/** Contract 2.4. */
export const PhoneNumber = z
  .object({
    phoneNumberId: z.string().describe("The provider's phone number id."),
    displayPhoneNumber: z.string().describe('The telephone number in display form.'),
    verifiedName: z.string().describe('The display name that the provider approved.'),
    qualityRating: z
      .enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN'])
      .nullable()
      .describe('The provider throttles a number at `RED`.'),
    subscribed: z
      .boolean()
      .nullable()
      .describe(
        'Whether the provider sends statuses and messages of the number here; null if unknown.',
      ),
    messagingLimit,
    messagingAccountId,
    health: Health.optional().describe(
      'Only for a number that the provider blocks or limits, or that sends nothing without a template for a day: whether it can send, and why not.',
    ),
  })
  .meta({ id: 'Phone' });

export const contactUserId = z
  .string()
  .nullable()
  .describe("The provider's id of the customer; null where the provider gave none.");

/** Contract 2.6. */
export const MessageStatus = z.object({
  metaMessageId: z.string().describe("The provider's message id that was asked for."),
  status: z
    .string()
    .nullable()
    .describe('`sent`, `delivered`, `read` or `failed`: the farthest that was seen.'),
  statusTimestamp: iso.nullable().describe("The provider's time of the status, ISO 8601."),
  messageType: z.string().describe('Such as `text`, `template` or `image`.'),
  recipientWaId: z
    .string()
    .nullable()
    .describe('The recipient, digits only; null while the number is not known.'),
  contactUserId,
  errorCode: z.string().nullable().describe('Only with the status `failed`.'),
  errorMessage: z.string().nullable().describe("The provider's words, with the status `failed`."),
  createdAt: iso.describe('Time of the send, ISO 8601.'),
  event: z.string().nullable().describe('Event key of the catalog.'),
  erased,
});

/** The provider's refusal of a send, with what the request asked to send: an event or a type. */
export const sendFailed = <Kind extends 'event' | 'type'>(kind: Kind) =>
  z.object({
    error,
    code: z.literal('SEND_FAILED').describe('The error as a code to branch on.'),
    details: z
      .object({
        ...({ [kind]: z.string().describe('As requested.') } as Record<Kind, z.ZodString>),
        template: z.string().nullable().describe('The template, if any.'),
        code: z
          .literal('PROVIDER_UNREACHABLE')
          .optional()
          .describe('Where the provider was not reached: nothing was sent. Absent otherwise.'),
        providerCode: z.int().nullable().describe("The provider's error code."),
        providerMessage: z.string().describe("The provider's words."),
        hint: advice.hint.describe("What to do about the provider's code."),
        docUrl: advice.docUrl,
      })
      .describe('The refusal of the provider.'),
    ...advice,
  });

/** The events of a message, in the order of the log. */
export const Timeline = z
  .array(
    z.object({
      type: z.string().describe('Name of the event, such as `StatusUpdated`.'),
      at: iso.describe('Time of the event, ISO 8601.'),
      by: Actor.optional().describe(
        'The person or the administrator who did it; absent for a key.',
      ),
      data: z.record(z.string(), z.unknown()).describe('Fields of the event.'),
    }),
  )
  .describe('The events of the message, in order.');
