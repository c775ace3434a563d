import type { JsonRoute } from '../route/route.ts';
import { examplesOf } from './examples.ts';
import { withFieldNotes } from './fields.ts';
import { operationIdOf, parametersIn, pascal, segmentsOf, singular, subjectOf } from './names.ts';
import { operationNotes } from './notes.ts';
import { responsesOf } from './responses.ts';
import { fieldsOf, type Schema, schemaOf } from './schema.ts';
import { ADMINISTRATION, pathParameters, queryParameters } from './text.ts';

const isAdministration = ({ access }: JsonRoute): boolean =>
  access === 'administrator' || access === 'auditor';

export const tagsOf = (route: JsonRoute): readonly string[] =>
  route.tags.map((tag) => (isAdministration(route) ? ADMINISTRATION + tag : tag));

const securityOf = ({ access, scope }: JsonRoute): readonly Schema[] => {
  if (access === 'open') return [];
  if (access !== 'key') return [{ administrator: [] }];
  return [{ apiKey: scope === undefined ? [] : [scope] }];
};

/** `/accounts/:id/keys` → "Id of the account." */
const describeId = (path: string, name: string): string => {
  const segments = segmentsOf(path);
  const owner = segments[segments.indexOf(`:${name}`) - 1] ?? '';
  const noun = singular(owner).replaceAll('-', ' ');
  return name === 'id' ? `Id of the ${noun}.` : `${pascal(name)} of the ${noun}.`;
};

const pathParametersOf = ({ method, path, request }: JsonRoute): readonly Schema[] => {
  const given = request?.params && fieldsOf(schemaOf(request.params, 'input'));
  return parametersIn(path).map((name) => {
    const known = pathParameters[`${method} ${path} ${name}`] ?? pathParameters[name];
    const schema = given?.find((field) => field.name === name)?.schema ?? { type: 'string' };
    return {
      name,
      in: 'path',
      required: true,
      description: known?.description ?? describeId(path, name),
      schema,
      ...(known && { example: known.example }),
    };
  });
};

const queryParametersOf = ({ method, path, request }: JsonRoute): readonly Schema[] =>
  !request?.query
    ? []
    : fieldsOf(schemaOf(request.query, 'input')).map(({ name, required, schema }) => {
        const { description, ...rest } = schema;
        return {
          name,
          in: 'query',
          required,
          description:
            description ??
            queryParameters[`${method} ${path} ${name}`] ??
            queryParameters[name] ??
            name,
          schema: rest,
        };
      });

/** `idempotency-key` → `Idempotency-Key`. */
const headerName = (name: string): string => name.split('-').map(pascal).join('-');

/** Without an example: the page would send it, and the second request would replay the first. */
const headerNotes: Record<string, string> = {
  'idempotency-key':
    'Makes it safe to ask again: the same key and body get the first answer, and nothing is done twice. Kept for 24 hours. Say what the request is for: `order-A-1042-shipped`.',
};

const headerParametersOf = ({ request }: JsonRoute): readonly Schema[] =>
  !request?.headers
    ? []
    : fieldsOf(schemaOf(request.headers, 'input')).map(({ name, required, schema }) => ({
        name: headerName(name),
        in: 'header',
        required,
        description: headerNotes[name] ?? headerName(name),
        schema,
      }));

const requestBodyOf = (route: JsonRoute): Schema | undefined => {
  const { body } = route.request ?? {};
  if (!body) return undefined;
  const requests = Object.entries(examplesOf(route)?.requests ?? {});
  const examples = requests.map(([name, value]) => [pascal(name), { summary: name, value }]);
  return {
    // No body at all is an empty one.
    required: !body.safeParse({}).success,
    content: {
      'application/json': {
        schema: withFieldNotes(schemaOf(body, 'input'), subjectOf(route.path)),
        ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
      },
    },
  };
};

const descriptionOf = ({ method, path, description, scope }: JsonRoute): string | undefined => {
  const own = description ?? operationNotes[`${method} ${path}`]?.description;
  const ofScope =
    scope !== undefined && `Needs the scope \`${scope}\` where the key is limited to scopes.`;
  const parts = [own, ofScope].filter(Boolean);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
};

/** One operation of the reference, from the route that serves it. */
export const operationOf = (route: JsonRoute): Schema => {
  const description = descriptionOf(route);
  const parameters = [
    ...pathParametersOf(route),
    ...queryParametersOf(route),
    ...headerParametersOf(route),
  ];
  const requestBody = requestBodyOf(route);
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(description !== undefined && { description }),
    tags: tagsOf(route),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(route, examplesOf(route)),
  };
};
