import { z } from 'zod';
import type { JsonRoute } from '../route/route.ts';
import { examplesOf } from './examples.ts';
import { describeParameter, operationIdOf, parametersIn, pascal } from './names.ts';
import type { Described } from './responses.ts';
import type { Schema, SchemaWriter } from './schema.ts';
import { ADMINISTRATION } from './text.ts';

const isAdministration = ({ access }: JsonRoute): boolean =>
  access === 'administrator' || access === 'auditor';

export const tagsOf = (route: JsonRoute): readonly string[] =>
  route.tags.map((tag) => (isAdministration(route) ? ADMINISTRATION + tag : tag));

const securityOf = ({ access, scope }: JsonRoute): readonly Schema[] => {
  if (access === 'open') return [];
  if (access !== 'key') return [{ administrator: [] }];
  return [{ apiKey: scope === undefined ? [] : [scope] }];
};

/** `idempotency-key` → `Idempotency-Key`. */
const headerName = (name: string): string => name.split('-').map(pascal).join('-');

const pathOf = (route: JsonRoute): z.ZodType =>
  z.object(
    Object.fromEntries(
      parametersIn(route.path).map((name) => [
        name,
        z.string().meta(describeParameter(route, name)),
      ]),
    ),
  );

const parametersOf = (schemas: SchemaWriter, route: JsonRoute): readonly Schema[] => {
  const { query = z.object({}), headers = z.object({}) } = route.request ?? {};
  const places = { path: pathOf(route), query, header: headers };
  return Object.entries(places).flatMap(([place, object]) =>
    schemas.fields(object, 'input').map(({ name, required, schema }) => {
      const { description, example, mustBeGiven = required, ...rest } = schema;
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
  if (route.upload) {
    const schema = schemas.write(route.upload, 'input');
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  const { body } = route.request ?? {};
  if (!body) return undefined;
  const requests = Object.entries(examplesOf(route)?.requests ?? {});
  const examples = requests.map(([name, value]) => [pascal(name), { summary: name, value }]);
  return {
    // A request without a body has an empty one.
    required: !body.safeParse({}).success,
    content: {
      'application/json': {
        schema: schemas.write(body, 'input'),
        ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
      },
    },
  };
};

const descriptionOf = ({ description, scope }: JsonRoute): string | undefined => {
  const ofScope =
    scope !== undefined && `Needs the scope \`${scope}\` where the key is limited to scopes.`;
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
  };
};
