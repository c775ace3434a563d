import { z } from 'zod';
import { AppError, type ErrorCode } from '../../shared/errors.ts';
import { recordOf } from '../edge/error-responses.ts';
import { problemOf } from '../edge/problem.ts';
import { advice } from '../route/advice.ts';
import { pascal } from './names.ts';

const Problem = z.object({ error: z.string(), ...advice }).meta({
  id: 'Problem',
  description: 'Every error body has `error`, a text for people: branch on status and code.',
});

const ValidationProblem = z
  .object({
    error: z.object({
      formErrors: z.array(z.string()).describe('Problems of the body as a whole.'),
      fieldErrors: z.record(z.string(), z.array(z.string())).describe('Problems by field.'),
    }),
    ...advice,
  })
  .meta({ id: 'ValidationProblem', description: 'The request does not match its schema.' });

const coded = new Map<string, z.ZodType>();

/** The schema of an error's body: the plain one, or one with the error's code. */
export const problemSchema = (code: ErrorCode): z.ZodType => {
  if (code === 'request.invalid') return ValidationProblem;
  const { code: publicCode, means, fields = {} } = recordOf(code);
  if (publicCode === undefined) return Problem;
  const id = `${pascal(publicCode.toLowerCase())}Problem`;
  const schema =
    coded.get(id) ??
    z
      .object({ error: z.string(), code: z.literal(publicCode), ...fields, ...advice })
      .meta({ id, description: means });
  coded.set(id, schema);
  return schema;
};

/** The body as the edge makes it, with the route's own fields. */
export const errorExample = (
  code: ErrorCode,
  known?: Record<string, unknown>,
): Record<string, unknown> => {
  const { says, details } = recordOf(code);
  return { ...problemOf(new AppError(code, says, details)).body, ...known };
};

/** The body after an unexpected fault. */
export const faultExample = (): Record<string, unknown> => problemOf(new Error()).body;
