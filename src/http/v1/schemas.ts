import { z } from 'zod';

// Shapes that several operations of /v1 share. Sections are those of the contract.

export const iso = z.iso.datetime();
export const phoneNumberId = z.string().min(1).max(100);
/** Contract 4.7 and 8: five characters at least, and nothing else is checked. */
export const recipient = z.string().min(5).max(200);
/** Contract 7.2: what every refusal carries. */
export const ErrorBody = z.object({ error: z.string(), code: z.string().optional() });

export const CategoryName = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE']);
export const TemplateCategory = z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']);

/** Contract 2.1. */
export const CatalogEntry = z.object({
  event: z.string(),
  title: z.string(),
  description: z.string(),
  group: z.enum(['Authentication', 'Orders', 'Shipping', 'Payments & Returns', 'Marketing']),
  category: TemplateCategory,
  templateName: z.string(),
  language: z.string(),
  variables: z.array(z.string()),
  variableDocs: z.record(z.string(), z.string()),
  preview: z.string(),
});

/** Contract 2.2. */
export const ReadinessEntry = CatalogEntry.extend({
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'NOT_CREATED']),
  statusReason: z.string().nullable(),
  ready: z.boolean(),
});

/** Contract 2.4. */
export const PhoneNumber = z.object({
  phoneNumberId: z.string(),
  displayPhoneNumber: z.string(),
  verifiedName: z.string(),
  qualityRating: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).nullable(),
});

/** Contract 2.6. */
export const MessageStatus = z.object({
  metaMessageId: z.string(),
  status: z.string().nullable(),
  statusTimestamp: iso.nullable(),
  messageType: z.string(),
  recipientWaId: z.string(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  createdAt: iso,
  event: z.string().nullable(),
});

export const GrantedBy = z.object({ id: z.string(), email: z.string(), name: z.string() });

/** Contract 2.7. */
export const LedgerEntry = z.object({
  id: z.string(),
  amount: z.int(),
  balanceAfter: z.int(),
  type: z.enum(['DEDUCT', 'REFUND', 'GRANT', 'REVOKE']),
  reason: z.string().nullable(),
  metadata: z.string().nullable(),
  createdAt: iso,
  grantedBy: GrantedBy.nullable(),
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
  limit: z.enum(['paused', 'perMinute', 'daily', 'monthly']).optional(),
  usage: z.object({ minute: z.int(), day: z.int(), month: z.int() }).optional(),
  limits: z
    .object({
      perMinute: z.int().nullable(),
      daily: z.int().nullable(),
      monthly: z.int().nullable(),
      paused: z.boolean(),
    })
    .optional(),
});

/** Contract 7.4. */
export const Insufficient = z.object({
  error: z.string(),
  reason: z.enum(['INSUFFICIENT_CREDITS', 'INSUFFICIENT_BALANCE']),
  category: CategoryName,
  creditsRequired: z.int(),
  price: z.string(),
  currency: z.string(),
  balance: z.union([z.int(), z.string()]),
});
