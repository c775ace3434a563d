import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesOf } from '../clients/typescript/generate.ts';
import { openApiDocument } from '../src/http/openapi/document.ts';
import { describedRoutes } from '../src/http/openapi/routes.ts';

// `npm run openapi` writes the types of the administration. Those of callers are the client's.

const HEAD = '// Written by `npm run openapi`: change the routes instead.\n\n';

/** The types of the routes of administrators, as text. */
export const consoleTypes = async (): Promise<string> => {
  const routes = describedRoutes().filter(({ path }) => path.startsWith('/admin/'));
  return HEAD + (await typesOf(JSON.parse(JSON.stringify(openApiDocument(routes)))));
};

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, 'src/generated/administration.ts'), await consoleTypes());
}
