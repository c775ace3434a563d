import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { describedRoutes, openApiDocument } from '../../openapi/document.ts';
import { catalog } from '../../src/commands/sending/catalog.ts';

// `npm run openapi` writes the client's types from the routes of callers and from the catalog.

const folder = join(import.meta.dirname, 'src/generated');

/** The generator builds its text with a compiler's interface that ours no longer has. */
const loadGenerator = async () => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const isItsOwn = context.parentURL?.includes('/openapi-typescript/');
      return next(isItsOwn && specifier === 'typescript' ? 'typescript-ast' : specifier, context);
    },
  });
  try {
    const generator = await import('openapi-typescript');
    return { openapiTS: generator.default, astToString: generator.astToString };
  } finally {
    hooks.deregister();
  }
};

/** Types need no examples, and would be twice as long with them. */
const withoutExamples = (value: unknown, isProperties = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutExamples(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      !isProperties && (name === 'example' || name === 'examples')
        ? []
        : [[name, withoutExamples(one, name === 'properties')]],
    ),
  );
};

/** The types of a reference, as text. */
export const typesOf = async (reference: object): Promise<string> => {
  const { openapiTS, astToString } = await loadGenerator();
  return astToString(await openapiTS(withoutExamples(reference) as never));
};

const variableLine = ([name, text]: [string, string]): string =>
  `    /** ${text} */\n    ${name}: VariableValue;`;

/** The variables of each event, with the catalog's words. */
const eventTypes = (): string => {
  const events = catalog.map(({ event, title, description, variables, variableDocs }) => {
    const lines = variables.map((name) => variableLine([name, variableDocs[name]!]));
    return `  /** ${title}. ${description} */\n  ${event}: {\n${lines.join('\n')}\n  };`;
  });
  return `/** What a variable may be; the customer reads it as text. */
export type VariableValue = string | number | boolean;

/** The variables of each event of the catalog. */
export interface EventVariables {
${events.join('\n')}
}
`;
};

const HEAD = '// Written by `npm run openapi`: change the routes or the catalog instead.\n\n';

interface Operation {
  operationId: string;
  summary: string;
  parameters?: readonly { name: string; in: string; required?: boolean }[];
  requestBody?: { required?: boolean };
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } & Page }> }>;
}

interface Page {
  properties?: Record<string, { type?: string }>;
}

/** Methods that `waybill.ts` writes itself. */
const writtenByHand = (): ReadonlySet<string> => {
  const text = readFileSync(join(import.meta.dirname, 'src/waybill.ts'), 'utf8');
  return new Set([...text.matchAll(/^ {2}(?:async )?\*?(\w+)[<(]/gm)].map(([, name]) => name!));
};

/** The field of a page that has the rows; undefined for an answer that is no page. */
const rowsOf = ({ responses }: Operation): string | undefined => {
  const { properties = {} } = responses['200']?.content?.['application/json']?.schema ?? {};
  if (!('nextCursor' in properties)) return undefined;
  return Object.entries(properties).find(([, { type }]) => type === 'array')?.[0];
};

const methodOf = (path: string, method: string, operation: Operation): string => {
  const { operationId: id, summary, parameters = [], requestBody } = operation;
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const hasQuery = parameters.some((one) => one.in === 'query');
  const needsQuery = parameters.some((one) => one.in === 'query' && one.required);
  const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
  const hasForms = Object.keys(operation.responses['200']?.content ?? {}).length > 1;
  const [generic, format] = hasForms
    ? [`<Format extends QueryOf<'${id}'>['format'] = 'json'>`, ' & { format?: Format }']
    : ['', ''];
  const route = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${part(${name})}`);
  const place = inPath.length > 0 ? `\`${route}\`` : `'${path}'`;
  const taken = [
    ...inPath.map((name) => `${name}: string`),
    ...(requestBody
      ? [`body: BodyOf<'${id}'>${requestBody.required ? '' : ' = {} as never'}`]
      : []),
    ...(hasQuery ? [`query${needsQuery ? '' : '?'}: QueryOf<'${id}'>${format}`] : []),
    `options?: ${isKeyed ? 'SendOptions' : 'CallOptions'}`,
  ];
  const rows = method === 'get' ? rowsOf(operation) : undefined;
  const isFile = Object.entries(operation.responses).some(
    ([status, { content }]) =>
      status.startsWith('2') && content && !('application/json' in content),
  );
  if (isFile) {
    return `  /** ${summary}. */\n  ${id}(${taken.join(', ')}): Promise<Response> {\n    return this.file({ method: '${method.toUpperCase()}', path: ${place}${hasQuery ? ', query: { ...query }' : ''} }, options);\n  }`;
  }
  const asked = `{ method: '${method.toUpperCase()}', path: ${place}${requestBody ? ', json: body' : ''}${hasQuery ? ', query: { ...query }' : ''}${isKeyed ? ', isKeyed: true' : ''} }`;
  const call = rows
    ? `this.list('${id}', { path: ${place}, field: '${rows}', query }, options)`
    : hasForms
      ? `this.form<'${id}', Format>(${asked}, options)`
      : `this.ask('${id}', ${asked}, options)`;
  return `  /** ${summary}. */\n  ${id}${generic}(${taken.join(', ')}) {\n    return ${call};\n  }`;
};

/** A class with a method for each operation of callers that \`waybill.ts\` does not write itself. */
const methods = (reference: { paths: Record<string, Record<string, Operation>> }): string => {
  const written = writtenByHand();
  const all = Object.entries(reference.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => !written.has(operationId))
      .map(([method, operation]) => methodOf(path, method, operation)),
  );
  return `import type { Call, CallOptions, SendOptions } from '../transport.ts';
import type { List } from '../list.ts';
import type { AnswerOf, BodyOf, FormOf, Operations, QueryOf, RowOf } from '../types.ts';

const part = (text: string): string => encodeURIComponent(text);

/** The operations that are called as they are. */
export abstract class OperationMethods {
  protected abstract ask<Id extends keyof Operations>(
    operation: Id,
    call: Call,
    options?: CallOptions,
  ): Promise<AnswerOf<Id>>;

  /** JSON, or text where the query asks for another format. */
  protected abstract form<Id extends keyof Operations, Format>(
    call: Call,
    options?: CallOptions,
  ): Promise<FormOf<Id, Format>>;

  /** A file, or what is sent as it comes. */
  protected abstract file(call: Call, options?: CallOptions): Promise<Response>;

  protected abstract list<Id extends keyof Operations, Field extends keyof AnswerOf<Id> & string>(
    operation: Id,
    list: { path: string; field: Field; query: object | undefined },
    options: CallOptions | undefined,
  ): List<AnswerOf<Id> & { nextCursor: string | null }, RowOf<AnswerOf<Id>, Field>>;

${all.join('\n\n')}
}
`;
};

/** The files by name. */
export const generated = async (): Promise<Record<string, string>> => {
  const routes = describedRoutes().filter(({ path }) => path.startsWith('/v1/'));
  const reference = JSON.parse(JSON.stringify(openApiDocument(routes)));
  return {
    'reference.ts': `${HEAD}${await typesOf(reference)}`,
    'events.ts': `${HEAD}${eventTypes()}`,
    'operations.ts': `${HEAD}${methods(reference)}`,
  };
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generated())) {
    writeFileSync(join(folder, name), text);
  }
}
