// A Postman collection (format 2.1) of the reference: what Postman, Bruno and Insomnia import.

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  example?: unknown;
}

interface Content {
  schema: { properties?: Record<string, { contentMediaType?: string; description?: string }> };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  summary: string;
  description?: string;
  tags: readonly [string, ...string[]];
  security: readonly Record<string, unknown>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, Content> };
}

export interface Reference {
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The fields of `npm run demo -- --json`, by name. */
export const VARIABLES = {
  baseUrl: 'http://127.0.0.1:8080/api',
  apiKey: '',
  adminToken: '',
  organisationId: '',
  accountId: '',
  phoneNumberId: '',
};

/** The owner of an `{id}` is the word before it in the path. */
const OWNERS: Readonly<Record<string, string>> = {
  accounts: 'accountId',
  organisations: 'organisationId',
};

const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
});

const exampleOf = ({ name, example }: Parameter, before?: string): string => {
  const variable = name === 'id' && before !== undefined ? OWNERS[before] : name;
  return variable !== undefined && Object.hasOwn(VARIABLES, variable)
    ? `{{${variable}}}`
    : String(example ?? '');
};

const urlOf = (path: string, parameters: readonly Parameter[]) => {
  const words = path.slice(1).split('/');
  const segments = words.map((word) => word.replace(/^\{(.*)\}$/, ':$1'));
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      key: parameter.name,
      value: exampleOf(parameter),
      description: parameter.description,
      ...(parameter.required ? {} : { disabled: true }),
    }));
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => ({
      key: parameter.name,
      value: exampleOf(parameter, words[words.indexOf(`{${parameter.name}}`) - 1]),
      description: parameter.description,
    }));
  const asked = query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 ? { query } : {}),
    ...(variable.length > 0 ? { variable } : {}),
  };
};

/** The first example: an operation is one request, which can be sent as it stands. */
const bodyOf = (content: Record<string, Content>) => {
  const form = content['multipart/form-data'];
  if (form) {
    const fields = Object.entries(form.schema.properties ?? {});
    const formdata = fields.map(([key, { contentMediaType, description }]) =>
      contentMediaType === undefined
        ? { key, type: 'text', value: exampleOf({ name: key, in: 'query' }), description }
        : { key, type: 'file', src: [], description },
    );
    return { mode: 'formdata', formdata };
  }
  const json = content['application/json'];
  const example = json?.example ?? Object.values(json?.examples ?? {})[0]?.value ?? {};
  const raw = JSON.stringify(example, null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
};

const headersOf = ({ parameters = [], requestBody }: Operation) => [
  ...(requestBody?.content['application/json']
    ? [{ key: 'Content-Type', value: 'application/json' }]
    : []),
  ...parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name: key, description }) => ({
      key,
      value: '{{$guid}}',
      description,
      disabled: true,
    })),
];

const itemOf = (path: string, method: string, operation: Operation) => ({
  name: operation.summary,
  request: {
    method: method.toUpperCase(),
    description: operation.description,
    header: headersOf(operation),
    url: urlOf(path, operation.parameters ?? []),
    ...(operation.requestBody ? { body: bodyOf(operation.requestBody.content) } : {}),
    ...(operation.security.some((one) => 'administrator' in one)
      ? { auth: bearer('adminToken') }
      : {}),
  },
});

/** A folder for each tag, in the order of the reference. */
export const collectionOf = ({ info, paths }: Reference) => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const folders = Map.groupBy(operations, ({ operation }) => operation.tags[0]);
  return {
    info: { name: info.title, version: info.version, schema: SCHEMA },
    auth: bearer('apiKey'),
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    item: [...folders].map(([name, requests]) => ({
      name,
      item: requests.map(({ path, method, operation }) => itemOf(path, method, operation)),
    })),
  };
};
