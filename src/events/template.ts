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
/** The provider's word on how a template is received, such as GREEN; it may be paused for it later. */
export const TemplateQualityRated = defineEvent(
  'TemplateQualityRated',
  z.object({ ...identity, quality: z.string() }),
);
export const TemplateRemoved = defineEvent('TemplateRemoved', z.object(identity));
export const templateEvents = [
  TemplateSubmitted,
  TemplateAdopted,
  TemplateStatusChanged,
  TemplateRecategorised,
  TemplateQualityRated,
  TemplateRemoved,
] as const;
export type TemplateFact = FactOf<(typeof templateEvents)[number]>;
