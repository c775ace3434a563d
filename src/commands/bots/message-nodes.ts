import { z } from 'zod';
import { type Content, MediaKind } from '../../events/content.ts';
import { CAPTIONED, counts } from '../../provider/rules/message-limits.ts';
import { findEvent } from '../sending/catalog.ts';
import { fillVariables, renderPreview } from '../sending/variables.ts';
import { answerKinds, readAnswer } from './answers.ts';
import type { Inbound } from './inbound.ts';
import {
  distinct,
  limits,
  open,
  TEMPLATE_LENGTH_MAX,
  templateText,
  templateUrl,
  VALUE_LENGTH_MAX,
  variableName,
} from './node-fields.ts';
import { type Choice, type FormField, nodeType, saveAsField, TEXT_HINT } from './node-type.ts';
import { awaitReply, DEFAULT, leave, type Outgoing, send, UNKNOWN } from './run.ts';
import {
  hasPlaceholder,
  render,
  renderDeep,
  renderParameter,
  renderUrl,
  renderVisible,
  type Scope,
} from './template.ts';
import { cut } from './text.ts';

// The types of nodes that send messages. The limits are the provider's.

const RETRIES_MAX = 10;
const RETRIES_DEFAULT = 3;
const COMPONENTS_MAX = 20;
const VARIABLES_MAX = 50;

const outgoing = (content: Content, text: string | null): Outgoing => ({
  content,
  text,
  event: null,
});

const textMessage = (template: string, scope: Scope, previewUrl = false): Outgoing => {
  const body = renderVisible(template, scope, limits.text);
  return { content: { type: 'text', body, previewUrl }, text: body, event: null };
};

const text: FormField = { kind: 'area', name: 'text', label: 'Text', hint: TEXT_HINT };
const header: FormField = { kind: 'text', name: 'header', label: 'Header' };
const footer: FormField = { kind: 'text', name: 'footer', label: 'Footer' };
const id: FormField = { kind: 'text', name: 'id', label: 'Id' };
const title: FormField = { kind: 'text', name: 'title', label: 'Title' };

const MessageData = z.object({
  text: templateText(limits.text),
  previewUrl: z.boolean().default(false),
});

const message = nodeType({
  data: MessageData,
  does: 'sends a text inside the 24-hour window, free unless the plan charges replies (`chargeService`)',
  outcomes: [DEFAULT],
  example: { text: 'Hello {{contact.name}}', previewUrl: false },
  form: [text, { kind: 'check', name: 'previewUrl', label: 'Preview the first link' }],
  enter: ({ text, previewUrl }, context) =>
    send(textMessage(text, context.scope, previewUrl), 0, context),
});

const mediaSource = {
  link: open(templateUrl.optional()),
  id: open(z.string().max(256).optional()),
};
const hasOneSource = ({ link, id }: { link?: unknown; id?: unknown }) =>
  (link === undefined) !== (id === undefined);
const ONE_SOURCE = 'must have either a link or an id';

const MediaData = z
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

const mediaMessage = (data: z.output<typeof MediaData>, scope: Scope): Outgoing => {
  const { mediaType, link, id, caption, filename } = data;
  const shown = caption === undefined ? '' : render(caption, scope, limits.caption).trim();
  const content: Content = {
    type: 'media',
    mediaType,
    ...(link !== undefined && { link: renderUrl(link, scope, limits.url) }),
    ...(id !== undefined && { id }),
    ...(shown !== '' && { caption: shown }),
    ...(filename !== undefined && { filename: renderVisible(filename, scope, limits.filename) }),
  };
  return outgoing(content, shown || null);
};

const media = nodeType({
  data: MediaData,
  does: 'sends a file inside the window, as `message` does',
  outcomes: [DEFAULT],
  example: { mediaType: 'image', link: 'https://shop.example/a.jpg', caption: 'Ours' },
  form: [
    {
      kind: 'select',
      name: 'mediaType',
      label: 'Kind',
      fallback: 'image',
      options: MediaKind.options,
    },
    {
      kind: 'way',
      name: '',
      label: 'From',
      ways: {
        id: { words: 'an uploaded file', start: { id: '' } },
        link: { words: 'a link', start: { link: '' } },
      },
    },
    { kind: 'text', name: 'link', label: 'Link', placeholder: 'https://', onWay: 'link' },
    { kind: 'text', name: 'id', label: 'Id of the file', onWay: 'id' },
    {
      kind: 'area',
      name: 'caption',
      label: 'Caption',
      hint: TEXT_HINT,
      unless: { mediaType: ['audio', 'sticker'] },
    },
    {
      kind: 'text',
      name: 'filename',
      label: 'Name of the file',
      when: { mediaType: ['document'] },
    },
  ],
  enter: (data, context) => send(mediaMessage(data, context.scope), 0, context),
});

const LocationData = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: open(templateText(limits.place).optional()),
  address: open(templateText(limits.place).optional()),
});

const locationMessage = (data: z.output<typeof LocationData>, scope: Scope): Outgoing => {
  const { latitude, longitude, name, address } = data;
  const place = {
    ...(name !== undefined && { name: renderVisible(name, scope, limits.place) }),
    ...(address !== undefined && { address: renderVisible(address, scope, limits.place) }),
  };
  return outgoing({ type: 'location', latitude, longitude, ...place }, place.name ?? null);
};

const location = nodeType({
  data: LocationData,
  does: 'sends a place inside the window, as `message` does',
  outcomes: [DEFAULT],
  example: { latitude: 18.52, longitude: 73.85, name: 'Shop', address: '1 Main St' },
  form: [
    { kind: 'number', name: 'latitude', label: 'Latitude', min: -90, max: 90, step: 'any' },
    { kind: 'number', name: 'longitude', label: 'Longitude', min: -180, max: 180, step: 'any' },
    { kind: 'text', name: 'name', label: 'Name' },
    { kind: 'text', name: 'address', label: 'Address' },
  ],
  enter: (data, context) => send(locationMessage(data, context.scope), 0, context),
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
const TemplateData = z.unknown().transform((data, context) => {
  const parsed = (isCatalogTemplate(data) ? CatalogTemplate : NamedTemplate).safeParse(data);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    context.addIssue({ code: 'custom', path, message });
  }
  return z.NEVER;
});

const catalogMessage = (
  event: string,
  variables: Readonly<Record<string, string | number | boolean>>,
  scope: Scope,
): Outgoing => {
  const entry = findEvent(event)!;
  const rendered = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? render(value, scope, limits.parameter) : value,
    ]),
  );
  const { parameters } = fillVariables(entry, rendered);
  const content: Content = {
    type: 'notification',
    name: entry.templateName,
    language: entry.language,
    authentication: entry.category === 'AUTHENTICATION',
    parameters,
  };
  return { content, text: renderPreview(entry, parameters), event };
};

const templateMessage = (data: z.output<typeof TemplateData>, scope: Scope): Outgoing => {
  if ('event' in data) return catalogMessage(data.event, data.variables, scope);
  const renderText = (text: string) =>
    hasPlaceholder(text) ? renderParameter(text, scope, limits.parameter) : text;
  const components = renderDeep(data.components, renderText) as unknown[];
  return outgoing({ type: 'template', name: data.name, language: data.language, components }, null);
};

const template = nodeType({
  data: TemplateData,
  does: 'sends an event of the catalog, or an approved template by `name`, `language` and `components`; billed',
  outcomes: [DEFAULT, 'failed'],
  example: { event: 'order_shipped', variables: { orderId: '{{vars.order}}' } },
  form: [
    {
      kind: 'way',
      name: '',
      label: 'Sends',
      ways: {
        event: { words: 'an event of the catalog', start: { event: '' } },
        name: { words: 'a template by its name', start: { name: '' } },
      },
    },
    { kind: 'text', name: 'name', label: 'Name of the template', onWay: 'name' },
    { kind: 'text', name: 'language', label: 'Language', placeholder: 'en_US', onWay: 'name' },
    {
      kind: 'json',
      name: 'components',
      label: 'Components, as JSON',
      hint: 'As the provider takes them; texts in them are filled in.',
      onWay: 'name',
    },
    { kind: 'event', name: 'event', label: 'Event', onWay: 'event' },
    { kind: 'pairs', name: 'variables', label: 'Variables', hint: TEXT_HINT, onWay: 'event' },
  ],
  enter: (data, context) => send(templateMessage(data, context.scope), 0, context),
  settle(_, result) {
    if (result.type === 'sent') return leave(DEFAULT, { messageId: result.messageId });
    return leave('failed', { detail: result.type === 'not_sent' ? result.detail : UNKNOWN });
  },
});

const footerOf = (footer: string | undefined, scope: Scope) =>
  footer === undefined ? {} : { footer: { text: renderVisible(footer, scope, limits.footer) } };

const textHeader = (text: string, scope: Scope) => ({
  type: 'text',
  text: renderVisible(text, scope, limits.header),
});

const choiceId = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((id) => id === id.trim(), 'must not begin or end with a space');

/** A text, or media as the provider names them. */
const ButtonsHeader = z.union([
  templateText(limits.header),
  z
    .object({ type: z.enum(['image', 'video', 'document']), ...mediaSource })
    .refine(hasOneSource, ONE_SOURCE),
]);

const ButtonsData = z.object({
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

const buttonsHeader = (header: z.output<typeof ButtonsData>['header'], scope: Scope) => {
  if (header === undefined) return {};
  if (typeof header === 'string') return { header: textHeader(header, scope) };
  const { type, link, id } = header;
  const media = link === undefined ? { id } : { link: renderUrl(link, scope, limits.url) };
  return { header: { type, [type]: media } };
};

const buttonsMessage = (data: z.output<typeof ButtonsData>, scope: Scope): Outgoing => {
  const text = renderVisible(data.text, scope, limits.body);
  const buttons = data.buttons.map(({ id, title }) => ({
    type: 'reply',
    reply: { id, title: renderVisible(title, scope, limits.buttonTitle) },
  }));
  const interactive = {
    type: 'button',
    ...buttonsHeader(data.header, scope),
    body: { text },
    ...footerOf(data.footer, scope),
    action: { buttons },
  };
  return outgoing({ type: 'interactive', interactive }, text);
};

/** The outcome of a tap on one of the choices. */
const tapped = (
  [wanted, as]: [kind: Inbound['kind'], as: string],
  choices: readonly Choice[],
  { kind, choice }: Inbound,
) => {
  const isOffered = kind === wanted && choices.some((one) => one.id === choice);
  return leave(isOffered ? `${as}:${choice}` : 'other');
};

const buttons = nodeType({
  data: ButtonsData,
  does: 'asks with up to three buttons, and waits',
  outcomes: [{ each: 'buttons', as: 'button' }, 'other', 'timeout'],
  waits: true,
  example: {
    text: 'Sure?',
    buttons: [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ],
  },
  form: [
    text,
    header,
    footer,
    {
      kind: 'list',
      name: 'buttons',
      label: 'Buttons',
      of: 'button',
      max: counts.buttons,
      idLetter: 'b',
      fresh: { title: '' },
      fields: [id, title],
    },
  ],
  choices: (data) => data.buttons,
  enter: (data, context) => send(buttonsMessage(data, context.scope), 0, context),
  settle: awaitReply,
  answer: (data, inbound) => tapped(['button', 'button'], data.buttons, inbound),
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

const ListData = z.object({
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

const listMessage = (data: z.output<typeof ListData>, scope: Scope): Outgoing => {
  const text = renderVisible(data.text, scope, limits.body);
  const sections = data.sections.map(({ title, rows }) => ({
    ...(title !== undefined && { title: renderVisible(title, scope, limits.sectionTitle) }),
    rows: rows.map((row) => {
      const description = render(row.description ?? '', scope, limits.rowDescription).trim();
      return {
        id: row.id,
        title: renderVisible(row.title, scope, limits.rowTitle),
        ...(description !== '' && { description }),
      };
    }),
  }));
  const interactive = {
    type: 'list',
    ...(data.header !== undefined && { header: textHeader(data.header, scope) }),
    body: { text },
    ...footerOf(data.footer, scope),
    action: { button: renderVisible(data.buttonLabel, scope, limits.buttonTitle), sections },
  };
  return outgoing({ type: 'interactive', interactive }, text);
};

const rowsOf = ({ sections }: z.output<typeof ListData>) => sections.flatMap(({ rows }) => rows);

const list = nodeType({
  data: ListData,
  does: 'asks with up to ten rows, and waits',
  outcomes: [{ each: 'sections.rows', as: 'row' }, 'other', 'timeout'],
  waits: true,
  example: {
    text: 'Which one?',
    buttonLabel: 'Choose',
    sections: [{ title: 'Mugs', rows: [{ id: 'one', title: 'Blue', description: '0.3 l' }] }],
  },
  form: [
    text,
    header,
    footer,
    { kind: 'text', name: 'buttonLabel', label: 'Label of the button' },
    {
      kind: 'list',
      name: 'sections',
      label: 'Sections',
      of: 'section',
      max: counts.sections,
      fresh: { title: '', rows: [] },
      fields: [
        title,
        {
          kind: 'list',
          name: 'rows',
          label: 'Rows',
          of: 'row',
          max: counts.rows,
          idLetter: 'r',
          fresh: { title: '' },
          fields: [id, title, { kind: 'text', name: 'description', label: 'Description' }],
        },
      ],
    },
  ],
  choices: rowsOf,
  enter: (data, context) => send(listMessage(data, context.scope), 0, context),
  settle: awaitReply,
  answer: (data, inbound) => tapped(['list', 'row'], rowsOf(data), inbound),
});

/** Reply to an invalid answer where the node has no `errorText`. */
const ERROR_TEXT = 'Sorry, that does not look right. Please try again.';

const Validation = z
  .object({
    kind: z.enum(answerKinds).default('any'),
    pattern: z.string().optional(),
  })
  .refine(({ kind, pattern }) => kind !== 'regex' || Boolean(pattern), 'needs a pattern');

const QuestionData = z.object({
  text: templateText(limits.text),
  saveAs: open(variableName.optional()),
  validation: open(Validation.default({ kind: 'any' })),
  errorText: open(templateText(limits.text).default(ERROR_TEXT)),
  maxRetries: z.int().min(0).max(RETRIES_MAX).default(RETRIES_DEFAULT),
});

const question = nodeType({
  data: QuestionData,
  does: 'asks for a text, waits for it, and checks it',
  outcomes: [DEFAULT, 'invalid', 'timeout'],
  waits: true,
  example: {
    text: 'Your order?',
    saveAs: 'order',
    validation: { kind: 'any' },
    errorText: 'Such as A-77.',
    maxRetries: RETRIES_DEFAULT,
  },
  form: [
    text,
    saveAsField,
    {
      kind: 'select',
      name: 'validation.kind',
      label: 'The answer is',
      fallback: 'any',
      options: answerKinds,
    },
    {
      kind: 'text',
      name: 'validation.pattern',
      label: 'Pattern',
      when: { 'validation.kind': ['regex'] },
    },
    { kind: 'area', name: 'errorText', label: 'Reply to an invalid answer' },
    {
      kind: 'number',
      name: 'maxRetries',
      label: 'Invalid answers allowed',
      min: 0,
      max: RETRIES_MAX,
      hint: `${RETRIES_DEFAULT} when empty.`,
    },
  ],
  patterns: ({ validation: { kind, pattern } }) => (kind === 'regex' ? [pattern ?? ''] : []),
  enter: (data, context) => send(textMessage(data.text, context.scope), 0, context),
  settle: awaitReply,
  answer({ validation, saveAs, maxRetries, errorText }, inbound, attempts, context) {
    const { scope, budget } = context;
    const answer = readAnswer(validation, inbound.text, scope.contact, budget);
    if (answer !== null) {
      const kept = cut(answer, VALUE_LENGTH_MAX);
      return leave(DEFAULT, saveAs === undefined ? {} : { variables: { [saveAs]: kept } });
    }
    if (attempts >= maxRetries) return leave('invalid');
    return send(textMessage(errorText, scope), attempts + 1, context);
  },
});

export const messageNodes = {
  message,
  media,
  location,
  template,
  buttons,
  list,
  question,
} as const;
