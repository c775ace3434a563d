import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Outcome } from '../../src/commands/bots/node-type.ts';
import { nodeTypes } from '../../src/commands/bots/nodes.ts';
import { settingSchemas } from '../../src/config.ts';
import { tenantRoles } from '../../src/events/person.ts';
import { webhookTopics } from '../../src/events/webhook.ts';
import { allScopes, tenantRights } from '../../src/http/edge/roles.ts';
import { notices } from '../../src/provider/simulator/notices.ts';
import {
  magicTemplateNames,
  type Scenario,
  scenarios,
} from '../../src/provider/simulator/scenarios.ts';
import { manual } from '../../src/shared/setting-types.ts';

// `npm run openapi` writes the tables of the manual that the code knows: settings (those of traces have a
// page of their own), types of nodes, events of webhooks, rights of roles, and what the simulator does.

const root = join(import.meta.dirname, '../..');
const TRACES = 'docs/monitoring.md';

const TABLE = /(?<=^\| variable \| default \| meaning \|\n\|---\|---\|---\|\n)(?:\|.*\n)+/m;

const defaultOf = (schema: z.ZodType): string => {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'required';
  if (typeof data === 'number') return String(data);
  const text = typeof data === 'string' ? data : Object.values(data ?? {}).join();
  return text === '' ? '–' : `\`${text}\``;
};

const rowOf = ([name, schema]: [string, z.ZodType]): string => {
  const told = manual.get(schema);
  if (!told) throw new Error(`${name} needs a sentence for the manual`);
  return `| \`${name}\` | ${told.initially ?? defaultOf(schema)} | ${told.says} |\n`;
};

const replaced = (text: string, place: RegExp, rows: string): string => {
  if (!place.test(text)) throw new Error(`the page has no place for ${place}`);
  return text.replace(place, () => rows);
};

const withSettings = (page: string, text: string): string => {
  const own = Object.entries(settingSchemas).filter(
    ([name]) => name.startsWith('OTEL_') === (page === TRACES),
  );
  return replaced(text, TABLE, own.map(rowOf).join(''));
};

const NODES = /(?<=^\| type \| does \| outcomes \|\n\|---\|---\|---\|\n)(?:\|.*\n)+/m;
const SAMPLES = /(?<=^```json\n)\[\n[\s\S]*?^\]\n/m;

const outcomeWord = (outcome: Outcome): string =>
  typeof outcome === 'string' ? `\`${outcome}\`` : `\`${outcome.as}:<id>\``;

const withNodes = (text: string): string => {
  const all = Object.entries(nodeTypes);
  const rows = all.map(([type, { does, outcomes }]) => {
    const words = outcomes.map(outcomeWord).join(', ');
    return `| \`${type}\` | ${does} | ${words || 'none'} |\n`;
  });
  const samples = all.map(
    ([type, { example: data }]) => `  ${JSON.stringify({ id: type, type, data })}`,
  );
  const filled = replaced(text, NODES, rows.join(''));
  return replaced(filled, SAMPLES, `[\n${samples.join(',\n')}\n]\n`);
};

const TOPICS = /(?<=^\| event \| when \| `data` \|\n\|---\|---\|---\|\n)(?:\|.*\n)+/m;

const withTopics = (text: string): string => {
  const rows = Object.entries(webhookTopics).map(
    ([topic, { when, data }]) => `| \`${topic}\` | ${when} | ${data} |\n`,
  );
  return replaced(text, TOPICS, rows.join(''));
};

const ROLES = new RegExp(
  `(?<=^\\| scope \\| ${tenantRoles.join(' \\| ')} \\|\\n\\|[-|]+\\|\\n)(?:\\|.*\\n)+`,
  'm',
);

const withRoles = (text: string): string => {
  const cellsOf = (has: (role: (typeof tenantRoles)[number]) => boolean) =>
    tenantRoles.map((role) => (has(role) ? 'yes' : '–')).join(' | ');
  const rows = allScopes.map((scope) => {
    const cells = cellsOf((role) => tenantRights[role].scopes.includes(scope));
    return `| \`${scope}\` | ${cells} |\n`;
  });
  const contents = cellsOf((role) => tenantRights[role].seesContents);
  return replaced(text, ROLES, `${rows.join('')}| texts, names, whole numbers | ${contents} |\n`);
};

const RECIPIENTS = /(?<=^\| recipient .*\| refunded \|\n\|[-|]+\|\n)(?:\|.*\n)+/m;
const NAMES = /(?<=^\| part of the name .*\n\|[-|]+\|\n)(?:\|.*\n)+/m;
const NOTICES = /(?<=^\| field \| what it says \|\n\|[-|]+\|\n)(?:\|.*\n)+/m;

/** Over a failure a message can still be delivered or read. */
const rankOf = (step: string | number): number => ['sent', 'delivered', 'read'].indexOf(`${step}`);

/** What a caller of the service sees of a paid template: answer, last status, refund. */
const outcomeOf = (scenario: Scenario) => {
  const { ending, firstOnly, goesOut = ending === 'accept' || firstOnly, steps } = scenario;
  const answer = goesOut && ending !== 'silence' && ending !== 'reset' ? 200 : 502;
  const isLost = ['silence', 'reset', 'cut_off'].includes(ending);
  const failure = steps?.find((step) => typeof step === 'number');
  const best = (steps ?? ['read']).reduce((one, other) =>
    rankOf(other) > rankOf(one) ? other : one,
  );
  const isFailed = failure !== undefined && rankOf(best) < 1;
  const last = isFailed ? `failed (${failure})` : best;
  const isRefunded = isLost || answer !== 200 || failure !== undefined;
  return [isLost ? 504 : answer, goesOut ? last : 'none', isRefunded ? 'yes' : 'no'];
};

const withSimulator = (text: string): string => {
  const met = Object.entries<Scenario>(scenarios).filter(
    ([name, { recipient }]) => recipient !== undefined || name === 'normal',
  );
  const recipients = met.map(([name, scenario]) => {
    const { recipient = 'any other', what } = scenario;
    const number = recipient.replace(/^(.)(...)(...)(....)$/, '+$1 $2 $3 $4');
    return `| ${[number, `\`${name}\``, what, ...outcomeOf(scenario)].join(' | ')} |\n`;
  });
  const rowsOf = (words: object) =>
    Object.entries(words).map(([name, what]) => `| \`${name}\` | ${what} |\n`);
  let filled = replaced(text, RECIPIENTS, recipients.join(''));
  filled = replaced(filled, NAMES, rowsOf(magicTemplateNames).join(''));
  return replaced(filled, NOTICES, rowsOf(notices).join(''));
};

/** The pages with tables, and the writer of each. */
export const pages: Readonly<Record<string, (text: string) => string>> = {
  'docs/running.md': (text) => withSettings('docs/running.md', text),
  [TRACES]: (text) => withSettings(TRACES, text),
  'docs/bots.md': withNodes,
  'docs/webhooks.md': withTopics,
  'docs/console.md': withRoles,
  'docs/simulator.md': withSimulator,
};

if (import.meta.main) {
  for (const [page, write] of Object.entries(pages)) {
    const path = join(root, page);
    writeFileSync(path, write(readFileSync(path, 'utf8')));
  }
}
