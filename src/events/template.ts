import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** The provider's states as the API shows them. */
export const TemplateStatus = z.enum(['APPROVED', 'PENDING', 'REJECTED']);
export type TemplateStatus = z.output<typeof TemplateStatus>;

const identity = { wabaId: z.string(), name: z.string(), language: z.string() };
const components = z.array(z.unknown());
/**
 * The account that submitted it as its own; null for the catalog's templates, and for templates from
 * elsewhere, such as the provider's console.
 */
const accountId = z.string().nullable();
const withoutOwner = (v1: Record<string, unknown>) => ({ ...v1, accountId: null });

/**
 * Recorded before an account submits the template as its own: until the outcome is known, no other
 * account can own the name, even after a crash.
 */
export const TemplateClaimed = defineEvent(
  'TemplateClaimed',
  z.object({
    ...identity,
    accountId: z.string(),
    /** Null in version 1. */
    claimedAt: z.iso.datetime().nullable(),
    /** Whether a reading just before showed no template of this name and language. */
    wasAbsent: z.boolean(),
  }),
  [(v1) => ({ ...v1, claimedAt: null, wasAbsent: false })],
);
/** The provider did not accept the submission. */
export const TemplateReleased = defineEvent(
  'TemplateReleased',
  z.object({ ...identity, accountId: z.string() }),
);

/** The provider accepted a submission: a new template, or an edit of a rejected one. */
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
/** A template of the provider that is new here. */
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
/** A change of category that the provider has announced. */
export const CategoryChange = z.object({
  category: z.string(),
  /** The provider's time of the change; null without one. */
  at: z.iso.datetime().nullable(),
});
export type CategoryChange = z.output<typeof CategoryChange>;
/**
 * The provider announced a change of category, or withdrew it: then `changingTo` is null. A
 * `TemplateRecategorised` ends the announcement as well.
 */
export const TemplateChangeAnnounced = defineEvent(
  'TemplateChangeAnnounced',
  z.object({ ...identity, changingTo: CategoryChange.nullable() }),
);
/** A template as a notice of its state tells of it. */
const NoticedTemplate = z.object({
  metaTemplateId: z.string(),
  /** Null where the notice does not say. */
  category: z.string().nullable(),
  status: TemplateStatus,
  statusReason: z.string().nullable(),
});
export type NoticedTemplate = z.output<typeof NoticedTemplate>;
/**
 * A notice of the provider, whether or not it changes anything. Recorded before its effects, so that
 * a repeated or older notice is recognised.
 */
export const TemplateNoticed = defineEvent(
  'TemplateNoticed',
  z.object({
    ...identity,
    /** Derived from the notice. */
    noticeId: z.string(),
    about: z.enum(['status', 'category', 'quality']),
    /** The provider's word, such as PAUSED, MARKETING or YELLOW. */
    word: z.string(),
    /** The provider's time; null without one. */
    noticedAt: z.iso.datetime().nullable(),
    /** What it says of a template that a running submission may have made. */
    early: NoticedTemplate.optional(),
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
  TemplateChangeAnnounced,
  TemplateNoticed,
  TemplateRemoved,
] as const;
export type TemplateFact = FactOf<(typeof templateEvents)[number]>;
