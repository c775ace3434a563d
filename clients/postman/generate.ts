import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRoutes, openApiDocument } from '../../openapi/document.ts';
import { collectionOf, type Reference } from './collection.ts';

// `npm run openapi` writes the collection from the reference.

/** The file, as text. */
export const generatedCollection = (): string => {
  const reference = JSON.parse(JSON.stringify(openApiDocument(describedRoutes()))) as Reference;
  return `${JSON.stringify(collectionOf(reference), null, 2)}\n`;
};

if (import.meta.main) {
  writeFileSync(
    join(import.meta.dirname, 'waybill.postman_collection.json'),
    generatedCollection(),
  );
}
