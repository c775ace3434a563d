import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCosigner } from '../src/audit/seals/note.ts';
import { ConfigError, knownNames, loadConfig } from '../src/config.ts';

const SECRET = Buffer.alloc(32, 7);
const required = {
  WAYBILL_SECRET: SECRET.toString('base64'),
  WAYBILL_ADMIN_TOKEN: 'abcdefghijkl'.repeat(2),
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('Settings', () => {
  it('have the defaults of the manual', () => {
    expect(loadConfig(required)).to.deep.include({
      host: '127.0.0.1',
      port: 8080,
      opsPort: null,
      dataDirectory: './data',
      servers: null,
      role: 'all',
      secret: SECRET,
      secretLost: false,
      keysLost: false,
      adminTokens: ['abcdefghijkl'.repeat(2)],
      provider: {
        url: 'https://graph.facebook.com',
        version: 'v25.0',
        timeoutMs: 15_000,
        appSecrets: [],
        verifyTokens: [],
      },
      deadLetterRetentionMonths: 3,
      seals: { key: null, file: null, url: null },
      witnesses: null,
      backups: null,
      issuer: null,
      forwardAllow: [],
      trustProxyHops: 0,
      topUp: null,
      accessLog: false,
      logLevel: 'info',
      keepAliveTimeoutMs: 65_000,
      drainTimeoutMs: 30_000,
      connectionsMax: 10_000,
      tracing: null,
    });
  });

  it('of backups are a place, a schedule and a number', () => {
    const to = { WAYBILL_BACKUP_TO: 's3://shop-log/waybill' };
    const given = { ...to, WAYBILL_BACKUP_EVERY: '6h', WAYBILL_BACKUP_KEEP: '7' };
    const backups = { to: to.WAYBILL_BACKUP_TO, everyMs: 6 * 3_600_000, keep: 7 };
    expect(loadConfig({ ...required, ...given }).backups).to.deep.equal(backups);
    const alone = loadConfig({ ...required, WAYBILL_BACKUP_TO: './backups' }).backups;
    expect(alone).to.deep.equal({ to: './backups', everyMs: null, keep: 30 });
    const servers = { EVENTSTORE_URL: 'esdb://es:2113', MONGODB_URL: 'mongodb://m/waybill' };
    const cases: [Record<string, string>, RegExp][] = [
      [{ WAYBILL_BACKUP_EVERY: '6h' }, /^WAYBILL_BACKUP_EVERY: goes with WAYBILL_BACKUP_TO,/],
      [{ WAYBILL_BACKUP_KEEP: '7' }, /^WAYBILL_BACKUP_KEEP: goes with WAYBILL_BACKUP_TO,/],
      [{ WAYBILL_BACKUP_TO: 's3://' }, /^WAYBILL_BACKUP_TO: must be a directory or s3:/],
      [{ WAYBILL_BACKUP_TO: 'https://x' }, /^WAYBILL_BACKUP_TO: must be a directory or s3:/],
      [{ ...to, WAYBILL_BACKUP_EVERY: '0m' }, /^WAYBILL_BACKUP_EVERY: must be a time of 1m/],
      [{ ...to, WAYBILL_BACKUP_EVERY: '6' }, /^WAYBILL_BACKUP_EVERY: must be a time of 1m/],
      [{ ...to, WAYBILL_BACKUP_KEEP: '0' }, /^WAYBILL_BACKUP_KEEP: must be a whole number from 1/],
      [{ ...to, ...servers }, /^WAYBILL_BACKUP_TO: .* docs\/backups.md#on-servers$/],
    ];
    for (const [env, line] of cases) {
      const problems = problemsOf({ ...required, ...env });
      expect(problems, JSON.stringify(env)).to.have.length(1);
      expect(problems[0]).to.match(line);
    }
  });

  it('are read from the environment', () => {
    const config = loadConfig({
      ...required,
      PORT: '0',
      HOST: '0.0.0.0',
      WAYBILL_OPS_PORT: '9090',
      WAYBILL_DATA: '/data',
      EVENTSTORE_URL: 'esdb://admin:changeit@es1:2113,es2:2113?tls=false',
      MONGODB_URL: 'mongodb://m1:27017,m2:27017/waybill?replicaSet=rs0',
      WAYBILL_ROLE: 'worker',
      WAYBILL_PROVIDER_URL: 'http://127.0.0.1:9000/graph/',
      WAYBILL_PROVIDER_VERSION: 'v26.1',
      WAYBILL_PROVIDER_TIMEOUT_MS: '2000',
      WAYBILL_APP_SECRET: 'app',
      WAYBILL_VERIFY_TOKEN: 'verify',
      WAYBILL_FORWARD_ALLOW: ' 127.0.0.1, 10.0.0.0/8,fd00::/8 ,',
      WAYBILL_DEAD_LETTER_RETENTION_MONTHS: '12',
      WAYBILL_TRUST_PROXY: '2',
      LOG_LEVEL: 'silent',
      WAYBILL_KEEP_ALIVE_MS: '5000',
    });
    expect(config).to.deep.include({
      port: 0,
      opsPort: 9090,
      host: '0.0.0.0',
      dataDirectory: '/data',
      servers: {
        eventStoreUrl: 'esdb://admin:changeit@es1:2113,es2:2113?tls=false',
        mongoUrl: 'mongodb://m1:27017,m2:27017/waybill?replicaSet=rs0',
      },
      role: 'worker',
      provider: {
        url: 'http://127.0.0.1:9000/graph',
        version: 'v26.1',
        timeoutMs: 2000,
        appSecrets: ['app'],
        verifyTokens: ['verify'],
      },
      deadLetterRetentionMonths: 12,
      forwardAllow: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
      trustProxyHops: 2,
      logLevel: 'silent',
      keepAliveTimeoutMs: 5_000,
    });
  });

  it('cannot be changed', () => {
    const config = loadConfig(required);
    for (const part of [config, config.provider, config.forwardAllow]) {
      expect(Object.isFrozen(part)).to.equal(true);
    }
  });

  it('treat an empty variable as not set', () => {
    expect(loadConfig({ ...required, PORT: '', EVENTSTORE_URL: '' })).to.deep.equal(
      loadConfig(required),
    );
  });

  it('accept the secret in hex and in both forms of base64', () => {
    const bytes = Buffer.from(Array.from({ length: 40 }, (_, index) => 250 - index));
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const { secret } = loadConfig({ ...required, WAYBILL_SECRET: bytes.toString(encoding) });
      expect(secret.equals(bytes), encoding).to.equal(true);
    }
  });

  for (const [name, value, problem, beside = {}] of [
    ['WAYBILL_SECRET', '', /is required: 32 bytes/],
    ['WAYBILL_SECRET', 'c2hvcnQ=', /32 bytes or more/],
    ['WAYBILL_SECRET', 'ab'.repeat(31), /32 bytes or more/],
    ['WAYBILL_SECRET', `not base64! ${'x'.repeat(60)}`, /32 bytes or more/],
    ['WAYBILL_ADMIN_TOKEN', '', /is required/],
    [
      'WAYBILL_ADMIN_TOKEN',
      'abcdefghijklmnopqrstuvw',
      /24 characters or more, 12 of them different/,
    ],
    ['WAYBILL_ADMIN_TOKEN', 'abcdefghijk'.repeat(5), /12 of them different.*openssl rand/],
    ['WAYBILL_ADMIN_TOKEN', `${'abcdefghijkl'.repeat(2)} b`, /without spaces/],
    ['PORT', '65536', /whole number from 0 to 65535/],
    ['PORT', '80.5', /whole number/],
    ['PORT', '-1', /whole number/],
    ['WAYBILL_OPS_PORT', '65536', /whole number/],
    ['EVENTSTORE_URL', 'http://localhost:2113', /esdb:\/\//, { MONGODB_URL: 'mongodb://m' }],
    ['MONGODB_URL', 'localhost', /mongodb:\/\//, { EVENTSTORE_URL: 'esdb://es:2113' }],
    ['WAYBILL_ROLE', 'master', /one of all, api, worker/],
    ['LOG_LEVEL', 'loud', /one of trace, debug/],
    ['WAYBILL_PROVIDER_URL', 'graph.facebook.com', /http or https URL/],
    ['WAYBILL_PROVIDER_URL', 'ftp://x', /http or https URL/],
    ['WAYBILL_PROVIDER_VERSION', '25', /v25\.0/],
    ['WAYBILL_PROVIDER_TIMEOUT_MS', '0', /whole number/],
    ['WAYBILL_FORWARD_ALLOW', '10.0.0.0/33', /addresses or networks/],
    ['WAYBILL_FORWARD_ALLOW', 'localhost', /addresses or networks/],
    ['WAYBILL_FORWARD_ALLOW', '10.1', /addresses or networks/],
    ['WAYBILL_TRUST_PROXY', 'true', /whole number/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', /http or https URL/],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /one of http\/protobuf, http\/json/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-key', /name=value/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x=%zz', /name=value/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x=a%0Ab', /HTTP header/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production', /name=value/],
    ['OTEL_TRACES_EXPORTER', 'jaeger', /one of otlp, none/],
    ['OTEL_TRACES_SAMPLER', 'sometimes', /one of parentbased_always_on/],
    ['OTEL_TRACES_SAMPLER_ARG', '10%', /number from 0 to 1/],
    ['OTEL_PROPAGATORS', 'b3', /tracecontext/],
    ['OTEL_SDK_DISABLED', 'yes', /one of true, false/],
  ] as const) {
    it(`refuse ${name}=${value.slice(0, 30)}`, () => {
      const problems = problemsOf({ ...required, ...beside, [name]: value });
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(problem);
      expect(problems[0]).to.match(new RegExp(`^${name}: `));
      if (value.length > 2) expect(problems[0]).not.to.include(value);
    });
  }

  it('turn traces on by an endpoint or by the name of the exporter', () => {
    const tracingOf = (env: Record<string, string>) => loadConfig({ ...required, ...env }).tracing;
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/in/' };
    expect(tracingOf(base)).to.deep.equal({
      url: 'https://otel.example/in/v1/traces',
      headers: {},
      protocol: 'http/protobuf',
      timeoutMs: 10_000,
      delayMs: 5_000,
      resource: { 'service.name': 'waybill' },
      sampler: 'parentbased_always_on',
      ratio: 1,
      continuesCallers: true,
    });
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://otel.example:4318/traces' };
    expect(tracingOf({ ...base, ...own })!.url).to.equal(own.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
    expect(tracingOf({ OTEL_TRACES_EXPORTER: 'otlp' })!.url).to.equal(
      'http://localhost:4318/v1/traces',
    );
    for (const off of [{ OTEL_TRACES_EXPORTER: 'none' }, { OTEL_SDK_DISABLED: 'true' }]) {
      expect(tracingOf({ ...base, ...off })).to.equal(null);
    }
    const more = tracingOf({
      ...base,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20eDp5, x-scope = shop',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=a%2Cb',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_PROPAGATORS: 'baggage',
    });
    expect(more).to.deep.include({
      headers: { authorization: 'Basic eDp5', 'x-scope': 'shop' },
      resource: { 'service.name': 'other', 'deployment.environment.name': 'a,b' },
      ratio: 0.25,
      continuesCallers: false,
    });
    const named = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=other', OTEL_SERVICE_NAME: 'mine' };
    expect(tracingOf({ ...base, ...named })!.resource['service.name']).to.equal('mine');
  });

  it('take two values of a secret that is being changed, the present one first', () => {
    const [present, next] = [required.WAYBILL_ADMIN_TOKEN, 'mnopqrstuvwx'.repeat(2)];
    const config = loadConfig({
      ...required,
      WAYBILL_ADMIN_TOKEN: `${present}, ${next}`,
      WAYBILL_APP_SECRET: 'old,new',
      WAYBILL_VERIFY_TOKEN: 'one,two',
    });
    expect(config.adminTokens).to.deep.equal([present, next]);
    expect(config.provider).to.deep.include({
      appSecrets: ['old', 'new'],
      verifyTokens: ['one', 'two'],
    });
  });

  for (const [name, value, problem] of [
    ['WAYBILL_ADMIN_TOKEN', `${required.WAYBILL_ADMIN_TOKEN},short`, /24 characters or more/],
    ['WAYBILL_ADMIN_TOKEN', `${required.WAYBILL_ADMIN_TOKEN},`, /24 characters or more/],
    ['WAYBILL_APP_SECRET', 'a,b,c', /two values at most/],
    ['WAYBILL_APP_SECRET', 'a,', /empty value/],
    ['WAYBILL_VERIFY_TOKEN', ',b', /empty value/],
    ['WAYBILL_VERIFY_TOKEN', 'a, a', /two different values/],
  ] as const) {
    it(`refuse two values of ${name} such as ${value}`, () => {
      const problems = problemsOf({ ...required, [name]: value });
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(problem);
    });
  }

  it('report all problems at once, a line for each', () => {
    const problems = problemsOf({ PORT: 'x', LOG_LEVEL: 'y' });
    expect(problems.map((line) => line.split(':')[0])).to.have.members([
      'PORT',
      'LOG_LEVEL',
      'WAYBILL_SECRET',
      'WAYBILL_ADMIN_TOKEN',
    ]);
    expect(problems.join('')).not.to.include('\n');
  });

  for (const [name, problem] of [
    ['WAYBILL_SECRT', 'is not a setting. Did you mean WAYBILL_SECRET?'],
    ['WAYBILL_ADMIN_TOKEN_FIEL', 'is not a setting. Did you mean WAYBILL_ADMIN_TOKEN_FILE?'],
    ['WAYBILL_TRUSTED_PROXY', 'is not a setting. Did you mean WAYBILL_TRUST_PROXY?'],
    ['WAYBILL_PORT', 'is not a setting. Did you mean PORT?'],
    ['WAYBILL_URLS', 'is not a setting. Did you mean WAYBILL_URL?'],
    ['WAYBIL_ROLE', 'is not a setting. Did you mean WAYBILL_ROLE?'],
    ['waybill_ROLE', 'is not a setting. Did you mean WAYBILL_ROLE?'],
    ['WAYBILL_COLOUR', 'is not a setting. docs/running.md lists all settings'],
  ] as const) {
    it(`refuse the unknown ${name} with the nearest known name`, () => {
      expect(problemsOf({ ...required, [name]: '8080' })).to.deep.equal([`${name}: ${problem}`]);
    });
  }

  it('pass over names of others: empty ones, other programs, and services in Kubernetes', () => {
    const others = {
      WAYBILL_SECRT: '',
      WAYLAND_DISPLAY: 'wayland-0',
      WAYBILLS_COLOUR: 'red',
      PAYBILL_SECRET: 'x',
      WEB_SECRET: 'x',
      WAYBILL_SERVICE_HOST: '10.0.0.1',
      WAYBILL_SERVICE_PORT_HTTP: '8080',
      WAYBILL_PORT: 'tcp://10.0.0.1:8080',
      WAYBILL_PORT_8080_TCP_ADDR: '10.0.0.1',
    };
    expect(problemsOf({ ...required, ...others })).to.deep.equal([]);
  });

  it('know every name that the program, its tools, examples and manual use', () => {
    const root = join(import.meta.dirname, '..');
    const files = globSync(
      [
        '{README.md,Dockerfile,docker-compose*.yml}',
        'deploy/**/*',
        '{docs,src,bench,clients}/**/*.{md,ts,cjs}',
        'test/{cli,faults,servers,support}/**/*.ts',
      ],
      { cwd: root, withFileTypes: true },
    ).filter((entry) => entry.isFile());
    expect(files).to.have.length.above(500);
    for (const { parentPath, name: file } of files) {
      const text = readFileSync(join(parentPath, file), 'utf8');
      for (const [name] of text.matchAll(/\bWAYBILL_[A-Z][A-Z\d_]*/g)) {
        expect(knownNames.has(name), `${name} in ${file}`).to.equal(true);
      }
    }
  });

  it('take a policy of witnesses from a file, and name what is wrong with it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
    const file = join(folder, 'policy.txt');
    const { verifierKey } = createCosigner('witness.example/w1', SECRET);
    writeFileSync(file, `witness w ${verifierKey} https://witness.example/w1\nquorum w\n`);
    const { witnesses } = loadConfig({ ...required, WAYBILL_WITNESSES: file });
    expect(witnesses!.witnesses.map(({ name, url }) => [name, url])).to.deep.equal([
      ['w', 'https://witness.example/w1'],
    ]);
    writeFileSync(file, 'quorum w\n');
    expect(problemsOf({ ...required, WAYBILL_WITNESSES: file })).to.deep.equal([
      'WAYBILL_WITNESSES: line 1 of the policy: w is not defined above',
    ]);
    rmSync(folder, { recursive: true });
    expect(problemsOf({ ...required, WAYBILL_WITNESSES: file })).to.deep.equal([
      'WAYBILL_WITNESSES: the file cannot be read (ENOENT)',
    ]);
  });

  it('take both servers or none, and a role only beside servers', () => {
    const urls = { EVENTSTORE_URL: 'esdb://es:2113', MONGODB_URL: 'mongodb://m' };
    for (const [name, other] of [Object.keys(urls), Object.keys(urls).reverse()]) {
      expect(problemsOf({ ...required, [name!]: urls[name as keyof typeof urls] })).to.deep.equal([
        `${name}: goes with ${other}, which is missing`,
      ]);
    }
    expect(problemsOf({ ...required, WAYBILL_ROLE: 'api' })).to.deep.equal([
      'WAYBILL_ROLE: api goes with EVENTSTORE_URL and MONGODB_URL, which are missing',
    ]);
  });

  it('take the issuer of statements, whose address and tax number need a name', () => {
    const issuer = {
      WAYBILL_ISSUER_ADDRESS: '1 Quay Street\nDublin',
      WAYBILL_ISSUER_TAX_ID: 'IE1',
    };
    expect(
      loadConfig({ ...required, ...issuer, WAYBILL_ISSUER_NAME: ' Words Ltd ' }).issuer,
    ).to.deep.equal({ name: 'Words Ltd', address: '1 Quay Street\nDublin', taxId: 'IE1' });
    expect(problemsOf({ ...required, ...issuer })).to.deep.equal([
      'WAYBILL_ISSUER_ADDRESS: goes with WAYBILL_ISSUER_NAME, which is missing',
      'WAYBILL_ISSUER_TAX_ID: goes with WAYBILL_ISSUER_NAME, which is missing',
    ]);
  });

  it('take an issuer of OpenID Connect, with its credentials and the roles of a claim', () => {
    const roles = { claim: 'groups', roles: { root: 'admin' } };
    const given = {
      ...required,
      WAYBILL_OIDC_ISSUER: 'https://login.example',
      WAYBILL_OIDC_CLIENT_ID: 'waybill',
      WAYBILL_OIDC_CLIENT_SECRET: 'secret',
      WAYBILL_OIDC_ROLES: JSON.stringify(roles),
    };
    expect(loadConfig(given).openId).to.deep.equal({
      issuer: 'https://login.example',
      clientId: 'waybill',
      clientSecret: 'secret',
      roles,
    });
    const local = { ...given, WAYBILL_OIDC_ISSUER: 'http://127.0.0.1:9000/realm' };
    expect(loadConfig(local).openId!.issuer).to.contain('/realm');
    expect(loadConfig(required).openId).to.equal(null);
    const owner = JSON.stringify({ ...roles, roles: { root: 'owner' } });
    for (const [change, problem] of [
      [
        { WAYBILL_OIDC_ISSUER: 'http://login.example' },
        'WAYBILL_OIDC_ISSUER: must be an https URL',
      ],
      [{ WAYBILL_OIDC_ROLES: 'groups' }, 'WAYBILL_OIDC_ROLES: must be JSON like'],
      [{ WAYBILL_OIDC_ROLES: owner }, 'WAYBILL_OIDC_ROLES: must be JSON like'],
      [
        { WAYBILL_OIDC_CLIENT_SECRET: '' },
        'WAYBILL_OIDC_ISSUER: goes with WAYBILL_OIDC_CLIENT_SECRET, which is missing',
      ],
    ] as const) {
      expect(problemsOf({ ...given, ...change }).join()).to.match(new RegExp(`^${problem}`));
    }
    expect(problemsOf({ ...required, WAYBILL_OIDC_ROLES: given.WAYBILL_OIDC_ROLES })).to.deep.equal(
      ['WAYBILL_OIDC_ROLES: goes with WAYBILL_OIDC_ISSUER, which is missing'],
    );
  });

  it('take a mail address or an https URL for top-ups, as a link', () => {
    const topUpOf = (value: string) => loadConfig({ ...required, WAYBILL_TOP_UP: value }).topUp;
    expect(topUpOf('money@words.example')).to.equal('mailto:money@words.example');
    expect(topUpOf('https://words.example/top-up')).to.equal('https://words.example/top-up');
    for (const value of ['http://words.example', 'javascript:alert(1)', 'ask Mia']) {
      expect(problemsOf({ ...required, WAYBILL_TOP_UP: value })).to.deep.equal([
        'WAYBILL_TOP_UP: must be a mail address or an https URL',
      ]);
    }
  });

  describe('from files', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'waybill-config-'));
    });
    after(() => rmSync(folder, { recursive: true }));
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };

    it('hold any secret, without the line end', () => {
      const config = loadConfig({
        WAYBILL_SECRET_FILE: file('secret', `${SECRET.toString('hex')}\n`),
        WAYBILL_ADMIN_TOKEN_FILE: file('token', `${'bcdefghijklm'.repeat(3)}\r\n`),
        WAYBILL_APP_SECRET_FILE: file('app', 'app\n'),
        WAYBILL_VERIFY_TOKEN_FILE: file('verify', 'verify\n'),
        MONGODB_URL_FILE: file('mongo', 'mongodb://u:p@m/\n'),
        EVENTSTORE_URL_FILE: file('esdb', 'esdb://u:p@e:2113\n'),
        WAYBILL_SEAL_KEY_FILE: file('seal', `${SECRET.toString('hex')}\n`),
        OTEL_EXPORTER_OTLP_HEADERS_FILE: file('headers', 'x-scope=shop\n'),
        OTEL_TRACES_EXPORTER: 'otlp',
      });
      expect(config.secret.equals(SECRET)).to.equal(true);
      expect(config).to.deep.include({
        adminTokens: ['bcdefghijklm'.repeat(3)],
        servers: { eventStoreUrl: 'esdb://u:p@e:2113', mongoUrl: 'mongodb://u:p@m/' },
      });
      expect(config.provider).to.deep.include({ appSecrets: ['app'], verifyTokens: ['verify'] });
      expect(config.seals.key!.equals(SECRET)).to.equal(true);
      expect(config.tracing!.headers).to.deep.equal({ 'x-scope': 'shop' });
    });

    it('are named once when they cannot be read, are empty, or are given twice', () => {
      const cases = [
        { WAYBILL_SECRET_FILE: join(folder, 'missing') },
        { WAYBILL_SECRET_FILE: file('empty', '\n') },
        { WAYBILL_SECRET: required.WAYBILL_SECRET, WAYBILL_SECRET_FILE: file('twice', 'x') },
      ].map((env) => problemsOf({ WAYBILL_ADMIN_TOKEN: required.WAYBILL_ADMIN_TOKEN, ...env }));
      expect(cases).to.deep.equal([
        ['WAYBILL_SECRET_FILE: the file cannot be read (ENOENT)'],
        ['WAYBILL_SECRET_FILE: the file is empty'],
        ['WAYBILL_SECRET: is given twice, also as WAYBILL_SECRET_FILE'],
      ]);
    });

    it('hide no problem of a setting whose name begins theirs', () => {
      const problems = problemsOf({
        WAYBILL_ADMIN_TOKEN: required.WAYBILL_ADMIN_TOKEN,
        WAYBILL_SECRET_PREVIOUS_FILE: join(folder, 'missing'),
      });
      expect(problems.map((problem) => problem.replace(/:.*/, ''))).to.deep.equal([
        'WAYBILL_SECRET_PREVIOUS_FILE',
        'WAYBILL_SECRET',
      ]);
    });
  });
});
