import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from './document.ts';
import { describedRoutes } from './routes.ts';

// `npm run openapi` writes openapi.json.

const file = join(import.meta.dirname, '../../../openapi.json');
writeFileSync(file, `${JSON.stringify(openApiDocument(describedRoutes()), null, 2)}\n`);
