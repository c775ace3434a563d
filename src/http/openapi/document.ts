import { z } from 'zod';
import packageFile from '../../../package.json' with { type: 'json' };
import type { ErrorCode } from '../../shared/errors.ts';
import { publicCodeOf } from '../edge/error-responses.ts';
import type { JsonRoute } from '../route/route.ts';
import { type Place, shareShapes } from './components.ts';
import { noteOf } from './errors.ts';
import { sharedHeaders } from './headers.ts';
import { operationIdOf, pascal, templateOf } from './names.ts';
import { operationOf, tagsOf } from './operation.ts';
import { errorsByStatus, problemShapeName, shareResponses } from './responses.ts';
import { refTo, type Schema, schemaOf } from './schema.ts';
import { INFO_DESCRIPTION, knownTags } from './text.ts';
import { webhooks } from './webhook.ts';

const problem = {
  type: 'object',
  description: 'What every refusal carries. The text is for people: branch on status and code.',
  properties: { error: { type: 'string' } },
  required: ['error'],
};

const validationProblem = {
  type: 'object',
  description: 'The request does not match its schema.',
  properties: {
    error: {
      type: 'object',
      properties: {
        formErrors: {
          type: 'array',
          items: { type: 'string' },
          description: 'Problems of the body as a whole.',
        },
        fieldErrors: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description: 'Messages by field.',
        },
      },
      required: ['formErrors', 'fieldErrors'],
    },
  },
  required: ['error'],
};

const codedProblem = (code: ErrorCode): Schema => {
  const { means, fields = {} } = noteOf(code);
  const own = schemaOf(z.object(fields), 'output');
  const properties = own.properties as Schema;
  return {
    type: 'object',
    description: means,
    properties: {
      error: { type: 'string' },
      code: { type: 'string', const: publicCodeOf(code) },
      ...properties,
    },
    required: ['error', 'code', ...Object.keys(properties)],
  };
};

/** The shapes of refusals that these routes can answer with. */
const problemShapes = (routes: readonly JsonRoute[]): Record<string, Schema> => {
  const codes = new Set(routes.flatMap((route) => [...errorsByStatus(route).values()].flat()));
  const coded = [...codes]
    .filter((code) => publicCodeOf(code) !== undefined)
    .sort()
    .map((code) => [problemShapeName(code), codedProblem(code)]);
  return { Problem: problem, ValidationProblem: validationProblem, ...Object.fromEntries(coded) };
};

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of an account, `wb_live_…`.',
  },
  administrator: {
    type: 'http',
    scheme: 'bearer',
    description: "An administrator's token. It opens the administration and nothing else.",
  },
};

interface Media {
  content?: Record<string, { schema: Schema }>;
}

/** Without its verb: what `getBot` and `createBot` answer with is a Bot. */
const subjectOf = (operationId: string): string => operationId.replace(/^[a-z]+/, '');

const placesOf = (route: JsonRoute, operation: Schema): readonly Place[] => {
  const name = subjectOf(operationIdOf(route));
  const request = operation.requestBody as Media | undefined;
  const responses = operation.responses as Record<string, Media>;
  const named: [string, Media | undefined][] = [[`${name}Request`, request]];
  for (const [status, response] of Object.entries(responses)) {
    const [code] = errorsByStatus(route).get(Number(status)) ?? [];
    named.push([code ? `${pascal(code)}Problem` : name, response]);
  }
  return named.flatMap(([hint, media]) => {
    const schema = media?.content?.['application/json']?.schema;
    return schema ? [{ name: hint, schema }] : [];
  });
};

const tagsFor = (routes: readonly JsonRoute[]): readonly Schema[] => {
  const used = new Set(routes.flatMap(tagsOf));
  const known = knownTags.filter(({ name }) => used.has(name));
  const others = [...used].filter((name) => !known.some((tag) => tag.name === name));
  return [...known.map((tag) => ({ ...tag })), ...others.map((name) => ({ name }))];
};

/** The whole reference, from the routes that serve it. The same routes give the same document. */
export const openApiDocument = (routes: readonly JsonRoute[]): Schema => {
  const operations = routes.map((route) => ({ route, operation: operationOf(route) }));
  const problems = problemShapes(routes);
  const places = operations.flatMap(({ route, operation }) => placesOf(route, operation));
  const { schemas, share } = shareShapes(places, Object.keys(problems));
  const shared = shareResponses(operations);
  const paths: Record<string, Schema> = {};
  for (const { route, operation } of shared.inPlace) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: share(operation) };
  }
  const responses = Object.entries(shared.responses).map(([name, one]) => [name, share(one)]);
  const named = { ...problems, ...sortedByName(schemas) };
  const uses = [paths, responses, schemas];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Waybill',
      version: packageFile.version,
      summary: packageFile.description,
      description: INFO_DESCRIPTION,
      license: { name: packageFile.license, identifier: packageFile.license },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The service root, which ends in /api.',
        variables: { base_url: { default: '/api' } },
      },
    ],
    tags: tagsFor(routes),
    paths,
    webhooks: webhooks(),
    components: {
      schemas: usedIn(uses, named),
      responses: sortedByName(Object.fromEntries(responses)),
      headers: sharedHeaders,
      securitySchemes,
    },
  };
};

const sortedByName = (parts: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A refusal that every operation describes in its own words needs no shape of its own. */
const usedIn = (uses: unknown, schemas: Record<string, Schema>): Record<string, Schema> => {
  const text = JSON.stringify(uses);
  const used = Object.entries(schemas).filter(([name]) =>
    text.includes(JSON.stringify(refTo('schemas', name).$ref)),
  );
  return Object.fromEntries(used);
};
