import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesOf } from '../clients/typescript/generate.ts';
import { openApiDocument } from '../src/http/openapi/document.ts';
import { describedRoutes } from '../src/http/openapi/routes.ts';

// `npm run openapi` writes the console's types from all routes, those of administrators included.

const HEAD = '// Written by `npm run openapi`: change the routes instead.\n\n';

/** The types of the whole reference, as text. */
export const consoleTypes = async (): Promise<string> =>
  HEAD + (await typesOf(JSON.parse(JSON.stringify(openApiDocument(describedRoutes())))));

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, 'src/generated/reference.ts'), await consoleTypes());
}
