import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsText } from '../src/http/reference/error-pages.ts';
import { describedRoutes, openApiDocument } from './document.ts';

// `npm run openapi` writes openapi.json and docs/errors.md.

const root = join(import.meta.dirname, '..');
const reference = openApiDocument(describedRoutes());
writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(reference, null, 2)}\n`);
writeFileSync(join(root, 'docs/errors.md'), errorsText());
