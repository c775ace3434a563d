import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRoutes, openApiDocument } from './document.ts';

// `npm run openapi` writes openapi.json.

const root = join(import.meta.dirname, '..');
const reference = openApiDocument(describedRoutes());
writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(reference, null, 2)}\n`);
