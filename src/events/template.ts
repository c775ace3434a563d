import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** APPROVED, PENDING or REJECTED: the provider's states as we show them. */
export const TemplateStatus = z.enum(['APPROVED', 'PENDING', 'REJECTED']);
export type TemplateStatus = z.output<typeof TemplateStatus>;

const identity = { wabaId: z.string(), name: z.string(), language: z.string() };
const components = z.array(z.unknown());

/** We submitted it and the provider took it (a new one, or an edit of a rejected one). */
export const TemplateSubmitted = defineEvent(
  'TemplateSubmitted',
  z.object({
    ...identity,
    metaTemplateId: z.string(),
    category: z.string(),
    status: TemplateStatus,
    components,
  }),
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
  }),
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
  TemplateSubmitted,
  TemplateAdopted,
  TemplateStatusChanged,
  TemplateRecategorised,
  TemplateNoticed,
  TemplateRemoved,
] as const;
export type TemplateFact = FactOf<(typeof templateEvents)[number]>;
