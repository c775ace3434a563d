import { readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { createProgram } from '../../src/cli/program/program.ts';
import { createMetrics } from '../../src/http/ops/metrics.ts';
import { useRealConnections } from '../support/network.ts';
import type { Json } from '../support/waybill.ts';
import { pagesWith, startMeasured } from './tables.ts';

// What an operator is given beside the program: dashboard, alert rules, runbooks.

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const rules = async (): Promise<Rule[]> => {
  const { groups } = parse(await readFile('deploy/helm/waybill/files/waybill.rules.yml', 'utf8'));
  return groups.flatMap((group: Json) => group.rules);
};

/** The expressions of the panels, with values in place of Grafana's variables. */
const panelExpressions = async (): Promise<string[]> => {
  const { panels } = JSON.parse(await readFile('deploy/grafana/waybill.json', 'utf8'));
  return panels
    .flatMap((panel: Json) => panel.targets ?? [])
    .map((target: Json) => target.expr.replaceAll('$__rate_interval', '5m'));
};

/** The texts of all nodes of one kind in an expression, which must be PromQL. */
const partsOf = (expression: string, kind: string): string[] => {
  const parts: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      expect(type.isError, `${expression} at ${from}`).to.equal(false);
      if (type.name === kind) parts.push(expression.slice(from, to));
    },
  });
  return parts;
};

const metricsIn = (expression: string): string[] =>
  partsOf(expression, 'VectorSelector').map((text) => /^[a-z_]\w*/.exec(text)![0]);

const runbook = () => readFile('docs/runbooks.md', 'utf8');

const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');

describe('what an operator is given', () => {
  const metrics = createMetrics();
  useRealConnections();
  let program: Awaited<ReturnType<typeof startMeasured>>;
  before(async () => {
    program = await startMeasured(metrics);
  });
  after(() => program.stop());

  /** The names of a scrape. */
  const scraped = async () => {
    const families = [...(await metrics.text()).matchAll(/^# TYPE (\w+) (\w+)/gm)];
    return new Set(
      families.flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
  };

  it('asks in each alert and panel, in valid PromQL, for metrics that a scrape has', async () => {
    const known = await scraped();
    // Prometheus makes it of each scrape.
    known.add('up');
    const expressions = [...(await rules()).map(({ expr }) => expr), ...(await panelExpressions())];
    expect(expressions.length).to.be.greaterThan(60);
    for (const expression of expressions) {
      for (const name of metricsIn(expression)) expect(known, expression).to.include(name);
    }
  });

  it('has from the first scrape on each series whose increase an alert asks for', async () => {
    const series = (await metrics.text()).split('\n').filter((line) => line.startsWith('waybill_'));
    for (const { expr } of await rules()) {
      for (const [, name, labels = ''] of expr.matchAll(
        /increase\((waybill_\w+)(?:\{(.*?)\})?\[/g,
      )) {
        const own = series.filter((line) => new RegExp(`^${name}[{ ]`).test(line));
        const isIt = (line: string) => labels.split(',').every((label) => line.includes(label));
        expect(own.some(isIt), `${name}{${labels}}`).to.equal(true);
      }
    }
  });

  it('selects by labels that the metric has', async () => {
    const labels = new Map(metrics.declared().map(({ name, labelNames }) => [name, labelNames]));
    for (const { expr } of await rules()) {
      for (const selector of partsOf(expr, 'VectorSelector')) {
        const name = /^\w+/.exec(selector)![0].replace(/_(bucket|count|sum)$/, '');
        for (const [, label] of selector.matchAll(/[{,]\s*(\w+)\s*[=!]/g)) {
          expect(labels.get(name), `${name} ${label}`).to.include(label);
        }
      }
    }
  });

  it('has in its tables what the code declares: `npm run openapi` writes them', async () => {
    for (const [page, write] of Object.entries(pagesWith(metrics.declared()))) {
      const text = await readFile(page, 'utf8');
      expect(write(text), page).to.equal(text);
    }
  });

  it('gets a panel for each metric that none shows', async () => {
    const text = await readFile('deploy/grafana/waybill.json', 'utf8');
    const made = (type: string, ...labelNames: string[]) => {
      return { name: `waybill_new_${type}`, help: 'New', type, labelNames };
    };
    const write = (from: string) => pagesWith(all)['deploy/grafana/waybill.json']!(from);
    const all = [made('counter', 'outcome'), made('gauge'), made('histogram')];
    const written = write(text);
    const { panels } = JSON.parse(written);
    const added = panels
      .slice(-3)
      .flatMap(({ targets }: Json) => targets.map((one: Json) => one.expr));
    expect(added).to.deep.equal([
      'sum by (outcome) (rate(waybill_new_counter{job=~"$job"}[$__rate_interval]))',
      'max (waybill_new_gauge{job=~"$job"})',
      ...['0.5', '0.99'].map(
        (share) =>
          `histogram_quantile(${share}, sum by (le) (rate(waybill_new_histogram_bucket{job=~"$job"}[$__rate_interval])))`,
      ),
    ]);
    expect(new Set(panels.map(({ id }: Json) => id)).size).to.equal(panels.length);
    expect(write(written)).to.equal(written);
  });

  it('leads from each alert to a section of the runbooks, which names the alert', async () => {
    const sections = (await runbook()).split(/^## /m).slice(1);
    const named = new Map(sections.map((text) => [anchorOf(text.split('\n')[0]!), text]));
    for (const { alert, labels, annotations } of await rules()) {
      const [file, anchor = ''] = annotations.runbook.split('#');
      expect(file, alert).to.equal('docs/runbooks.md');
      expect(named.get(anchor), alert).to.include(`\`${alert}\``);
      expect(labels.severity, alert).to.be.oneOf(['page', 'ticket']);
    }
    const alerts = new Set((await rules()).map(({ alert }) => alert));
    for (const [, alert] of (await runbook()).matchAll(/`(Waybill[A-Z]\w+)`/g)) {
      expect(alerts).to.include(alert);
    }
  });

  it('says in each runbook how it is seen, what it means, what to do, and when it is over', async () => {
    for (const section of (await runbook()).split(/^## /m).slice(1)) {
      for (const part of ['See it', 'It means', 'Do', 'Over when']) {
        expect(section, section.split('\n')[0]).to.include(`\n**${part}**: `);
      }
      for (const [, name] of section.matchAll(/`(waybill_\w+)/g)) {
        expect(await scraped(), name).to.include(name);
      }
    }
  });

  it('names commands in the runbooks that the command line takes', async () => {
    const silent = { write: () => true };
    const io = { stdout: silent, stderr: silent, env: {}, now: () => 0 } as Json;
    // A comment says what the command prints.
    const lines = [...(await runbook()).matchAll(/^waybill .*/gm)].map(([line]) =>
      line.replace(/ +#.*/, ''),
    );
    expect(lines.length).to.be.greaterThan(20);
    for (const line of lines) {
      const program = createProgram(io);
      const ran: string[] = [];
      const doNothing = (command: Command) => {
        if (command.commands.length === 0) command.action(() => void ran.push(command.name()));
        command.commands.forEach(doNothing);
      };
      program.commands.forEach(doNothing);
      const words = line.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
      await program.parseAsync(words.slice(1), { from: 'user' }).catch((error) => {
        expect.fail(`${line}: ${error.message}`);
      });
      expect(ran, line).to.have.length(1);
    }
  });
});
