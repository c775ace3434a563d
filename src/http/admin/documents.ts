import type { Projection } from '../../projections/define.ts';
import { AppError } from '../../shared/errors.ts';
import type { ReadModels } from '../route/read-models.ts';

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
