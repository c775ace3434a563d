import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { catalog } from '../../src/commands/sending/catalog.ts';

// `npm run openapi` writes the client's types from openapi.json and from the catalog.

const referenceFile = join(import.meta.dirname, '../../openapi.json');
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

interface Reference {
  paths: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
}

const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, ref]) => ref!);

/** What callers of `/v1` need of the reference: no path, and no shape, of the administration. */
const referenceOfCallers = (whole: Reference): Reference => {
  const paths = Object.fromEntries(
    Object.entries(whole.paths).filter(([path]) => path.startsWith('/v1/')),
  );
  const needed = new Set<string>();
  const waiting = refsIn(paths);
  for (const ref of waiting) {
    if (needed.has(ref)) continue;
    needed.add(ref);
    const [kind, name] = ref.split('/') as [string, string];
    waiting.push(...refsIn(whole.components[kind]![name]));
  }
  const components = Object.fromEntries(
    Object.entries(whole.components).map(([kind, all]) => [
      kind,
      kind === 'securitySchemes'
        ? all
        : Object.fromEntries(Object.entries(all).filter(([name]) => needed.has(`${kind}/${name}`))),
    ]),
  );
  return { ...whole, paths, components };
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
export const typesOf = async (reference: Reference): Promise<string> => {
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

const HEAD = '// Written by `npm run openapi`: change openapi.json or the catalog instead.\n\n';

/** The files by name. */
export const generated = async (): Promise<Record<string, string>> => {
  const whole = JSON.parse(readFileSync(referenceFile, 'utf8')) as Reference;
  const types = await typesOf(referenceOfCallers(whole));
  return { 'reference.ts': `${HEAD}${types}`, 'events.ts': `${HEAD}${eventTypes()}` };
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generated())) {
    writeFileSync(join(folder, name), text);
  }
}
