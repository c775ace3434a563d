import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRoutes, openApiDocument } from '../../openapi/document.ts';
import { pascal } from '../../openapi/names.ts';
import { catalog } from '../../src/commands/sending/catalog.ts';

// `npm run openapi` writes the methods and types of the Python client from the routes of callers and from
// the catalog.

const file = join(import.meta.dirname, 'waybill_client/generated.py');

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** Words that neither a field of a class nor a parameter can have as its name. */
const RESERVED = new Set([
  'from',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'class',
  'def',
  'global',
  'None',
]);

const isFieldName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name);

/** The name of an operation as a method. */
export const snake = (name: string): string => {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return RESERVED.has(text) ? `${text}_` : text;
};

/** The argument of a parameter: `from_` for a word of the language. */
const argument = (name: string): string => (RESERVED.has(name) ? `${name}_` : snake(name));

const docLine = (text: string | undefined): string[] =>
  text === undefined ? [] : [`    """${text.replaceAll(/\s+/g, ' ').replaceAll('\\', '')}"""`];

/** Writes the classes of objects, each once, and answers how a schema is written as a type. */
const createTypes = () => {
  const classes: string[] = [];
  const write = (text: string) => {
    if (!classes.includes(text)) classes.push(text);
  };

  const fieldsOf = (name: string, { properties = {}, required = [] }: Schema) =>
    Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, `${name}${pascal(field)}`);
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]` };
    });

  const define = (name: string, schema: Schema): void => {
    const fields = fieldsOf(name, schema);
    if (fields.every(({ field }) => isFieldName(field))) {
      const lines = fields.map(({ field, type }) => `    ${field}: ${type}`);
      const body = [...docLine(schema.description), ...lines];
      write(`class ${name}(TypedDict):\n${body.join('\n') || '    pass'}`);
    } else {
      const lines = fields.map(({ field, type }) => `        "${field}": ${JSON.stringify(type)},`);
      write(`${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)`);
    }
  };

  const typeOf = (schema: Schema, name: string): string => {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const options = schema.anyOf ?? schema.oneOf;
    if (options) {
      const types = options.map((one, index) => typeOf(one, `${name}${index || ''}`));
      return [...new Set(types)].join(' | ');
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => typeOf({ ...schema, type }, name)).join(' | ');
    }
    if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (schema.type !== 'object') return SCALARS[schema.type ?? ''] ?? 'Any';
    if (!schema.properties) return 'dict[str, Any]';
    define(name, schema);
    return name;
  };

  return {
    typeOf,
    /** A class under this name, or another name for what the schema is. */
    add(name: string, schema: Schema): void {
      const type = typeOf(schema, name);
      if (type !== name) classes.push(`${name}: TypeAlias = ${JSON.stringify(type)}`);
    },
    text: () => classes.join('\n\n\n'),
  };
};

type Types = ReturnType<typeof createTypes>;

const jsonOf = (content: Record<string, { schema: Schema }> | undefined): Schema | undefined =>
  content?.['application/json']?.schema;

/** The bodies of sends by event: the compiler then compares `variables` with those of the event. */
const eventClasses = (notification: Schema, batch: Schema): string => {
  const types = createTypes();
  const without = (
    { properties = {}, required = [], ...rest }: Schema,
    left: string[],
  ): Schema => ({
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !left.includes(name)),
    ),
    required: required.filter((name) => !left.includes(name)),
  });
  types.add('NotificationFields', without(notification, ['event', 'variables', 'dryRun']));
  types.add('BatchFields', without(batch, ['event', 'recipients', 'dryRun']));
  types.add('RecipientFields', without(batch.properties!.recipients!.items!, ['variables']));
  const ofEvents = catalog.map(({ event, title, description, variables, variableDocs }) => {
    const name = pascal(event);
    const fields = variables.map((one) => `    #: ${variableDocs[one]}\n    ${one}: VariableValue`);
    return [
      `class ${name}Variables(TypedDict):\n    """${title}. ${description}"""\n\n${fields.join('\n')}`,
      `class ${name}Notification(NotificationFields):\n    event: Literal["${event}"]\n    variables: ${name}Variables`,
      `class ${name}Recipient(RecipientFields):\n    variables: ${name}Variables`,
      `class ${name}Batch(BatchFields):\n    event: Literal["${event}"]\n    recipients: list[${name}Recipient]`,
    ].join('\n\n\n');
  });
  const union = (ending: string): string =>
    catalog
      .map(({ event }) => `    | ${pascal(event)}${ending}`)
      .join('\n')
      .replace('    | ', '    ');
  return `${types.text()}


${ofEvents.join('\n\n\n')}


#: The name of an event of the catalog.
EventName: TypeAlias = Literal[
${catalog.map(({ event }) => `    "${event}",`).join('\n')}
]

#: An event of the catalog with its variables.
Notification: TypeAlias = (
${union('Notification')}
)

#: One event to 1 to 500 recipients.
NotificationBatch: TypeAlias = (
${union('Batch')}
)`;
};

/** Its answer never ends, or it takes a file: written by hand, or left out. */
const BY_HAND = ['uploadMedia', 'followAccount'];

const SENDS: Readonly<Record<string, string>> = {
  sendNotification: 'Notification',
  sendNotificationBatch: 'NotificationBatch',
};

interface Method {
  name: string;
  /** Parameters after `self`, the options left out. */
  parameters: string[];
  isKeyed: boolean;
  isSend: boolean;
  call: string;
  answer: string;
  summary: string;
  list: string | undefined;
  /** Field of a page that holds its rows, and the type of one. */
  row: string | undefined;
  isFile: boolean;
  /** Formats in which the answer is text, not JSON. */
  texts: unknown[] | undefined;
  /** Whether the answer may be that it goes out later. */
  isLater: boolean;
}

/** `create_quote` asks what a send would cost. */
const withoutDryRun = (body: Schema | undefined): Schema | undefined => {
  const { dryRun: _, ...properties } = body?.properties ?? {};
  return body?.properties ? { ...body, properties } : body;
};

const methodOf = (types: Types, verb: string, path: string, operation: Operation): Method => {
  const { operationId: id, parameters = [], requestBody, responses, summary } = operation;
  const [status] = Object.keys(responses).filter((one) => one < '300');
  const answer = jsonOf(responses[status!]!.content);
  const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
  // The answer of a send has the charge of its message; without a body it sends what another call has taken.
  const isSend = isKeyed && requestBody !== undefined && /^send/.test(id);
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const body = withoutDryRun(jsonOf(requestBody?.content));
  const taken: string[] = inPath.map(({ name }) => `${argument(name)}: str`);
  if (body) {
    const name = SENDS[id] ?? `${pascal(id)}Body`;
    if (!SENDS[id]) types.add(name, body);
    taken.push(requestBody?.required ? `body: ${name}` : `body: ${name} | None = None`);
  }
  const texts =
    answer && Object.keys(responses[status!]!.content!).length > 1
      ? inQuery.find(({ name }) => name === 'format')!.schema.enum!.filter((one) => one !== 'json')
      : undefined;
  const named = inQuery.map(({ name, required, schema }) => {
    const type = types.typeOf(schema, `${pascal(id)}${pascal(name)}`);
    return `${argument(name)}: ${type}${required ? '' : ' | None = None'}`;
  });
  const more = isKeyed ? ['idempotency_key: str | None = None'] : [];
  const route = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{_part(${argument(name)})}`);
  const query = inQuery.map(({ name }) => `"${name}": ${argument(name)}`).join(', ');
  const rows = Object.entries(answer?.properties ?? {}).find(([, { type }]) => type === 'array');
  const isPage = answer?.properties?.nextCursor !== undefined && verb === 'get';
  const answerName = `${pascal(id)}Answer`;
  if (answer) types.add(answerName, answer);
  const parts = [
    `"${verb.toUpperCase()}"`,
    route.includes('{') ? `f"${route}"` : `"${route}"`,
    ...(query ? [`query={${query}}`] : []),
    ...(body ? [requestBody?.required ? 'json=body' : 'json=body or {}'] : []),
    ...(isKeyed ? [isSend ? 'is_send=True' : 'is_keyed=True'] : []),
    ...(id === 'sendNotificationBatch' ? ['timeout_seconds=BATCH_SECONDS'] : []),
    ...(texts ? ['is_text=format not in (None, "json")'] : []),
    ...(answer ? [] : ['is_file=True', 'timeout_seconds=FILE_SECONDS']),
  ];
  return {
    name: snake(id),
    parameters: [...taken, '*', ...named, ...more],
    isKeyed,
    isSend,
    call: `Call(${parts.join(', ')})`,
    answer: answerName,
    summary,
    list: isPage ? rows![0] : undefined,
    row: isPage ? types.typeOf(rows![1].items!, `${answerName}${pascal(rows![0])}Item`) : undefined,
    isFile: answer === undefined,
    texts,
    isLater: '202' in responses,
  };
};

const OPTIONS = ['timeout_seconds: float | None = None', 'max_retries: int | None = None'];

const written = (method: Method, isAsync: boolean): string => {
  const { name, parameters, isKeyed, isSend, call, answer, summary, list, row, isFile, texts } =
    method;
  const names = ['timeout_seconds', 'max_retries', ...(isKeyed ? ['idempotency_key'] : [])];
  const options = `{${names.map((one) => `"${one}": ${one}`).join(', ')}}`;
  const type = list
    ? `${isAsync ? 'AsyncList' : 'List'}[${answer}, ${row}]`
    : isFile
      ? 'File'
      : isSend
        ? `Sent${answer}`
        : answer;
  const verb = list ? '_list' : isFile ? '_file' : isSend ? '_send' : '_ask';
  const wait = isAsync && !list ? 'await ' : '';
  const define = isAsync && !list ? 'async def' : 'def';
  const field = list ? `, "${list}"` : '';
  const signature = (answered: string, format?: string): string => {
    const given = parameters.map((one) =>
      format && one.startsWith('format:') ? `format: ${format}` : one,
    );
    const taken = ['self', ...given, ...OPTIONS].map((one) => `        ${one},`).join('\n');
    return `    ${define} ${name}(\n${taken}\n    ) -> ${answered}:`;
  };
  const overloads = texts
    ? [
        signature(type, 'Literal["json"] | None = None'),
        signature('str', `Literal[${texts.map(literal).join(', ')}]`),
      ].map((one) => `    @overload\n${one} ...\n\n`)
    : [];
  return `${overloads.join('')}${signature(texts ? `${type} | str` : type)}
        """${summary}."""
        return ${wait}self.${verb}(${call}${field}, ${options})`;
};

/** The module as text. */
export const generated = (): string => {
  const routes = describedRoutes().filter(({ path }) => path.startsWith('/v1/'));
  const { paths, components } = JSON.parse(JSON.stringify(openApiDocument(routes))) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const types = createTypes();
  for (const [name, schema] of Object.entries(components.schemas)) types.add(name, schema);
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, { operationId }]) => operationId && !BY_HAND.includes(operationId))
      .map(([verb, operation]) => methodOf(types, verb, path, operation)),
  );
  const bodyOf = (path: string) => jsonOf(paths[path]!.post!.requestBody?.content)!;
  const events = eventClasses(
    bodyOf('/v1/notifications/send'),
    bodyOf('/v1/notifications/send/batch'),
  );
  const sent = operations
    .filter(({ isSend }) => isSend)
    .map(({ answer, isLater }) => {
      const later =
        '#: Where it is to go out later: then there is no message yet.\n    scheduled: NotRequired[Later]';
      return `class Sent${answer}(${answer}, Sent):\n    ${isLater ? later : 'pass'}`;
    });
  const methods = (isAsync: boolean) =>
    operations.map((method) => written(method, isAsync)).join('\n\n');
  return `# Written by \`npm run openapi\`: change the routes or the catalog instead.
# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload
from urllib.parse import quote

from .client import AsyncCalls, AsyncList, Calls, File, List, Sent
from .transport import BATCH_SECONDS, FILE_SECONDS, Call

#: What a variable may be; the customer reads it as text.
VariableValue: TypeAlias = str | int | float | bool


def _part(text: str) -> str:
    return quote(text, safe="")


${types.text()}


${sent.join('\n\n\n')}


${events}


class Operations(Calls):
    """The operations of the service."""

${methods(false)}


class AsyncOperations(AsyncCalls):
    """The operations of the service, for asyncio."""

${methods(true)}
`;
};

if (import.meta.main) writeFileSync(file, generated());
