import { z } from 'zod';
import type { JsonRoute } from '../src/http/route/route.ts';
import { examplesOf } from './examples.ts';
import { extensionsOf } from './generators.ts';
import { describeParameter, operationIdOf, ownerOf, parametersIn, pascal } from './names.ts';
import type { Described } from './responses.ts';
import { sampleId, sampleOf } from './sample.ts';
import type { Schema, SchemaWriter } from './schema.ts';
import { ADMINISTRATION } from './text.ts';

const isAdministration = ({ access }: JsonRoute): boolean =>
  access === 'administrator' || access === 'support' || access === 'auditor';

export const tagsOf = (route: JsonRoute): readonly string[] =>
  route.tags.map((tag) => (isAdministration(route) ? ADMINISTRATION + tag : tag));

const securityOf = ({ access, scope }: JsonRoute): readonly Schema[] => {
  if (access === 'open') return [];
  if (access === 'person') return [{ session: [] }];
  if (access !== 'key') return [{ administrator: [] }];
  // One of several scopes is enough.
  return scope === undefined ? [{ apiKey: [] }] : [scope].flat().map((one) => ({ apiKey: [one] }));
};

/** `idempotency-key` → `Idempotency-Key`. */
const headerName = (name: string): string => name.split('-').map(pascal).join('-');

const pathOf = (route: JsonRoute): z.ZodType =>
  z.object(
    Object.fromEntries(
      parametersIn(route.path).map((name) => [
        name,
        z.string().meta({
          example: name === 'name' ? 'messages' : sampleId(ownerOf(route.path, name)),
          ...describeParameter(route, name),
        }),
      ]),
    ),
  );

const parametersOf = (schemas: SchemaWriter, route: JsonRoute): readonly Schema[] => {
  const { query = z.object({}), headers = z.object({}) } = route.request ?? {};
  const places = { path: pathOf(route), query, header: headers };
  const context = { components: schemas.components };
  return Object.entries(places).flatMap(([place, object]) =>
    schemas.fields(object, 'input').map(({ name, required, schema }) => {
      const { description, mustBeGiven = required, ...rest } = schema;
      const sample = () =>
        sampleOf({ type: 'object', properties: { [name]: rest }, required: [name] }, context);
      const { example = mustBeGiven ? (sample() as Schema)[name] : undefined } = rest;
      delete rest.example;
      return {
        name: place === 'header' ? headerName(name) : name,
        in: place,
        required: mustBeGiven,
        description,
        schema: rest,
        ...(example !== undefined && { example }),
      };
    }),
  );
};

const requestBodyOf = (schemas: SchemaWriter, route: JsonRoute): Schema | undefined => {
  const { body } = route.request ?? {};
  const form = route.upload && {
    'multipart/form-data': { schema: schemas.write(route.upload, 'input') },
  };
  if (!body) return form && { required: true, content: form };
  const schema = schemas.write(body, 'input');
  const sample = () => sampleOf(schema, { components: schemas.components });
  const requests = Object.entries(examplesOf(route)?.requests ?? { Example: sample() });
  const examples = requests.map(([name, value]) => [pascal(name), { summary: name, value }]);
  return {
    // A request without a body has an empty one.
    required: !body.safeParse({}).success,
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(examples),
      },
      ...form,
    },
  };
};

const descriptionOf = ({ description, scope, access }: JsonRoute): string | undefined => {
  const scopes = [scope ?? []].flat().map((one) => `\`${one}\``);
  const whose = access === 'person' ? 'of the role' : 'where the key is limited to scopes';
  const ofScope = scopes.length > 0 && `Needs the scope ${scopes.join(' or ')} ${whose}.`;
  return [description, ofScope].filter(Boolean).join('\n\n') || undefined;
};

/** One operation of the document, from the route that serves it. */
export const operationOf = (schemas: SchemaWriter, { route, responses }: Described): Schema => {
  const description = descriptionOf(route);
  const parameters = parametersOf(schemas, route);
  const requestBody = requestBodyOf(schemas, route);
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(description !== undefined && { description }),
    tags: tagsOf(route),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses,
    ...extensionsOf(route),
  };
};
