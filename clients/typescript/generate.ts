import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { catalog } from '../../src/commands/sending/catalog.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { describedRoutes } from '../../src/http/openapi/routes.ts';

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

/** The files by name. */
export const generated = async (): Promise<Record<string, string>> => {
  const routes = describedRoutes().filter(({ path }) => path.startsWith('/v1/'));
  const types = await typesOf(JSON.parse(JSON.stringify(openApiDocument(routes))));
  return { 'reference.ts': `${HEAD}${types}`, 'events.ts': `${HEAD}${eventTypes()}` };
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generated())) {
    writeFileSync(join(folder, name), text);
  }
}
