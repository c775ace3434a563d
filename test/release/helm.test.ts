import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadConfig, settingNames } from '../../src/config.ts';
import { temporaryFolder } from '../support/folder.ts';
import type { Json } from '../support/waybill.ts';

// The Helm chart. Rendering needs the program `helm` on the PATH, or another one that HELM names; the
// workflow of continuous integration has it.

const root = join(import.meta.dirname, '../..');
const chart = join(root, 'deploy/helm/waybill');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const HELM = process.env.HELM ?? 'helm';
const hasHelm = spawnSync(HELM, ['version']).status === 0;
if (!hasHelm) console.log('helm is not on this machine: the chart is not rendered here');

const secret = {
  WAYBILL_SECRET: '07'.repeat(32),
  WAYBILL_ADMIN_TOKEN: 'abcdefghijkl'.repeat(2),
  EVENTSTORE_URL: 'esdb://eventstore:2113',
  MONGODB_URL: 'mongodb://mongodb',
};

const HOST = { enabled: true, host: 'messages.example.com', tlsSecret: 'tls' };
const CA = {
  extraVolumes: [{ name: 'ca', secret: { secretName: 'ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', readOnly: true }],
};

/** Throws where an object is not by the schema of its kind. A field that the schema lacks passes. */
const demandTaken = async (object: Json): Promise<void> => {
  const { apiVersion, kind } = object;
  const isOfOperator = apiVersion.startsWith('monitoring.coreos.com/');
  const models = isOfOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
  const { [kind]: Model } = await import(`${models}/${apiVersion}/${kind}`);
  new Model(object).validate();
};

describe('the Helm chart', () => {
  it('has the version of the program', () => {
    const { version, appVersion } = parse(read('deploy/helm/waybill/Chart.yaml'));
    const program = JSON.parse(read('package.json')).version;
    expect([version, appVersion]).to.deep.equal([program, program]);
  });

  it('has a volume for temporary files', () => {
    const pod = read('deploy/helm/waybill/templates/_helpers.tpl');
    expect(pod).to.include('{ name: TMPDIR, value: /data }');
    expect(pod).to.include('{ name: data, mountPath: /data }');
    expect(pod).to.match(/- name: data\n +emptyDir: \{ sizeLimit: \d+Gi \}/);
  });

  it('names in its values the settings of the secret that exist', () => {
    const named = read('deploy/helm/waybill/values.yaml').match(
      /\b(WAYBILL|EVENTSTORE|MONGODB)_\w+/g,
    );
    expect(named!.length).to.be.greaterThan(5);
    for (const name of named!) expect(settingNames).to.include(name);
  });

  it('refuses values that it does not have, by its schema', () => {
    const schema = z.fromJSONSchema(JSON.parse(read('deploy/helm/waybill/values.schema.json')));
    const values = parse(read('deploy/helm/waybill/values.yaml'));
    const isTaken = (change: Json) => schema.safeParse({ ...values, ...change }).success;
    expect(schema.safeParse(values).error?.issues).to.equal(undefined);
    expect(isTaken({ env: { LOG_LEVEL: 'warn', WAYBILL_DRAIN_MS: 20_000 } })).to.equal(true);
    expect(isTaken({ existingSecrets: 'waybill' })).to.equal(false);
    expect(isTaken({ api: { ...values.api, replica: 3 } })).to.equal(false);
    expect(isTaken({ worker: { ...values.worker, replicas: '2' } })).to.equal(false);
    // The delay and the drain must fit into the grace period.
    expect(isTaken({ api: { ...values.api, endDelaySeconds: 60 } })).to.equal(false);
    // Each value of the chart is in it, as far down as the chart names its parts.
    const { properties } = JSON.parse(read('deploy/helm/waybill/values.schema.json'));
    for (const [name, value] of Object.entries<Json>(values)) {
      expect(properties, name).to.include.keys(name);
      const parts = properties[name].properties;
      if (parts) expect(parts, name).to.include.keys(Object.keys(value));
    }
  });

  describe('rendered', () => {
    const folder = temporaryFolder();
    after(() => folder.remove());
    const template = (values: Json) => {
      const file = join(folder.path, 'values.yaml');
      writeFileSync(file, JSON.stringify(values));
      return spawnSync(HELM, ['template', 'shop', chart, '--values', file], { encoding: 'utf8' });
    };
    const render = (values: Json = {}): Json[] => {
      const { status, stdout, stderr } = template({ existingSecret: 'waybill', ...values });
      expect(status, stderr).to.equal(0);
      return parseAllDocuments(stdout)
        .map((document) => {
          expect(document.errors).to.deep.equal([]);
          return document.toJS();
        })
        .filter((one) => one !== null);
    };
    const find = (all: Json[], kind: string, name: string) =>
      all.find((one) => one.kind === kind && one.metadata.name === name);
    const deploymentOf = (all: Json[], role: string) => find(all, 'Deployment', `shop-${role}`);
    const podOf = (all: Json[], role: string) => deploymentOf(all, role).spec.template;
    /** Without helm on this machine they wait for a machine that has it. */
    const rendered = hasHelm ? it : it.skip;

    rendered('makes objects that Kubernetes and the Prometheus operator take', async () => {
      const all = render({
        ingress: HOST,
        api: { autoscaling: { enabled: true }, podAnnotations: { a: 'b' } },
        serviceMonitor: { enabled: true },
        prometheusRule: { enabled: true },
        ...CA,
      });
      expect(all.length).to.be.above(10);
      for (const object of all) await demandTaken(object);
      const deployment = deploymentOf(all, 'api');
      deployment.spec.replicas = 'two';
      const refused = await demandTaken(deployment).catch(({ message }: Error) => message);
      expect(refused).to.include('spec/replicas');
    });

    rendered('has both roles, each with a budget, and selects their pods alone', () => {
      const all = render();
      for (const role of ['api', 'worker']) {
        const { spec } = deploymentOf(all, role);
        const { labels } = spec.template.metadata;
        const selecting = [spec, find(all, 'PodDisruptionBudget', `shop-${role}`).spec];
        for (const { selector } of selecting) {
          expect(labels).to.deep.include(selector.matchLabels);
          expect(selector.matchLabels['app.kubernetes.io/component']).to.equal(role);
        }
        expect(spec.strategy.rollingUpdate.maxUnavailable).to.equal(0);
      }
      const { labels } = podOf(all, 'api').metadata;
      expect(labels).to.deep.include(find(all, 'Service', 'shop').spec.selector);
    });

    rendered('gives each role settings that the program takes', () => {
      const all = render();
      for (const role of ['api', 'worker']) {
        const pod = podOf(all, role).spec;
        const [container] = pod.containers;
        expect(container.envFrom).to.deep.equal([{ secretRef: { name: 'waybill' } }]);
        const env = Object.fromEntries(container.env.map((one: Json) => [one.name, one.value]));
        const config = loadConfig({ ...secret, ...env });
        expect(config).to.include({ role, port: 8080, opsPort: 9090, host: '0.0.0.0' });
        const ports = container.ports.map((one: Json) => [one.name, one.containerPort]);
        expect(Object.fromEntries(ports)).to.deep.equal({ http: 8080, ops: 9090 });
        expect(container.resources.limits.memory).to.equal('1Gi');
        expect(container.securityContext.readOnlyRootFilesystem).to.equal(true);
        expect(pod.securityContext.runAsNonRoot).to.equal(true);
        // The delay of the API before SIGTERM, and the drain, fit in.
        const needed = 10 + config.drainTimeoutMs / 1000 + 10;
        expect(pod.terminationGracePeriodSeconds).to.be.greaterThan(needed);
      }
    });

    rendered('probes the port for operators, and delays the end of the API only', () => {
      const all = render();
      const containers = ['api', 'worker'].map((role) => podOf(all, role).spec.containers[0]);
      for (const { livenessProbe, readinessProbe } of containers) {
        expect(livenessProbe.httpGet).to.deep.equal({ path: '/health/live', port: 'ops' });
        expect(readinessProbe.httpGet).to.deep.equal({ path: '/health/ready', port: 'ops' });
      }
      expect(containers[0].lifecycle.preStop.exec.command).to.deep.equal(['sleep', '10']);
      expect(containers[1].lifecycle).to.equal(undefined);
    });

    rendered('lets pods of the API wait for all workers of their version', () => {
      const all = render({ image: { tag: '9.9.9' }, worker: { replicas: 3 } });
      const initOf = (role: string, of = all) => podOf(of, role).spec.initContainers;
      expect(initOf('worker')).to.equal(undefined);
      const [waiting] = initOf('api');
      expect(waiting.image).to.equal('waybill:9.9.9');
      const { spec } = find(all, 'Service', 'shop-workers');
      expect(spec.clusterIP).to.equal('None');
      const { labels } = podOf(all, 'worker').metadata;
      expect(labels).to.deep.include(spec.selector);
      expect(spec.selector['app.kubernetes.io/version']).to.equal('9.9.9');
      // The shell of the image asks a name server that knows three at the third time.
      const [command, ...args] = waiting.command;
      const count = join(folder.path, 'asked');
      writeFileSync(
        join(folder.path, 'getent'),
        `#!/bin/bash\necho >> ${count}\nfor ((n = 0; n < $(wc -l < ${count}); n += 1)); do for t in STREAM DGRAM; do echo "10.0.0.$n $t $2"; done; done\n`,
        { mode: 0o755 },
      );
      writeFileSync(join(folder.path, 'sleep'), '#!/bin/bash\n', { mode: 0o755 });
      const PATH = `${folder.path}:${process.env.PATH}`;
      const { status, stdout } = spawnSync(command, args, { env: { PATH }, encoding: 'utf8' });
      expect([status, stdout]).to.deep.equal([0, '']);
      expect(readFileSync(count, 'utf8')).to.have.length(3);
      expect(initOf('api', render({ api: { waitForWorkersSeconds: 0 } }))).to.equal(undefined);
    });

    rendered('closes both roles but to the peers that are named', () => {
      const from = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }];
      const all = render({ networkPolicy: { apiFrom: from } });
      const { spec } = find(all, 'NetworkPolicy', 'shop');
      expect(spec.policyTypes).to.deep.equal(['Ingress', 'Egress']);
      expect(spec.ingress.map(({ ports }: Json) => ports)).to.deep.equal([[{ port: 'ops' }]]);
      expect(spec.ingress[0].from[0].namespaceSelector.matchLabels).to.be.an('object');
      const ports = spec.egress.flatMap((one: Json) => one.ports.map(({ port }: Json) => port));
      expect(ports).to.deep.equal([53, 53, 2113, 27017, 443]);
      expect(find(all, 'NetworkPolicy', 'shop-api').spec.ingress[0].from).to.deep.equal(from);
      const shut = render({ networkPolicy: { apiFrom: [], metricsFrom: [] } });
      expect(find(shut, 'NetworkPolicy', 'shop').spec).to.not.include.keys('ingress');
      expect(find(shut, 'NetworkPolicy', 'shop-api')).to.equal(undefined);
      const open = render({ networkPolicy: { enabled: false } });
      expect(open.filter(({ kind }) => kind === 'NetworkPolicy')).to.deep.equal([]);
    });

    rendered('leads a host to the API, scales it, and takes what a cluster adds', () => {
      const optional = render().filter(({ kind }) => /^(Ingress|HorizontalPod)/.test(kind));
      expect(optional).to.deep.equal([]);
      const annotations = { 'cert-manager.io/issuer': 'x' };
      const autoscaling = { enabled: true, minReplicas: 3, maxReplicas: 9 };
      const all = render({
        ingress: { ...HOST, className: 'nginx', annotations },
        api: { autoscaling, podAnnotations: { a: 'b' }, affinity: { podAntiAffinity: {} } },
        ...CA,
      });
      const ingress = find(all, 'Ingress', 'shop');
      expect(ingress.metadata.annotations).to.deep.equal(annotations);
      expect(ingress.spec.ingressClassName).to.equal('nginx');
      const tls = { hosts: [HOST.host], secretName: HOST.tlsSecret };
      expect(ingress.spec.tls).to.deep.equal([tls]);
      const { name, port } = ingress.spec.rules[0].http.paths[0].backend.service;
      const named = find(all, 'Service', name).spec.ports.map((one: Json) => one.name);
      expect(named).to.include(port.name);
      const { spec } = find(all, 'HorizontalPodAutoscaler', 'shop-api');
      const scaled = find(all, spec.scaleTargetRef.kind, spec.scaleTargetRef.name);
      expect(scaled.spec).to.not.include.keys('replicas');
      expect([spec.minReplicas, spec.maxReplicas]).to.deep.equal([3, 9]);
      const pod = podOf(all, 'api');
      expect(pod.metadata.annotations).to.deep.equal({ a: 'b' });
      expect(pod.spec.affinity).to.deep.equal({ podAntiAffinity: {} });
      for (const role of ['api', 'worker']) {
        const { spec: of } = podOf(all, role);
        expect(of.volumes.map((one: Json) => one.name)).to.include('ca');
        expect(of.containers[0].volumeMounts).to.deep.include(CA.extraVolumeMounts[0]);
      }
      const { stderr } = template({ existingSecret: 'waybill', ingress: { enabled: true } });
      expect(stderr).to.include('ingress.host');
    });

    rendered('has a monitor and the alert rules where they are asked for', () => {
      expect(find(render(), 'ServiceMonitor', 'shop')).to.equal(undefined);
      const all = render({
        serviceMonitor: { enabled: true, interval: '30s', labels: { release: 'prometheus' } },
        prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
      });
      const monitor = find(all, 'ServiceMonitor', 'shop');
      expect(monitor.metadata.labels.release).to.equal('prometheus');
      expect(find(all, 'Service', 'shop-metrics').metadata.labels).to.deep.include(
        monitor.spec.selector.matchLabels,
      );
      expect(find(all, 'PrometheusRule', 'shop').spec).to.deep.equal(
        parse(read('deploy/helm/waybill/files/waybill.rules.yml')),
      );
    });

    rendered('is refused without the name of a secret', () => {
      const { status, stderr } = template({});
      expect(status).to.not.equal(0);
      expect(stderr).to.include('existingSecret');
    });
  });
});
