import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { openSchemas } from './json-schemas.ts';

export const referenceFile = join(import.meta.dirname, '../../openapi.json');

export interface Media {
  content?: Record<string, { schema: object; example?: unknown; examples?: Examples }>;
}
type Examples = Record<string, { value: unknown }>;

export interface Operation {
  operationId: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  requestBody?: Media;
  responses: Record<string, Media & { $ref?: string }>;
}

export interface Reference {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, Record<string, Media>>;
}

/** The reference as it is checked in. */
export const readReference = (): Reference => JSON.parse(readFileSync(referenceFile, 'utf8'));

/** Says whether bodies are what the reference describes, by JSON Schema alone. */
export const schemasOf = (reference: Reference) => {
  const { ajv, at: validatorAt } = openSchemas(reference);
  ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/);
  const JSON_SCHEMA = ['content', 'application/json', 'schema'] as const;
  const problemsOf = (validate: ValidateFunction, body: unknown): string | undefined =>
    validate(body) ? undefined : ajv.errorsText(validate.errors);
  return {
    ajv,
    /** What is wrong with a request's body; undefined when nothing is. */
    request: (path: string, method: string, body: unknown) =>
      problemsOf(validatorAt('paths', path, method, 'requestBody', ...JSON_SCHEMA), body),
    /** What is wrong with an answer's body; undefined when nothing is. */
    answer(path: string, method: string, status: number | string, body: unknown) {
      const response = reference.paths[path]?.[method]?.responses[status];
      if (!response) return `${method} ${path} does not document ${status}`;
      const shared = response.$ref?.split('/').at(-1);
      const place =
        shared === undefined
          ? ['paths', path, method, 'responses', status]
          : ['components', 'responses', shared];
      return problemsOf(validatorAt(...place, ...JSON_SCHEMA), body);
    },
    webhook: (name: string, body: unknown) =>
      problemsOf(validatorAt('webhooks', name, 'post', 'requestBody', ...JSON_SCHEMA), body),
  };
};

/** The body of a documented answer, wherever it stands. */
export const answerOf = (
  reference: Reference,
  operation: Operation,
  status: number | string,
): Media | undefined => {
  const response = operation.responses[status];
  const shared = response?.$ref?.split('/').at(-1);
  return shared === undefined ? response : reference.components.responses![shared];
};

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

const weightOf = (template: string): number => template.split('{').length;

let described: { templates: [string, RegExp][]; schemas: ReturnType<typeof schemasOf> } | undefined;

/** The reference as it is checked in, which its own test holds to the routes; read when somebody asks. */
const describe = () => {
  if (described) return described;
  const reference = readReference();
  const templates = Object.keys(reference.paths)
    .sort((a, b) => weightOf(a) - weightOf(b))
    .map((template): [string, RegExp] => [template, patternOf(template)]);
  described = { templates, schemas: schemasOf(reference) };
  return described;
};

/** Throws when an answer is not what the reference says of its operation. */
export const mustBeDocumented = (
  method: string,
  target: string,
  status: number,
  body: unknown,
): void => {
  const { templates, schemas } = describe();
  const [path] = target.split('?');
  const found = templates.find(([, pattern]) => pattern.test(path!));
  // Nobody documents what is not there, nor the methods that an address does not take.
  if (!found || status === 405) return;
  // The dry run of a job is described in words: its route holds the answer to its schema.
  if (status === 200 && method === 'POST' && found[0] === '/v1/jobs') return;
  // A dry run is answered as a quote is.
  const isQuote = status === 200 && (body as { would?: unknown } | null)?.would !== undefined;
  const [template, verb] = isQuote ? ['/v1/quotes', 'post'] : [found[0], method.toLowerCase()];
  const problem = schemas.answer(template, verb, status, body);
  if (problem === undefined) return;
  throw new Error(
    `${method} ${path} answered ${status} against openapi.json, which \`npm run openapi\` writes: ${problem}`,
  );
};
