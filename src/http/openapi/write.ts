import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from './document.ts';
import { errorsText } from './error-pages.ts';
import { describedRoutes } from './routes.ts';

// `npm run openapi` writes openapi.json and docs/errors.md.

const root = join(import.meta.dirname, '../../..');
const reference = openApiDocument(describedRoutes());
writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(reference, null, 2)}\n`);
writeFileSync(join(root, 'docs/errors.md'), errorsText());
