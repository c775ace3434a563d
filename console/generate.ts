import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesOf } from '../clients/typescript/generate.ts';
import { describedRoutes, openApiDocument } from '../openapi/document.ts';
import { nodeTypes } from '../src/commands/bots/nodes.ts';
import { categories } from '../src/events/category.ts';
import { webhookTopics } from '../src/events/webhook.ts';
import { keyScopes, readingScopes } from '../src/http/edge/roles.ts';
import { rowStates } from '../src/http/v1/jobs.ts';
import { knownCodes, providerError } from '../src/provider/rules/errors.ts';

// `npm run openapi` writes the types of the administration, and the tables that the console reads. The
// types of callers are the client's.

const HEAD = '// Written by `npm run openapi`: change the routes instead.\n\n';
const HEAD_TABLES =
  '// Written by `npm run openapi`: change the tables of the service instead.\n\n' +
  "import type { NodeTypes } from '../parts/bots/node-fields.ts';\n\n";
const HEAD_FAILURES =
  "// Written by `npm run openapi`: change the provider's errors instead.\n\n" +
  "import type { Failures } from '../ui/reasons.ts';\n\n";

/** What the console knows of types of nodes, events of webhooks, categories, rows of jobs and scopes of keys, as text. */
export const consoleTables = (): string => {
  const rows = Object.entries(nodeTypes).map(([type, { example, outcomes, form }]) => [
    type,
    { example, outcomes, form },
  ]);
  const nodes = JSON.stringify(Object.fromEntries(rows), null, 2);
  const topics = JSON.stringify(webhookTopics, null, 2);
  return `${HEAD_TABLES}export const nodeTypes: NodeTypes = ${nodes};

export const webhookTopics = ${topics} as const;

export const categories = ${JSON.stringify(categories, null, 2)} as const;

export const rowStates = ${JSON.stringify(rowStates, null, 2)} as const;

export const keyScopes = ${JSON.stringify(keyScopes, null, 2)} as const;

export const readingScopes: readonly string[] = ${JSON.stringify(readingScopes, null, 2)};\n`;
};

/** What the console says of the provider's codes, as text; apart, because every list of messages loads it. */
export const consoleFailures = (): string => {
  const rows = knownCodes.map((code) => {
    const { title, hint = null, who = 'developer' } = providerError(code)!;
    return [code, { title, hint, who }];
  });
  const table = JSON.stringify(Object.fromEntries(rows), null, 2);
  return `${HEAD_FAILURES}export const providerFailures: Failures = ${table};\n`;
};

/** The types of the routes of administrators, as text. */
export const consoleTypes = async (): Promise<string> => {
  const routes = describedRoutes().filter(({ path }) => path.startsWith('/admin/'));
  return HEAD + (await typesOf(JSON.parse(JSON.stringify(openApiDocument(routes)))));
};

if (import.meta.main) {
  const at = join(import.meta.dirname, 'src/generated');
  writeFileSync(join(at, 'administration.ts'), await consoleTypes());
  writeFileSync(join(at, 'tables.ts'), consoleTables());
  writeFileSync(join(at, 'failures.ts'), consoleFailures());
}
