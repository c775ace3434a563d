import type { z } from 'zod';
import type { Projection } from '../../projections/define.ts';
import { AppError } from '../../shared/errors.ts';
import type { ReadModels } from '../route/read-models.ts';
import type { Sendable } from '../route/route.ts';

/** The fields that the schema names. No other field of a document leaves the service. */
export const pick = <Schema extends z.ZodObject>(
  { shape }: Schema,
  from: Sendable<z.input<Schema>>,
): Sendable<z.input<Schema>> => {
  const fields: Readonly<Record<string, unknown>> = from;
  const picked = Object.fromEntries(Object.keys(shape).map((name) => [name, fields[name]]));
  return picked as Sendable<z.input<Schema>>;
};

/** The document, or an error that calls it by this name. */
export const mustGet = async <Document>(
  models: ReadModels,
  projection: Projection<Document>,
  id: string,
  name: string,
): Promise<Document> => {
  const document = await models.get(projection, id);
  if (document) return document;
  throw models.notFound(new AppError('resource.unknown', `${name} not found`));
};
