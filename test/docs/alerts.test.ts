import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/folder.ts';

// Each alert under Prometheus' own `promtool test rules`, where that is installed (Debian: prometheus).

interface Rule {
  alert: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const FILE = resolve('deploy/helm/waybill/files/waybill.rules.yml');
const { groups } = parse(readFileSync(FILE, 'utf8'));
const rules: Rule[] = groups.flatMap((group: { rules: Rule[] }) => group.rules);

type Series = Record<string, string>;

const requests = (status: number, rise: number): Series => ({
  [`http_request_duration_seconds_count{status="${status}",method="POST",route="/api/provider/webhook"}`]: `0+${rise}x100`,
});

/** A day of an instance without trouble, every minute. */
const healthy: Series = {
  'up{job="waybill",instance="a"}': '1x100',
  'waybill_build_info{job="waybill",instance="a"}': '1x100',
  ...requests(200, 60),
  ...Object.fromEntries(
    ['log', 'views', 'keys', 'lookups'].map((part) => [`waybill_part_up{part="${part}"}`, '1x100']),
  ),
  waybill_disk_free_bytes: '50000000000-10000x100',
  waybill_webhook_signature_refused_total: '0+0x100',
  waybill_numbers_silent: '0x100',
  waybill_numbers_without_subscription: '0x100',
  'waybill_sends_total{outcome="accepted",code=""}': '0+60x100',
  'waybill_sends_total{outcome="unknown",code=""}': '0+0x100',
  'waybill_sends_total{outcome="unreachable",code=""}': '0+0x100',
  waybill_worker_duties: '1x100',
  waybill_worker_partitions: '16x100',
  waybill_worker_reactor_partitions: '16x100',
};

interface Case {
  /** What differs from the day without trouble. */
  series: Series;
  /** Minutes after which the alert fires. */
  within: number;
  labels?: Record<string, string>;
  /** An alert of another cause, which stays quiet. */
  not?: string;
}

const part = (name: string): Case => ({
  series: { [`waybill_part_up{part="${name}"}`]: '1x10 0x90' },
  within: 12,
});

/** From the eleventh minute on something is wrong; `within` counts from the beginning. */
const cases: Record<string, readonly Case[]> = {
  WaybillDown: [
    {
      series: {
        'up{job="waybill",instance="b"}': '1x10 0x90',
        'waybill_build_info{job="waybill",instance="b"}': '1x10 _x90',
      },
      within: 12,
      labels: { job: 'waybill', instance: 'b' },
    },
    { series: { 'waybill_build_info{job="waybill",instance="a"}': '_x100' }, within: 2 },
  ],
  WaybillLogDown: [part('log')],
  WaybillReadModelsDown: [{ ...part('views'), within: 13 }],
  WaybillKeysDown: [part('keys')],
  WaybillLookupsDown: [part('lookups')],
  WaybillLogFailing: [
    {
      series: { 'waybill_log_append_failures_total{reason="failed"}': '0x10 0+5x90' },
      within: 14,
    },
  ],
  WaybillDiskLow: [
    { series: { waybill_disk_free_bytes: '50000000000x10 900000000x90' }, within: 12 },
  ],
  WaybillDiskFilling: [
    { series: { waybill_disk_free_bytes: '50000000000-20000000x100' }, within: 63 },
  ],
  WaybillSignaturesRefused: [
    {
      series: { waybill_webhook_signature_refused_total: '0x10 1 3x90', ...requests(200, 0) },
      within: 12,
    },
  ],
  WaybillNumbersSilent: [{ series: { waybill_numbers_silent: '0x10 1x90' }, within: 12 }],
  WaybillNumbersUnsubscribed: [
    { series: { waybill_numbers_without_subscription: '0x10 1x90' }, within: 17 },
  ],
  WaybillProviderDown: ['unknown', 'unreachable'].map((outcome) => ({
    series: { [`waybill_sends_total{outcome="${outcome}",code=""}`]: '0x10 0+60x90' },
    within: 18,
    not: 'WaybillProviderRefuses',
  })),
  WaybillProviderRefuses: [
    {
      series: { 'waybill_sends_total{outcome="refused",code="190"}': '0x10 0+60x90' },
      within: 33,
      not: 'WaybillProviderDown',
    },
  ],
  WaybillNoWorker: [{ series: { waybill_worker_duties: '1x10 0x90' }, within: 12 }],
};

const expectedOf = (name: string, labels: Record<string, string> = {}) => {
  const { labels: own, annotations } = rules.find(({ alert }) => alert === name)!;
  return [{ exp_labels: { ...own, ...labels }, exp_annotations: annotations }];
};

const testOf = (series: Series, alerts: readonly object[]) => ({
  interval: '1m',
  input_series: Object.entries({ ...healthy, ...series }).map(([name, values]) => ({
    series: name,
    values,
  })),
  alert_rule_test: alerts,
});

const tests = Object.entries(cases).flatMap(([name, all]) =>
  all.map(({ series, within, labels, not }) =>
    testOf(series, [
      {
        alertname: name,
        eval_time: `${within}m`,
        exp_alerts: expectedOf(name, labels),
      },
      ...(not === undefined ? [] : [{ alertname: not, eval_time: '60m' }]),
    ]),
  ),
);

describe('the alert rules @long', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(function () {
    if (spawnSync('promtool', ['--version']).status !== 0) this.skip();
    folder = temporaryFolder();
  });
  after(() => folder?.remove());

  const run = (given: readonly object[]) => {
    const file = join(folder.path, 'tests.yml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [FILE], tests: given }));
    const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  };

  it('fire within two minutes, or after the time that they wait', () => {
    expect(run(tests)).to.match(/SUCCESS\s*$/);
  });

  it('are quiet while nothing is wrong, and while strangers try a signature', () => {
    const quiet = rules.map(({ alert }) => ({ alertname: alert, eval_time: '90m' }));
    const strangers = { waybill_webhook_signature_refused_total: '0x85 5x15' };
    expect(run([testOf({}, quiet), testOf(strangers, quiet)])).to.match(/SUCCESS\s*$/);
  });
});
