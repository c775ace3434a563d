import { z } from 'zod';
import { MediaKind } from '../../events/content.ts';
import { CAPTIONED, counts } from '../../provider/rules/message-limits.ts';
import { findEvent } from '../sending/catalog.ts';
import {
  distinct,
  limits,
  open,
  TEMPLATE_LENGTH_MAX,
  templateText,
  templateUrl,
  variableName,
} from './node-fields.ts';

// The data of nodes that send messages. The limits are the provider's.

const RETRIES_MAX = 10;
const RETRIES_DEFAULT = 3;
const COMPONENTS_MAX = 20;
const VARIABLES_MAX = 50;

const choiceId = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((id) => id === id.trim(), 'must not begin or end with a space');

const mediaSource = {
  link: open(templateUrl.optional()),
  id: open(z.string().max(256).optional()),
};
const hasOneSource = ({ link, id }: { link?: unknown; id?: unknown }) =>
  (link === undefined) !== (id === undefined);
const ONE_SOURCE = 'must have either a link or an id';

export const MessageData = z.object({
  text: templateText(limits.text),
  previewUrl: z.boolean().default(false),
});

export const MediaData = z
  .object({
    mediaType: MediaKind,
    ...mediaSource,
    caption: open(templateText(limits.caption).optional()),
    filename: open(templateText(limits.filename).optional()),
  })
  .refine(hasOneSource, ONE_SOURCE)
  .refine(
    ({ caption, mediaType }) => caption === undefined || CAPTIONED.includes(mediaType),
    'only an image, a video or a document has a caption',
  )
  .refine(
    ({ filename, mediaType }) => filename === undefined || mediaType === 'document',
    'only a document has a filename',
  );

export const LocationData = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: open(templateText(limits.place).optional()),
  address: open(templateText(limits.place).optional()),
});

const scalar = z.union([z.string().max(TEMPLATE_LENGTH_MAX), z.number(), z.boolean()]);

const NamedTemplate = z.object({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'must be a template name'),
  language: open(z.string().min(2).max(20).default('en_US')),
  components: z.array(z.record(z.string(), z.unknown())).max(COMPONENTS_MAX).default([]),
});
const CatalogTemplate = z.object({
  event: z.string().refine((event) => findEvent(event) !== undefined, 'is no event of the catalog'),
  variables: z
    .record(z.string(), scalar)
    .refine((all) => Object.keys(all).length <= VARIABLES_MAX, 'holds too many variables')
    .default({}),
});
const isCatalogTemplate = (data: unknown) =>
  typeof data === 'object' && data !== null && 'event' in data && data.event !== undefined;

/** A template by name, or an event of the catalog with its variables. */
export const TemplateData = z.unknown().transform((data, context) => {
  const parsed = (isCatalogTemplate(data) ? CatalogTemplate : NamedTemplate).safeParse(data);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    context.addIssue({ code: 'custom', path, message });
  }
  return z.NEVER;
});

/** A text, or media as the provider names them. */
const ButtonsHeader = z.union([
  templateText(limits.header),
  z
    .object({ type: z.enum(['image', 'video', 'document']), ...mediaSource })
    .refine(hasOneSource, ONE_SOURCE),
]);

export const ButtonsData = z.object({
  text: templateText(limits.body),
  header: open(ButtonsHeader.optional()),
  footer: open(templateText(limits.footer).optional()),
  buttons: z
    .array(z.object({ id: choiceId(limits.buttonId), title: templateText(limits.buttonTitle) }))
    .min(1)
    .max(counts.buttons)
    .refine((all) => distinct(all.map(({ id }) => id)), 'must have different ids')
    .refine((all) => distinct(all.map(({ title }) => title)), 'must have different titles'),
});

const Section = z.object({
  title: open(templateText(limits.sectionTitle).optional()),
  rows: z
    .array(
      z.object({
        id: choiceId(limits.rowId),
        title: templateText(limits.rowTitle),
        description: open(templateText(limits.rowDescription).optional()),
      }),
    )
    .min(1),
});
const rowIds = (sections: readonly z.output<typeof Section>[]) =>
  sections.flatMap(({ rows }) => rows.map(({ id }) => id));

export const ListData = z.object({
  text: templateText(limits.body),
  header: open(templateText(limits.header).optional()),
  footer: open(templateText(limits.footer).optional()),
  buttonLabel: templateText(limits.buttonTitle),
  sections: z
    .array(Section)
    .min(1)
    .max(counts.sections)
    .refine(
      (all) => rowIds(all).length <= counts.rows,
      `must have ${counts.rows} rows in all at most`,
    )
    .refine((all) => distinct(rowIds(all)), 'must have different row ids')
    .refine(
      (all) => all.length === 1 || all.every(({ title }) => title !== undefined),
      'must each have a title where there are several',
    ),
});

/** Reply to an invalid answer where the node has no `errorText`. */
const ERROR_TEXT = 'Sorry, that does not look right. Please try again.';

const Validation = z
  .object({
    kind: z.enum(['any', 'number', 'email', 'phone', 'date', 'regex']).default('any'),
    pattern: z.string().optional(),
  })
  .refine(({ kind, pattern }) => kind !== 'regex' || Boolean(pattern), 'needs a pattern');

export const QuestionData = z.object({
  text: templateText(limits.text),
  saveAs: open(variableName.optional()),
  validation: open(Validation.default({ kind: 'any' })),
  errorText: open(templateText(limits.text).default(ERROR_TEXT)),
  maxRetries: z.int().min(0).max(RETRIES_MAX).default(RETRIES_DEFAULT),
});
