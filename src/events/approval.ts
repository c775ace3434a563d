import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';
import { personal } from './personal.ts';

// Where an organisation asks for it, two people are needed for one thing: what one asks for waits for
// the yes of another.

/** What may need two people: movements of money, the plan of an account, an erasure. */
export const FourEyes = z.enum(['grant', 'plan', 'erasure']);
export type FourEyes = z.output<typeof FourEyes>;

const actor = z.object({
  id: z.string(),
  email: z.string().optional(),
  name: z.string().optional(),
});

export const ApprovalRequested = defineEvent(
  'ApprovalRequested',
  z.object({
    approvalId: z.string(),
    operation: FourEyes,
    /** Null for an erasure in all accounts. */
    organisationId: z.string().nullable(),
    accountId: z.string().nullable(),
    /** Method and path template of the request that waits. */
    route: z.string(),
    params: z.record(z.string(), z.string()),
    /** Its body, without the contact. */
    body: z.record(z.string(), z.unknown()),
    /** Of an erasure. */
    contactRef: z.string().optional(),
    contact: personal(z.string()).optional(),
    requestedBy: actor,
    expiresAt: z.iso.datetime(),
  }),
);
/** Another one said yes. */
export const ApprovalGiven = defineEvent('ApprovalGiven', z.object({ approvalId: z.string() }));
export const ApprovalRejected = defineEvent(
  'ApprovalRejected',
  z.object({ approvalId: z.string() }),
);

export const approvalEvents = [ApprovalRequested, ApprovalGiven, ApprovalRejected] as const;
export type ApprovalFact = FactOf<(typeof approvalEvents)[number]>;
