import { z } from 'zod';
import { FourEyes } from './approval.ts';
import { defineEvent, type FactOf } from './define.ts';

// Organisations, administrators and API keys. Secrets are stored as keyed hashes.

export const OrganisationCreated = defineEvent(
  'OrganisationCreated',
  z.object({ organisationId: z.string(), name: z.string() }),
);
export const OrganisationSuspended = defineEvent(
  'OrganisationSuspended',
  z.object({ organisationId: z.string(), reason: z.string().nullable() }),
);
export const OrganisationReinstated = defineEvent(
  'OrganisationReinstated',
  z.object({ organisationId: z.string(), reason: z.string().nullable() }),
);
/** What needs the yes of two people in the organisation from here on. */
export const FourEyesSet = defineEvent(
  'FourEyesSet',
  z.object({ organisationId: z.string(), fourEyes: z.array(FourEyes) }),
);
export const organisationEvents = [
  OrganisationCreated,
  OrganisationSuspended,
  OrganisationReinstated,
  FourEyesSet,
] as const;
export type OrganisationFact = FactOf<(typeof organisationEvents)[number]>;

export const AdministratorCreated = defineEvent(
  'AdministratorCreated',
  z.object({
    administratorId: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(['admin', 'auditor']),
    /** The part of the token that identifies it; not secret. */
    prefix: z.string(),
    secretHash: z.string(),
  }),
);
export const AdministratorRevoked = defineEvent(
  'AdministratorRevoked',
  z.object({ administratorId: z.string() }),
);
/** The hash of the token under a newer key; the token is the same. */
export const AdministratorRehashed = defineEvent(
  'AdministratorRehashed',
  z.object({ administratorId: z.string(), secretHash: z.string() }),
);
export const administratorEvents = [
  AdministratorCreated,
  AdministratorRevoked,
  AdministratorRehashed,
] as const;
export type AdministratorFact = FactOf<(typeof administratorEvents)[number]>;

export const ApiKeyCreated = defineEvent(
  'ApiKeyCreated',
  z.object({
    keyId: z.string(),
    accountId: z.string(),
    organisationId: z.string(),
    name: z.string(),
    /** The part of the key that identifies it; not secret. */
    prefix: z.string(),
    secretHash: z.string(),
    /** Null: any origin. Empty: none. */
    allowedOrigins: z.array(z.string()).nullable(),
    /** Requests in 60 seconds. */
    rateLimit: z.int().min(1),
    expiresAt: z.iso.datetime().nullable(),
    /** Null: every scope. Empty: none. */
    scopes: z.array(z.string()).nullable(),
    /** At the gateway the caller's own data of a message stands in for an `Idempotency-Key`. */
    opaqueIsIdempotent: z.literal(true).optional(),
  }),
);
export const ApiKeyStateChanged = defineEvent(
  'ApiKeyStateChanged',
  z.object({ keyId: z.string(), state: z.enum(['active', 'inactive', 'revoked']) }),
);
/** Recorded now and then, not for every request. */
export const ApiKeyUsed = defineEvent(
  'ApiKeyUsed',
  z.object({ keyId: z.string(), usedAt: z.iso.datetime() }),
);
/** The hash under a newer key; the API key is the same. */
export const ApiKeyRehashed = defineEvent(
  'ApiKeyRehashed',
  z.object({ keyId: z.string(), secretHash: z.string() }),
);
export const apiKeyEvents = [
  ApiKeyCreated,
  ApiKeyStateChanged,
  ApiKeyUsed,
  ApiKeyRehashed,
] as const;
export type ApiKeyFact = FactOf<(typeof apiKeyEvents)[number]>;
