import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { parse } from 'yaml';
import { loadConfig } from '../src/config.ts';
import { temporaryFolder } from './support/folder.ts';

// No engine to run them here: what can be checked of the container files is checked as data.

const root = join(import.meta.dirname, '..');

interface Container {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string | string[]; disable?: boolean };
  volumes?: string[];
  ports?: string[];
}
interface Compose {
  services: Record<string, Container>;
  volumes: Record<string, null>;
}

const read = (file: string): Compose =>
  parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as Compose;

/** Values as they are when nothing is set outside. */
const withDefaults = (environment: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\w+:-([^}]*)\}/, '$1'),
    ]),
  );

/** The same, with the secret in place of the file that a container makes. */
const withSecret = (environment: Record<string, string> = {}): Record<string, string> => {
  const { WAYBILL_SECRET_FILE: _, ...others } = withDefaults(environment);
  return { ...others, WAYBILL_SECRET: '07'.repeat(32) };
};

describe('the container files', () => {
  const base = read('docker-compose.yml');
  const cluster = read('docker-compose.cluster.yml');
  const services = Object.entries(base.services);

  it('are by the schema of the compose specification', () => {
    const file = new URL('schemas/compose.schema.json', import.meta.resolve('dclint/package.json'));
    const { $schema: _, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const isTaken = ajv.compile(schema);
    for (const name of [
      'docker-compose.yml',
      'docker-compose.cluster.yml',
      'deploy/compose.yml',
      'deploy/compose.servers.yml',
    ]) {
      expect(isTaken(read(name)), `${name}: ${ajv.errorsText(isTaken.errors)}`).to.equal(true);
    }
    expect(isTaken({ services: { api: { imagee: 'waybill:1.0.0' } } })).to.equal(false);
  });

  it('run two instances of each role, the servers and the simulator', () => {
    expect(Object.keys(base.services)).to.include.members([
      'eventstore',
      'mongodb',
      'simulator',
      'api-1',
      'api-2',
      'worker-1',
      'worker-2',
    ]);
    const roles = services.map(([, { environment }]) => environment?.WAYBILL_ROLE);
    expect(roles.filter((role) => role === 'api')).to.have.length(2);
    expect(roles.filter((role) => role === 'worker')).to.have.length(2);
  });

  it('pin every image', () => {
    const images = [base, cluster].flatMap(({ services: all }) =>
      Object.values(all).flatMap(({ image }) => image ?? []),
    );
    for (const image of images) expect(image).to.match(/^[\w/.-]+:\d+\.\d+\.\d+/);
  });

  it('build on the Node that package.json names, which is one that it asks for', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const { devDependencies, engines } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    expect(/^ARG NODE_VERSION=(.*)$/m.exec(dockerfile)?.[1]).to.equal(devDependencies.node);
    const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?/gm)];
    const names = stages.map(([, , name]) => name);
    const bases = stages.map(([, image]) => image).filter((image) => !names.includes(image));
    expect(bases).to.have.length.above(1);
    for (const base of bases) expect(base).to.match(/^node:\$\{NODE_VERSION\}-/);
    expect(engines.node).to.equal(`>=${Number.parseInt(devDependencies.node, 10)}`);
  });

  it('give the service settings with which it starts', () => {
    for (const [name, { environment }] of services) {
      if (!environment?.WAYBILL_ROLE) continue;
      const config = loadConfig(withSecret(environment));
      expect(config.servers, name).not.to.equal(null);
      expect(config.provider.appSecrets, name).to.have.length(1);
    }
    for (const [name, { environment }] of Object.entries(cluster.services)) {
      if (!environment?.EVENTSTORE_URL) continue;
      const whole = { ...base.services[name]?.environment, ...environment };
      expect(() => loadConfig(withSecret(whole)), name).not.to.throw();
    }
  });

  it('have secrets of their own only where the provider is the simulator', () => {
    const ready = services.filter(([, { environment = {} }]) =>
      Object.values(environment).some((value) => /\$\{WAYBILL_\w+:-/.test(String(value))),
    );
    expect(ready.map(([name]) => name)).to.include.members(['api-1', 'worker-1', 'simulator']);
    for (const [name, { environment, ports = [] }] of ready) {
      for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:/);
      if (!environment?.WAYBILL_ROLE) continue;
      expect(environment.WAYBILL_PROVIDER_URL, name).to.equal('http://simulator:4000');
    }
  });

  it('make the secret once, where nobody has set one, and show it to the instances alone', async () => {
    const { command, volumes } = base.services.secret!;
    expect(volumes).to.deep.equal(['secret:/data']);
    const folder = temporaryFolder();
    const [program = '', ...args] = command!.map((word) => word.replaceAll('/data', folder.path));
    const made = () => {
      expect(spawnSync(program, args).status).to.equal(0);
      return readFileSync(join(folder.path, 'secret'), 'utf8').trim();
    };
    const secret = made();
    expect(made()).to.equal(secret);
    expect(statSync(join(folder.path, 'secret')).mode & 0o777).to.equal(0o600);
    const api = base.services['api-1']!;
    const settings = { ...withSecret(api.environment), WAYBILL_SECRET: secret };
    expect(loadConfig(settings).secret).to.have.length(32);
    const seeing = services.filter(([, one]) =>
      one.volumes?.some((at) => at.startsWith('secret:')),
    );
    for (const [name, { environment, depends_on: needs, volumes: at }] of seeing) {
      if (name === 'secret') continue;
      expect(at, name).to.deep.equal(['secret:/run/waybill:ro']);
      expect(environment!.WAYBILL_SECRET_FILE, name).to.equal('/run/waybill/secret');
      expect(needs!.secret!.condition, name).to.equal('service_completed_successfully');
    }
    expect(seeing).to.have.length(5);
    folder.remove();
  });

  it('depend only on services with a health check', () => {
    for (const [name, { depends_on: needs = {} }] of services) {
      for (const [needed, { condition }] of Object.entries(needs)) {
        const other = base.services[needed];
        expect(other, `${name} needs ${needed}`).to.be.an('object');
        const isOurs = other?.build !== undefined && !other.healthcheck?.disable;
        const canTell = isOurs || other?.healthcheck?.test !== undefined;
        if (condition === 'service_healthy') expect(canTell, needed).to.equal(true);
      }
    }
  });

  it('name programs and volumes that exist', () => {
    for (const [name, { command, volumes = [] }] of services) {
      const program = command?.find((word) => word.startsWith('src/'));
      if (program) expect(() => readFileSync(join(root, program)), name).not.to.throw();
      for (const volume of volumes) {
        expect(Object.keys(base.volumes), name).to.include(volume.split(':')[0]);
      }
    }
  });

  it('check the health in the image without a Node of its own', async () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const [command, ...words] = JSON.parse(
      /^HEALTHCHECK .*\\\n {2}CMD (.*)$/m.exec(dockerfile)![1]!,
    );
    expect(command).to.equal('bash');
    let status = 200;
    const server = createServer(({ url }, response) => {
      response.writeHead(url === '/health/live' ? status : 404).end('{"ok":true}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const exit = async () => {
      const asking = spawn(command, words, { env: { ...process.env, PORT: String(port) } });
      return (await once(asking, 'close'))[0];
    };
    expect(await exit()).to.equal(0);
    status = 503;
    expect(await exit()).to.equal(1);
    server.close();
    await once(server, 'close');
    expect(await exit()).to.equal(1);
  });

  it('build an image that runs without root', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    expect(dockerfile).to.match(/^USER node$/m);
    // Node itself and not npm, so that it gets the signals; otherwise as `npm start` does.
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const command = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)![1]!);
    expect(['exec', ...command]).to.deep.equal(scripts.start.split(' '));
    expect(dockerfile).to.match(/^STOPSIGNAL SIGTERM$/m);
  });
});
