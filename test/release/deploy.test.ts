import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.ts';

// The examples of configuration, as far as they can be checked without the programs that read them.

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8');

interface Container {
  image?: string;
  env_file?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string | string[] };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  stop_grace_period?: string;
  tmpfs?: string[];
  volumes?: string[];
}

const servicesIn = (file: string): Record<string, Container> =>
  parse(read(file), { merge: true }).services;

const filledIn = (text: string, given: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    if (given[name]) return given[name];
    if (kind === '?') throw new Error(rest);
    return kind === '-' ? rest : '';
  });

/** The environment of a container with these values outside; throws where a required one is missing. */
const environmentOf = ({ environment = {} }: Container, given: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, filledIn(String(text), given)]),
  );

const secrets = {
  WAYBILL_SECRET: '11'.repeat(32),
  WAYBILL_ADMIN_TOKEN: 'a-token-of-the-deploy-tests-01',
  WAYBILL_APP_SECRET: 'app',
  WAYBILL_VERIFY_TOKEN: 'verify',
};

/** Of a time or a size, without its unit. */
const numberIn = (text: string | undefined): number => Number.parseInt(text ?? '', 10);

describe('deploy/', () => {
  const one = servicesIn('compose.yml');
  const servers = servicesIn('compose.servers.yml');
  const instances = {
    waybill: one.waybill!,
    'waybill on servers': {
      ...one.waybill,
      environment: { ...one.waybill!.environment, ...servers.waybill!.environment },
    } as Container,
    'api-2': servers['api-2']!,
    'worker-1': servers['worker-1']!,
    'worker-2': servers['worker-2']!,
  };
  const unit = read('waybill.service');

  for (const [name, container] of Object.entries(instances)) {
    it(`starts ${name} with settings that are valid, and not without its secrets`, () => {
      const config = loadConfig(environmentOf(container, secrets));
      expect(config.provider.url).to.equal('https://graph.facebook.com');
      expect([config.trustProxyHops, config.opsPort]).to.deep.equal([1, 9090]);
      // What it does not name itself.
      expect(container.env_file).to.equal('.env');
      for (const missing of Object.keys(secrets)) {
        const given = { ...secrets, [missing]: '' };
        expect(() => environmentOf(container, given), missing).to.throw(`set ${missing}`);
      }
    });
  }

  it('bounds every container, and gives it no more rights than it needs', () => {
    const all = { ...servers, ...one };
    for (const [name, container] of Object.entries(all)) {
      expect(container.mem_limit, name).to.match(/^\d+[mg]$/);
      expect(container.cpus, name).to.be.above(0);
      if (/eventstore|mongodb/.test(name)) continue;
      expect(container, name).to.deep.include({ read_only: true, cap_drop: ['ALL'] });
      expect(container.security_opt, name).to.deep.equal(['no-new-privileges:true']);
      expect(container.pids_limit, name).to.be.above(0);
    }
  });

  it('pins images, and waits only for containers that tell their health', () => {
    const all: Record<string, Container> = { ...servers, ...one };
    for (const [name, { image = '', depends_on: needs = {} }] of Object.entries(all)) {
      expect(image, name).to.match(/:\d+\.\d+\.\d+|WAYBILL_IMAGE:-waybill:\d+\.\d+\.\d+/);
      for (const [needed, { condition }] of Object.entries(needs)) {
        expect(condition).to.equal('service_healthy');
        const tells = needed === 'waybill' || all[needed]?.healthcheck !== undefined;
        expect(tells, `${name} needs ${needed}`).to.equal(true);
      }
    }
  });

  it('has a disk for temporary files, whose /tmp is memory', () => {
    for (const [name, { environment, volumes, tmpfs }] of Object.entries(instances)) {
      expect(environment?.TMPDIR, name).to.equal('/data');
      expect(volumes?.join(), name).to.match(/(^|:)\/data$/);
      expect(tmpfs?.join(), name).not.to.include('/data');
    }
  });

  it('gives the process time to end', () => {
    const { drainTimeoutMs } = loadConfig(environmentOf(one.waybill!, secrets));
    // As main.ts ends a stop that takes too long.
    const needed = drainTimeoutMs / 1000 + 10;
    for (const [name, container] of Object.entries(instances)) {
      expect(numberIn(container.stop_grace_period), name).to.be.above(needed);
    }
    expect(numberIn(/^TimeoutStopSec=(.*)$/m.exec(unit)?.[1])).to.be.above(needed);
  });

  it('starts the program of the package from systemd, as a user without rights', () => {
    expect(unit).to.match(/^ExecStart=\/\S+\/waybill start$/m);
    const rights =
      'DynamicUser=yes NoNewPrivileges=yes CapabilityBoundingSet= RestrictNamespaces=yes';
    const files = 'ProtectSystem=strict ProtectHome=yes PrivateTmp=yes UMask=0077';
    const own = `${rights} ${files} StateDirectory=waybill SystemCallFilter=@system-service`;
    expect(unit.split('\n')).to.include.members(own.split(' '));
    // Of backups; a later line takes a call out of what an earlier one denies.
    expect(unit).to.match(
      /^SystemCallFilter=~.*@resources\n(#.*\n)?SystemCallFilter=setpriority$/m,
    );
    // The compiler of node needs it.
    expect(unit).not.to.match(/^MemoryDenyWriteExecute=yes/m);
    const environment = Object.fromEntries(
      [...unit.matchAll(/^Environment=(.*)$/gm)]
        .flatMap(([, words]) => words!.split(' '))
        .map((word) => word.split('=') as [string, string]),
    );
    expect(loadConfig({ ...environment, ...secrets })).to.deep.include({
      dataDirectory: '/var/lib/waybill',
      trustProxyHops: 1,
      host: '127.0.0.1',
    });
  });

  it('asks for each secret in the example of the environment, and gives none', () => {
    const lines = read('waybill.env.example').split('\n');
    for (const name of Object.keys(secrets)) expect(lines).to.include(`${name}=`);
  });

  describe('the proxies', () => {
    const nginx = read('nginx.conf');
    const caddy = read('Caddyfile');
    const { keepAliveTimeoutMs } = loadConfig(environmentOf(one.waybill!, secrets));

    it('let a file and a webhook pass, and little else', () => {
      const sizes = [...nginx.matchAll(/client_max_body_size (\d+)m;/g)].map(([, size]) => size);
      expect(sizes.map(numberIn)).to.deep.equal([4, 101]);
      const limits = [...caddy.matchAll(/max_size (\d+)MB/g)].map(([, size]) => size);
      expect(limits.map(numberIn)).to.deep.equal([101, 4]);
    });

    it('take a file wherever the service does', () => {
      const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
      const uploads = Object.keys(paths).filter(
        (path) => paths[path].post?.requestBody?.content['multipart/form-data'],
      );
      const files = ['/api/graph/v25.0/1/media', ...uploads.map((path) => `/api${path}`)];
      const byNginx = new RegExp(/location ~ (\S+) \{/.exec(nginx)![1]!);
      const [inCaddy, others] = [...caddy.matchAll(/@\w+ (?:not )?path (\/api.*)/g)].map(
        ([, globs]) => globs!.replaceAll('*', '[^/]+').split(' '),
      );
      expect(others).to.deep.equal(inCaddy);
      const byCaddy = new RegExp(`^(${inCaddy!.join('|')})$`);
      for (const path of files) {
        expect(path).to.match(byNginx);
        expect(path).to.match(byCaddy);
      }
    });

    it('close idle connections before the service does', () => {
      const idle = [/keepalive_timeout (\d+)s/.exec(nginx), /keepalive (\d+)s/.exec(caddy)];
      for (const found of idle) {
        expect(Number(found?.[1]) * 1000).to.be.within(1000, keepAliveTimeoutMs - 1);
      }
    });

    it('wait longer than a batch of 120 s and a file of 300 s', () => {
      const waits = [...nginx.matchAll(/proxy_read_timeout (\d+)s/g)].map(([, time]) => time);
      expect(waits.map(numberIn)).to.deep.equal([130, 310, 310]);
      expect(/response_header_timeout (\d+)s/.exec(caddy)?.[1]).to.equal('310');
    });

    it('tell the address of the client, and not what it says itself', () => {
      expect(nginx).to.include('proxy_set_header X-Forwarded-For $remote_addr;');
      expect(caddy).to.include('header_up X-Forwarded-For {remote_host}');
    });

    it('keep metrics and the parts of the health to the private network', () => {
      for (const path of ['/metrics', '/health/ready']) {
        expect(nginx).to.include(`location = ${path} {\n        return 404;`);
        expect(caddy).to.match(new RegExp(`@private path .*${path}`));
      }
    });
  });
});
