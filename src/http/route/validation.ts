import type { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { bigIntsAsText, hasBigInts } from '../../shared/json.ts';
import type { RequestSchemas, RouteInput } from './route.ts';
import { wordsOf } from './words.ts';

/** Contract 7.1. */
export interface Validation {
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
}

/** Problems that one response lists. */
const PROBLEMS_MAX = 50;

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

const nestedPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      return index === 0 ? String(part) : `.${String(part)}`;
    })
    .join('');

/** Problems by top-level field. A nested problem is listed under that field with its whole path. */
const validationOf = (issues: readonly Issue[]): Validation => {
  const formErrors: string[] = [];
  const fields = new Map<string, string[]>();
  for (const { path, message } of issues.slice(0, PROBLEMS_MAX)) {
    const [top] = path;
    if (top === undefined) {
      formErrors.push(message);
      continue;
    }
    const messages = fields.get(String(top)) ?? [];
    messages.push(path.length === 1 ? message : `${nestedPath(path)}: ${message}`);
    fields.set(String(top), messages);
  }
  if (issues.length > PROBLEMS_MAX) {
    formErrors.push(`${issues.length - PROBLEMS_MAX} further problems are not listed`);
  }
  return { formErrors, fieldErrors: Object.fromEntries(fields) };
};

export const invalid = (issues: readonly Issue[]): AppError =>
  new AppError('request.invalid', 'The request is invalid', validationOf(issues));

const IN_WORDS = { error: wordsOf };

const PARTS = ['params', 'query', 'headers', 'body'] as const;

/** Parses the parts that have a schema and reports the problems of all parts at once. */
export const createValidator = (schemas: RequestSchemas): ((given: RouteInput) => RouteInput) => {
  const guarded = PARTS.flatMap((part) => {
    const schema = schemas[part];
    return schema ? [{ part, schema }] : [];
  });
  return (given) => {
    const input: RouteInput = {
      params: given.params,
      query: undefined,
      headers: undefined,
      body: undefined,
    };
    let issues: Issue[] | undefined;
    for (const { part, schema } of guarded) {
      const result = schema.safeParse(given[part], IN_WORDS);
      // Where a schema accepts any value, a long number continues as the text of its digits.
      if (result.success) {
        input[part] = hasBigInts(given[part]) ? bigIntsAsText(result.data) : result.data;
      }
      if (!result.success) issues = [...(issues ?? []), ...result.error.issues];
    }
    if (issues) throw invalid(issues);
    return input;
  };
};
