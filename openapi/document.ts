import packageFile from '../package.json' with { type: 'json' };
import type { JsonRoute } from '../src/http/route/route.ts';
import { allRoutes, type Handlers } from '../src/http/routes.ts';
import { documentExtensions } from './generators.ts';
import { templateOf } from './names.ts';
import { operationOf, tagsOf } from './operation.ts';
import { responsesOf, sharedHeaders, shareResponses } from './responses.ts';
import { createSchemaWriter, type Schema } from './schema.ts';
import { INFO_DESCRIPTION, knownTags } from './text.ts';
import { webhooks } from './webhook.ts';

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
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-waybill_console',
    description: 'A session of the console, of a person who signed in with a name.',
  },
};

const tagsFor = (routes: readonly JsonRoute[]): readonly Schema[] => {
  const used = new Set(routes.flatMap(tagsOf));
  const known = knownTags.filter(({ name }) => used.has(name));
  const others = [...used].filter((name) => !known.some((tag) => tag.name === name));
  return [...known.map((tag) => ({ ...tag })), ...others.map((name) => ({ name }))];
};

const sortedByName = (parts: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Every route as data, without a service: its handler must not be called. */
export const describedRoutes = (): readonly JsonRoute[] => allRoutes({} as Handlers);

/** The OpenAPI document of the routes. The same routes give the same document. */
export const openApiDocument = (routes: readonly JsonRoute[]): Schema => {
  const schemas = createSchemaWriter();
  const described = routes.map((route) => ({ route, responses: responsesOf(schemas, route) }));
  const responses = shareResponses(described);
  const paths: Record<string, Schema> = {};
  for (const one of described) {
    const path = templateOf(one.route.path);
    const method = one.route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationOf(schemas, one) };
  }
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
        url: '/api',
        description: 'The service root, at the address of the service.',
      },
    ],
    tags: tagsFor(routes),
    ...documentExtensions,
    paths,
    webhooks: webhooks(schemas),
    components: {
      schemas: sortedByName(schemas.components),
      responses: sortedByName(responses),
      headers: sharedHeaders(schemas),
      securitySchemes,
    },
  };
};
