import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** APPROVED, PENDING or REJECTED: the provider's states as we show them. */
export const TemplateStatus = z.enum(['APPROVED', 'PENDING', 'REJECTED']);
export type TemplateStatus = z.output<typeof TemplateStatus>;

const identity = { wabaId: z.string(), name: z.string(), language: z.string() };
const components = z.array(z.unknown());
/**
 * The account that submitted it as its own; null for the catalog's templates, and for those that
 * nobody submitted here, such as one made in the provider's own console.
 */
const accountId = z.string().nullable();
const withoutOwner = (v1: Record<string, unknown>) => ({ ...v1, accountId: null });

/**
 * An account is about to submit it as its own. Recorded first: what the provider then shows under the
 * name is nobody else's until it is known what came of it, also when the process dies meanwhile.
 */
export const TemplateClaimed = defineEvent(
  'TemplateClaimed',
  z.object({
    ...identity,
    accountId: z.string(),
    /** Null where an old log does not say it. */
    claimedAt: z.iso.datetime().nullable(),
    /** Whether the provider was read just before, and had none of this name and language. */
    wasAbsent: z.boolean(),
  }),
  [(v1) => ({ ...v1, claimedAt: null, wasAbsent: false })],
);
/** The provider did not take it from this account. */
export const TemplateReleased = defineEvent(
  'TemplateReleased',
  z.object({ ...identity, accountId: z.string() }),
);

/** We submitted it and the provider took it (a new one, or an edit of a rejected one). */
export const TemplateSubmitted = defineEvent(
  'TemplateSubmitted',
  z.object({
    ...identity,
    metaTemplateId: z.string(),
    category: z.string(),
    status: TemplateStatus,
    components,
    accountId,
  }),
  [withoutOwner],
);
/** The provider has it, and we had not seen it before. */
export const TemplateAdopted = defineEvent(
  'TemplateAdopted',
  z.object({
    ...identity,
    metaTemplateId: z.string(),
    category: z.string(),
    status: TemplateStatus,
    statusReason: z.string().nullable(),
    components,
    accountId,
  }),
  [withoutOwner],
);
export const TemplateStatusChanged = defineEvent(
  'TemplateStatusChanged',
  z.object({
    ...identity,
    metaTemplateId: z.string(),
    status: TemplateStatus,
    statusReason: z.string().nullable(),
  }),
);
export const TemplateRecategorised = defineEvent(
  'TemplateRecategorised',
  z.object({ ...identity, category: z.string() }),
);
/**
 * The provider told us something of it, whether or not anything changes with that. Recorded before
 * what it changes, so that the same word again, or an older one, is known.
 */
export const TemplateNoticed = defineEvent(
  'TemplateNoticed',
  z.object({
    ...identity,
    /** Made of what the provider sent. */
    noticeId: z.string(),
    about: z.enum(['status', 'category', 'quality']),
    /** The provider's word, such as PAUSED, MARKETING or YELLOW. */
    word: z.string(),
    /** The provider's own time; null where it gave none. */
    noticedAt: z.iso.datetime().nullable(),
  }),
);
export const TemplateRemoved = defineEvent('TemplateRemoved', z.object(identity));
export const templateEvents = [
  TemplateClaimed,
  TemplateReleased,
  TemplateSubmitted,
  TemplateAdopted,
  TemplateStatusChanged,
  TemplateRecategorised,
  TemplateNoticed,
  TemplateRemoved,
] as const;
export type TemplateFact = FactOf<(typeof templateEvents)[number]>;
