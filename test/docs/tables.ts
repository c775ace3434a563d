import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Outcome } from '../../src/commands/bots/node-type.ts';
import { nodeTypes } from '../../src/commands/bots/nodes.ts';
import { settingSchemas } from '../../src/config.ts';
import { tenantRoles } from '../../src/events/person.ts';
import { webhookTopics } from '../../src/events/webhook.ts';
import { allScopes, type Scope, tenantRights } from '../../src/http/edge/roles.ts';
import { createMetrics, type Declared, type Metrics } from '../../src/http/ops/metrics.ts';
import {
  outcomeOf,
  type Scenario,
  type ScenarioName,
  scenarios,
} from '../../src/provider/simulator/scenarios.ts';
import { manual } from '../../src/shared/setting-types.ts';
import { startHere } from '../support/faults/here.ts';
import { temporaryFolder } from '../support/folder.ts';

// `npm run openapi` writes the tables of the manual that the code knows: settings (those of traces have a
// page of their own), types of nodes, events of webhooks, rights of roles, and recipients of the simulator;
// and for a metric that no panel of the dashboard shows, a panel.

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

/** What a panel asks for without further thought: a rate, the highest value, or two quantiles. */
const expressionsOf = ({ name, type, labelNames }: Declared): readonly string[] => {
  const by = labelNames.length > 0 ? ` by (${labelNames.join(', ')})` : '';
  const job = '{job=~"$job"}';
  if (type === 'gauge') return [`max${by} (${name}${job})`];
  if (type === 'counter') return [`sum${by} (rate(${name}${job}[$__rate_interval]))`];
  const buckets = `sum by (le) (rate(${name}_bucket${job}[$__rate_interval]))`;
  return [0.5, 0.99].map((share) => `histogram_quantile(${share}, ${buckets})`);
};

interface Panel {
  id: number;
  gridPos: { y: number; h: number };
}

/** The dashboard with a panel, below the others, for each metric that it does not show. */
export const withPanels = (text: string, declared: readonly Declared[]): string => {
  const missing = declared.filter(
    ({ name }) => !new RegExp(`\\b${name}(?:_bucket|_count)?\\b`).test(text),
  );
  if (missing.length === 0) return text;
  const dashboard: { panels: Panel[] } = JSON.parse(text);
  const { panels } = dashboard;
  const bottom = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  const lastId = Math.max(...panels.map(({ id }) => id));
  const datasource = { type: 'prometheus', uid: `\${datasource}` };
  const more = missing.map((metric, index) => ({
    id: lastId + 1 + index,
    type: 'timeseries',
    title: metric.help.split(/[:;]/, 1)[0],
    datasource,
    gridPos: { h: 8, w: 8, x: (index % 3) * 8, y: bottom + 8 * Math.floor(index / 3) },
    fieldConfig: { defaults: { unit: 'short', min: 0 }, overrides: [] },
    targets: expressionsOf(metric).map((expr, at) => ({
      refId: 'AB'[at],
      expr,
      legendFormat: metric.labelNames.map((label) => `{{${label}}}`).join(' '),
      datasource,
    })),
  }));
  return `${JSON.stringify({ ...dashboard, panels: [...panels, ...more] }, null, 2)}\n`;
};

/** Starts the whole program on empty files, with traces to nowhere, so that it declares every metric. */
export const startMeasured = async (metrics: Metrics) => {
  const folder = temporaryFolder();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const options = { directory: folder.path, providerUrl: 'http://127.0.0.1:9', env };
  const { stop } = await startHere(options, metrics);
  return {
    async stop() {
      await stop();
      folder.remove();
    },
  };
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

const ROLES =
  /(?<=^\| role \| scopes \| pages \| texts, names, whole numbers \|\n\|[-|]+\|\n)(?:\|.*\n)+/m;

// By a computed path: it is checked with the console's own types.
const { navigation } = createRequire(import.meta.url)(join(root, 'console/src/navigation.ts')) as {
  navigation: readonly { label: string; scope?: string | readonly string[] }[];
};

/** What a role has, or what it lacks where that is less. */
const listOf = (all: readonly string[], has: readonly string[]): string => {
  const lacks = all.filter((one) => !has.includes(one));
  if (lacks.length === 0) return 'all';
  return lacks.length < 5 ? `all but ${lacks.join(', ')}` : has.join(', ');
};

const code = (scopes: readonly Scope[]) => scopes.map((scope) => `\`${scope}\``);

/** The pages of tenants that these scopes open. */
const pagesOf = (scopes: readonly string[]): readonly string[] =>
  navigation.flatMap(({ label, scope = [] }) =>
    [scope].flat().some((one) => scopes.includes(one)) ? label : [],
  );

const withRoles = (text: string): string => {
  const rows = tenantRoles.map((role) => {
    const { scopes, seesContents } = tenantRights[role];
    const may = listOf(code(allScopes), code(scopes));
    const sees = listOf(pagesOf(allScopes), pagesOf(scopes));
    return `| ${role} | ${may} | ${sees} | ${seesContents ? 'yes' : 'no'} |\n`;
  });
  return replaced(text, ROLES, rows.join(''));
};

const RECIPIENTS = /(?<=^\| recipient .*\| refunded \|\n\|[-|]+\|\n)(?:\|.*\n)+/m;
/** One of each kind: `GET /_simulator/scenarios` has them all. */
const shown: readonly ScenarioName[] = [
  'undeliverable',
  'throttled_once',
  'unavailable',
  'silence',
  'silence_sent',
  'fails_undeliverable',
  'never_read',
  'sends_image',
  'hidden',
];

const withSimulator = (text: string): string => {
  const rows = shown.map((name) => {
    const scenario: Scenario = scenarios[name];
    const number = scenario.recipient!.replace(/^(.)(...)(...)(....)$/, '+$1 $2 $3 $4');
    const { answer, status, refunded } = outcomeOf(scenario);
    return `| ${[number, scenario.what, answer, status, refunded ? 'yes' : 'no'].join(' | ')} |\n`;
  });
  return replaced(text, RECIPIENTS, rows.join(''));
};

/** The pages with tables, and the writer of each. */
export const pagesWith = (
  declared: readonly Declared[],
): Readonly<Record<string, (text: string) => string>> => ({
  'docs/running.md': (text) => withSettings('docs/running.md', text),
  [TRACES]: (text) => withSettings(TRACES, text),
  'deploy/grafana/waybill.json': (text) => withPanels(text, declared),
  'docs/bots.md': withNodes,
  'docs/webhooks.md': withTopics,
  'docs/console.md': withRoles,
  'docs/simulator.md': withSimulator,
});

if (import.meta.main) {
  const metrics = createMetrics({ ofProcess: false });
  await (await startMeasured(metrics)).stop();
  for (const [page, write] of Object.entries(pagesWith(metrics.declared()))) {
    const path = join(root, page);
    writeFileSync(path, write(readFileSync(path, 'utf8')));
  }
}
