import { type Data, type NodeField, wayOf } from './node-fields.ts';

const TEXT = 'Placeholders such as {{contact.name}} or {{vars.order}} are filled in.';
const COMPONENTS = 'As the provider takes them; texts in them are filled in.';
const NAME = 'A bare name; texts read it as {{vars.name}}.';

const text: NodeField = { kind: 'area', name: 'text', label: 'Text', hint: TEXT };
const header: NodeField = { kind: 'text', name: 'header', label: 'Header' };
const footer: NodeField = { kind: 'text', name: 'footer', label: 'Footer' };
const saveAs: NodeField = { kind: 'text', name: 'saveAs', label: 'Save as', hint: NAME };

const idsIn = (all: readonly unknown[]) => new Set(all.map((one) => (one as { id?: unknown })?.id));

/** A short id that no other has. */
const freshItem =
  (letter: string, rest: Data) =>
  (all: readonly unknown[]): Data => {
    const used = idsIn(all);
    for (let number = 1; ; number += 1) {
      if (!used.has(`${letter}${number}`)) return { id: `${letter}${number}`, ...rest };
    }
  };

const id: NodeField = { kind: 'text', name: 'id', label: 'Id' };
const title: NodeField = { kind: 'text', name: 'title', label: 'Title' };
const valued = (label = 'Value'): NodeField => ({ kind: 'text', name: 'value', label });

const SOURCES = { id: { id: '' }, link: { link: '' } };

const media = (data: Data): readonly NodeField[] => [
  {
    kind: 'select',
    name: 'mediaType',
    label: 'Kind',
    fallback: 'image',
    options: ['image', 'video', 'audio', 'document', 'sticker'],
  },
  {
    kind: 'way',
    name: '',
    label: 'From',
    ways: SOURCES,
    words: { id: 'an uploaded file', link: 'a link' },
  },
  wayOf(data, SOURCES) === 'link'
    ? { kind: 'text', name: 'link', label: 'Link', placeholder: 'https://' }
    : { kind: 'text', name: 'id', label: 'Id of the file' },
  ...(data.mediaType === 'audio' || data.mediaType === 'sticker'
    ? []
    : [{ kind: 'area', name: 'caption', label: 'Caption', hint: TEXT } as const]),
  ...(data.mediaType === 'document'
    ? [{ kind: 'text', name: 'filename', label: 'Name of the file' } as const]
    : []),
];

const TEMPLATES = { event: { event: '' }, name: { name: '' } };

const template = (data: Data): readonly NodeField[] => [
  {
    kind: 'way',
    name: '',
    label: 'Sends',
    ways: TEMPLATES,
    words: { event: 'an event of the catalog', name: 'a template by its name' },
  },
  ...(wayOf(data, TEMPLATES) === 'name'
    ? ([
        { kind: 'text', name: 'name', label: 'Name of the template' },
        { kind: 'text', name: 'language', label: 'Language', placeholder: 'en_US' },
        { kind: 'json', name: 'components', label: 'Components, as JSON', hint: COMPONENTS },
      ] as const)
    : ([
        { kind: 'event', name: 'event', label: 'Event' },
        { kind: 'pairs', name: 'variables', label: 'Variables', hint: TEXT },
      ] as const)),
];

const rows: NodeField = {
  kind: 'list',
  name: 'rows',
  label: 'Rows',
  of: 'row',
  max: 10,
  fresh: freshItem('r', { title: '' }),
  fields: () => [id, title, { kind: 'text', name: 'description', label: 'Description' }],
};

const OPERATORS = [
  ...['equals', 'not_equals', 'contains', 'starts_with', 'ends_with'],
  ...['greater_than', 'less_than', 'is_empty', 'is_not_empty', 'matches'],
];

const rule = ({ op }: Data): readonly NodeField[] => [
  { kind: 'path', name: 'variable', label: 'Variable' },
  { kind: 'select', name: 'op', label: 'Comparison', options: OPERATORS, fallback: 'equals' },
  ...(op === 'is_empty' || op === 'is_not_empty'
    ? []
    : [valued(op === 'matches' ? 'Pattern' : 'Value')]),
];

const question = ({ validation }: Data): readonly NodeField[] => [
  text,
  saveAs,
  {
    kind: 'select',
    name: 'validation.kind',
    label: 'The answer is',
    fallback: 'any',
    options: ['any', 'number', 'email', 'phone', 'date', 'regex'],
  },
  ...((validation as Data | undefined)?.kind === 'regex'
    ? [{ kind: 'text', name: 'validation.pattern', label: 'Pattern' } as const]
    : []),
  { kind: 'area', name: 'errorText', label: 'Reply to an invalid answer' },
  {
    kind: 'number',
    name: 'maxRetries',
    label: 'Invalid answers allowed',
    min: 0,
    max: 10,
    hint: '3 when empty.',
  },
];

const httpRequest: readonly NodeField[] = [
  {
    kind: 'select',
    name: 'method',
    label: 'Method',
    fallback: 'GET',
    options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  },
  { kind: 'text', name: 'url', label: 'URL', placeholder: 'https://', hint: TEXT },
  { kind: 'pairs', name: 'headers', label: 'Headers' },
  {
    kind: 'json',
    name: 'body',
    label: 'Body, as JSON',
    hint: 'Texts in it are filled in. None when empty.',
  },
  {
    kind: 'number',
    name: 'timeoutMs',
    label: 'Time limit in ms',
    min: 1,
    max: 10_000,
    hint: '5000 when empty.',
  },
  saveAs,
];

const forms: Readonly<Record<string, (data: Data) => readonly NodeField[]>> = {
  message: () => [text, { kind: 'check', name: 'previewUrl', label: 'Preview the first link' }],
  media,
  location: () => [
    { kind: 'number', name: 'latitude', label: 'Latitude', min: -90, max: 90, step: 'any' },
    { kind: 'number', name: 'longitude', label: 'Longitude', min: -180, max: 180, step: 'any' },
    { kind: 'text', name: 'name', label: 'Name' },
    { kind: 'text', name: 'address', label: 'Address' },
  ],
  template,
  buttons: () => [
    text,
    header,
    footer,
    {
      kind: 'list',
      name: 'buttons',
      label: 'Buttons',
      of: 'button',
      max: 3,
      fresh: freshItem('b', { title: '' }),
      fields: () => [id, title],
    },
  ],
  list: () => [
    text,
    header,
    footer,
    { kind: 'text', name: 'buttonLabel', label: 'Label of the button' },
    {
      kind: 'list',
      name: 'sections',
      label: 'Sections',
      of: 'section',
      max: 10,
      fresh: () => ({ title: '', rows: [] }),
      fields: () => [title, rows],
    },
  ],
  question,
  condition: () => [
    { kind: 'select', name: 'match', label: 'True if', options: ['all', 'any'], fallback: 'all' },
    {
      kind: 'list',
      name: 'rules',
      label: 'Rules',
      of: 'rule',
      max: 20,
      fields: rule,
      fresh: () => ({ variable: 'message.text', op: 'equals', value: '' }),
    },
  ],
  switch: () => [
    { kind: 'path', name: 'variable', label: 'Variable' },
    {
      kind: 'list',
      name: 'cases',
      label: 'Cases',
      of: 'case',
      max: 20,
      fresh: freshItem('c', { value: '' }),
      fields: () => [id, valued()],
    },
  ],
  set_variable: () => [
    {
      kind: 'list',
      name: 'assignments',
      label: 'Variables',
      of: 'variable',
      max: 20,
      fresh: () => ({ name: '', value: '' }),
      fields: () => [{ kind: 'text', name: 'name', label: 'Name', hint: NAME }, valued()],
    },
  ],
  delay: () => [
    {
      kind: 'number',
      name: 'seconds',
      label: 'Seconds',
      min: 1,
      max: 86_400,
      hint: 'Up to a day: 86400.',
    },
  ],
  business_hours: () => [
    { kind: 'zone', name: 'timezone', label: 'Time zone' },
    { kind: 'hours', name: 'days', label: 'Open' },
  ],
  http_request: () => httpRequest,
  handoff: () => [
    {
      kind: 'number',
      name: 'minutes',
      label: 'Minutes without bots',
      min: 1,
      max: 43_200,
      hint: 'Up to 30 days: 43200. An hour when empty.',
    },
  ],
};

/** The fields of a node of this type with this data. */
export const fieldsOf = (type: string, data: Data): readonly NodeField[] =>
  forms[type]?.(data) ?? [];
