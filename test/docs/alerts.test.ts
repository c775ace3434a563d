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
    ['log', 'views', 'keys', 'lookups', 'clock'].map((part) => [
      `waybill_part_up{part="${part}"}`,
      '1x100',
    ]),
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
  /** An alert of another cause, which is quiet then and an hour after the beginning. */
  not?: string;
}

/** A metric is wrong, and the alert fires after so many minutes. */
const wrong = (
  within: number,
  metric: string,
  values: string,
  rest: Omit<Case, 'series' | 'within'> = {},
): Case => ({ series: { [metric]: values }, within, ...rest });

const part = (name: string, within = 12): Case =>
  wrong(within, `waybill_part_up{part="${name}"}`, '1x10 0x90');

const PEER = 'db.example:27017';
const guesses = { waybill_webhook_signature_refused_total: '0x10 1 3x90', ...requests(200, 0) };
const slow = 'waybill_log_append_seconds_bucket';

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
    wrong(2, 'waybill_build_info{job="waybill",instance="a"}', '_x100'),
  ],
  WaybillLogDown: [part('log')],
  WaybillReadModelsDown: [part('views', 13)],
  WaybillKeysDown: [part('keys')],
  WaybillLookupsDown: [part('lookups')],
  WaybillClockWrong: [part('clock')],
  WaybillLogFailing: [
    wrong(14, 'waybill_log_append_failures_total{reason="failed"}', '0x10 0+5x90'),
  ],
  WaybillDiskLow: [wrong(12, 'waybill_disk_free_bytes', '50000000000x10 900000000x90')],
  WaybillDiskFilling: [wrong(63, 'waybill_disk_free_bytes', '50000000000-20000000x100')],
  WaybillSignaturesRefused: [{ series: guesses, within: 12 }],
  WaybillNumbersSilent: [wrong(12, 'waybill_numbers_silent', '0x10 1x90')],
  WaybillNumbersUnsubscribed: [wrong(17, 'waybill_numbers_without_subscription', '0x10 1x90')],
  WaybillProviderDown: ['unknown', 'unreachable'].map((outcome) =>
    wrong(18, `waybill_sends_total{outcome="${outcome}",code=""}`, '0x10 0+60x90', {
      not: 'WaybillProviderRefuses',
    }),
  ),
  WaybillProviderRefuses: [
    wrong(33, 'waybill_sends_total{outcome="refused",code="190"}', '0x10 0+60x90', {
      not: 'WaybillProviderDown',
    }),
  ],
  WaybillNoWorker: [wrong(12, 'waybill_worker_duties', '1x10 0x90')],
  WaybillSignaturesDoubtful: [
    {
      series: { ...guesses, 'waybill_sends_total{outcome="accepted",code=""}': '50x100' },
      within: 12,
      not: 'WaybillSignaturesRefused',
    },
  ],
  WaybillFaults: [wrong(18, 'waybill_refused_requests_total{code="fault"}', '0x10 0+5x90')],
  WaybillServerErrors: [500, 503].map((status) => {
    const metric = `http_request_duration_seconds_count{status="${status}",route="/v1/credits"}`;
    return wrong(19, metric, '0x10 0+60x90');
  }),
  WaybillLogSlow: [
    {
      series: {
        [`${slow}{le="0.5"}`]: '0x100',
        [`${slow}{le="1"}`]: '0x10 0+60x90',
        [`${slow}{le="+Inf"}`]: '0x10 0+60x90',
      },
      within: 23,
    },
    wrong(22, 'waybill_log_queued_events', '0x10 5001x90'),
  ],
  WaybillProjectionHalted: [
    wrong(12, 'waybill_projection_state{projection="ledger",state="halted"}', '0x10 1x90', {
      labels: { projection: 'ledger' },
    }),
  ],
  WaybillProjectionLate: [
    wrong(17, 'waybill_projection_lag_seconds{projection="ledger"}', '0x10 61x90', {
      labels: { projection: 'ledger' },
    }),
  ],
  WaybillReactorFailing: [
    wrong(22, 'waybill_reactor_failing{reactor="forwards"}', '0x10 1x90', {
      labels: { reactor: 'forwards' },
    }),
  ],
  WaybillReservationsStuck: [wrong(17, 'waybill_oldest_reservation_seconds', '0x10 1801x90')],
  WaybillErasuresUnfinished: [wrong(72, 'waybill_erasures_unfinished', '0x10 1x90')],
  WaybillDeadLetters: [wrong(27, 'waybill_dead_letters_open', '0x10 1x90')],
  WaybillForwardsFailing: [wrong(29, 'waybill_forwards_total{outcome="failed"}', '0x10 0+5x90')],
  WaybillWebhooksFailing: [
    wrong(29, 'waybill_webhook_attempts_total{outcome="retry"}', '0x10 0+5x90'),
  ],
  WaybillWebhooksGivenUp: [
    wrong(12, 'waybill_webhook_attempts_total{outcome="failed"}', '0x10 1x90'),
  ],
  WaybillInsufficientBalance: [
    wrong(12, 'waybill_refused_requests_total{code="account.insufficient"}', '0x10 1x90'),
  ],
  WaybillRefundsStuck: [
    wrong(27, 'waybill_stuck_refunds{account="acc_1"}', '0x10 1x90', {
      labels: { account: 'acc_1' },
    }),
  ],
  WaybillChainBroken: [wrong(12, 'waybill_broken_chains_total', '0x10 1x90')],
  WaybillSnapshotsBad: [
    wrong(12, 'waybill_bad_snapshots_total{kind="account",fault="forged"}', '0x10 1x90'),
  ],
  // Times begin with 1970 here: the last seal is 26 hours and a second before.
  WaybillSealOld: [wrong(12, 'waybill_seal_timestamp_seconds', '-93601x100')],
  WaybillBackupOld: [
    wrong(12, 'waybill_backup_timestamp_seconds', '-172801x100'),
    {
      series: {
        waybill_backup_timestamp_seconds: '-7201x100',
        waybill_backup_every_seconds: '3600x100',
      },
      within: 12,
    },
    part('backups', 22),
  ],
  WaybillCertificateEnds: [
    wrong(22, `waybill_certificate_expires_seconds{peer="${PEER}"}`, '1300000x10 1200000x90', {
      labels: { peer: PEER },
    }),
  ],
  WaybillSealsWaiting: [
    wrong(72, 'waybill_seals_waiting{place="url"}', '0x10 1x90', { labels: { place: 'url' } }),
  ],
};

const expectedOf = (name: string, labels: Record<string, string> = {}) => {
  const { labels: own, annotations } = rules.find(({ alert }) => alert === name)!;
  const { summary, runbook } = annotations;
  const filledIn = summary.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label) => labels[label] ?? '');
  const exp_annotations = { summary: filledIn, runbook };
  return [{ exp_labels: { ...own, ...labels }, exp_annotations }];
};

const testOf = (series: Series, alerts: readonly object[]) => ({
  interval: '1m',
  input_series: Object.entries({ ...healthy, ...series }).map(([name, values]) => ({
    series: name,
    values,
  })),
  alert_rule_test: alerts,
});

interface Try extends Case {
  alert: string;
}

const metricsOf = ({ series }: Case): Set<string> =>
  new Set(Object.keys(series).map((name) => /^\w+/.exec(name)![0]));

/** Cases of different metrics share one run of promtool's clock, which takes a second for each. */
const together = (all: readonly Try[]): Try[][] => {
  const groups: Try[][] = [];
  for (const one of all) {
    const room = groups.find((group) =>
      group.every((other) => metricsOf(other).isDisjointFrom(metricsOf(one))),
    );
    if (room) room.push(one);
    else groups.push([one]);
  }
  return groups;
};

const alertsOf = ({ alert, within, labels, not }: Try) => [
  { alertname: alert, eval_time: `${within}m`, exp_alerts: expectedOf(alert, labels) },
  ...(not === undefined ? [] : [within, 60]).map((at) => ({
    alertname: not,
    eval_time: `${at}m`,
  })),
];

const tries = Object.entries(cases).flatMap(([alert, all]) =>
  all.map((one): Try => ({ alert, ...one })),
);

const tests = together(tries).map((group) =>
  testOf(Object.assign({}, ...group.map(({ series }) => series)), group.flatMap(alertsOf)),
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

  it('are all tried', () => {
    expect(Object.keys(cases)).to.have.members(rules.map(({ alert }) => alert));
  });

  it('fire within two minutes, or after the time that they wait', () => {
    expect(run(tests)).to.match(/SUCCESS\s*$/);
  });

  it('are quiet while nothing is wrong, and while strangers try a signature', () => {
    const quiet = rules.map(({ alert }) => ({ alertname: alert, eval_time: '90m' }));
    const strangers = { waybill_webhook_signature_refused_total: '0x85 5x15' };
    const weekly = {
      waybill_backup_timestamp_seconds: '-259200x100',
      waybill_backup_every_seconds: '604800x100',
    };
    const all = [{}, strangers, weekly].map((series) => testOf(series, quiet));
    expect(run(all)).to.match(/SUCCESS\s*$/);
  });
});
