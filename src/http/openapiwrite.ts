import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from './openapi.ts';
import { describedRoutes } from './openapiroutes.ts';

// `npm run openapi`: writes the reference that is checked in.

const file = join(import.meta.dirname, '../../openapi.json');
writeFileSync(file, `${JSON.stringify(openApiDocument(describedRoutes()), null, 2)}\n`);
