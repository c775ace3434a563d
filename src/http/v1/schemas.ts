import { z } from 'zod';

// Shapes that several operations of /v1 share. Sections are those of the contract.

export const iso = z.iso.datetime();
export const phoneNumberId = z
  .string()
  .min(1)
  .max(100)
  .describe("The provider's phone number id; not the telephone number.");
/** Contract 4.7 and 8: at least five characters, with no other check. */
export const recipient = z
  .string()
  .min(5)
  .max(200)
  .describe(
    'Who receives it: E.164 with the country code. All but digits is stripped, a leading `00` counts as `+`, and nothing else is checked, so a national number reaches somebody else.',
  );
/** Contract 7.2: the fields of every refusal. */
export const ErrorBody = z.object({ error: z.string(), code: z.string().optional() });

export const CategoryName = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE']);
export const TemplateCategory = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']);

/** Contract 2.1. */
const catalogEntry = z.object({
  event: z.string().describe('The key to send it by.'),
  title: z.string(),
  description: z.string().describe('When it is sent.'),
  group: z.enum(['Authentication', 'Orders', 'Shipping', 'Payments & Returns', 'Marketing']),
  category: TemplateCategory,
  templateName: z.string(),
  language: z.string(),
  variables: z.array(z.string()).describe('In the order of the placeholders: the first is {{1}}.'),
  variableDocs: z.record(z.string(), z.string()).describe('What each variable is.'),
  preview: z.string().describe('The text, with its placeholders.'),
});
export const CatalogEntry = catalogEntry.meta({ title: 'CatalogEntry' });

/** Contract 2.2. */
export const ReadinessEntry = catalogEntry
  .extend({
    status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'NOT_CREATED']),
    statusReason: z.string().nullable().describe('Why the provider rejected it.'),
    ready: z.boolean().describe('Whether it can be sent now.'),
  })
  .meta({ title: 'ReadinessEntry' });

/** Contract 2.4. */
export const PhoneNumber = z.object({
  phoneNumberId: z.string(),
  displayPhoneNumber: z.string(),
  verifiedName: z.string(),
  qualityRating: z
    .enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN'])
    .nullable()
    .describe('At `RED` the provider throttles the number.'),
});

/** Contract 2.6. */
export const MessageStatus = z.object({
  metaMessageId: z.string(),
  status: z
    .string()
    .nullable()
    .describe('`sent`, `delivered`, `read` or `failed`: the farthest that was seen.'),
  statusTimestamp: iso.nullable().describe('When the provider saw it.'),
  messageType: z.string(),
  recipientWaId: z.string().describe('Digits only.'),
  errorCode: z.string().nullable().describe('Only when the status is `failed`.'),
  errorMessage: z.string().nullable(),
  createdAt: iso,
  event: z.string().nullable(),
});

export const GrantedBy = z.object({ id: z.string(), email: z.string(), name: z.string() });

/** Contract 2.7. */
export const LedgerEntry = z.object({
  id: z.string(),
  amount: z.int().describe('Signed: below zero for a deduction.'),
  balanceAfter: z.int(),
  type: z.enum(['DEDUCT', 'REFUND', 'GRANT', 'REVOKE']),
  reason: z.string().nullable().describe('The event of the send, or why it was granted.'),
  metadata: z
    .string()
    .nullable()
    .describe(
      'JSON as a text: `category`, `countryCode`, `providerCost`, `sellPrice`, `chargeId`. A DEDUCT and its REFUND share the `chargeId`.',
    ),
  createdAt: iso,
  grantedBy: GrantedBy.nullable(),
  cause: z
    .enum(['not_sent', 'unknown_outcome', 'disconnected', 'delivery_failed', 'swept'])
    .optional()
    .describe(
      'Of a REFUND only. `not_sent`: nothing went out. `disconnected`: it went out, and the caller had hung up before the answer. `unknown_outcome`: the provider gave no answer. `delivery_failed`: it failed after the provider had taken it. `swept`: the service stopped during the send.',
    ),
});

/** Contract 4.3. */
export const billingHeaders = {
  'X-Message-Category': CategoryName,
  'X-Message-Price': z.string(),
  'X-Credits-Charged': z.int().optional(),
  'X-Credits-Remaining': z.int().optional(),
  'X-Wallet-Balance': z.string().optional(),
};

/** Contract 7.3. */
export const CapReached = ErrorBody.extend({
  limit: z
    .enum(['paused', 'perMinute', 'daily', 'monthly'])
    .describe('Which cap. Only `perMinute` clears by waiting.'),
  usage: z.object({ minute: z.int(), day: z.int(), month: z.int() }),
  limits: z.object({
    perMinute: z.int().nullable(),
    daily: z.int().nullable(),
    monthly: z.int().nullable(),
    paused: z.boolean(),
  }),
});

/** Contract 7.4. */
export const Insufficient = z.object({
  error: z.string(),
  reason: z.enum(['INSUFFICIENT_CREDITS', 'INSUFFICIENT_BALANCE']),
  category: CategoryName,
  creditsRequired: z.int().describe('What the message needed; 0 on a wallet plan.'),
  price: z.string(),
  currency: z.string(),
  balance: z
    .union([z.int(), z.string()])
    .describe('Credits as a number, or the balance of a wallet as a decimal string.'),
});

/** Every event of a message, in the order of the log. */
export const Timeline = z.array(
  z.object({ type: z.string(), at: iso, data: z.record(z.string(), z.unknown()) }),
);

/** The caller's own reference of a message, a filter of the history. */
export const clientReference = z
  .string()
  .max(128)
  .optional()
  .describe('Comes back in the history, which can be filtered by it.');
