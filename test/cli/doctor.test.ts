import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Finding } from '../../src/cli/doctor/check.ts';
import { checkEventStore, checkMachine } from '../../src/cli/doctor/machine.ts';
import { version } from '../../src/cli/program/context.ts';
import { checkInstallation } from '../../src/commands/core/installation.ts';
import { loadConfig } from '../../src/config.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemClock, systemIds } from '../../src/shared/system.ts';
import { fixedClock } from '../support/ambient.ts';
import { answered } from '../support/answered.ts';
import { temporaryFolder } from '../support/folder.ts';
import { inSuite } from '../support/in-suite.ts';
import { SECRET } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { startServer } from '../support/server.ts';
import {
  ADMIN_TOKEN,
  APP_SECRET,
  type Json,
  startWaybill,
  VERIFY_TOKEN,
  type Waybill,
} from '../support/waybill.ts';
import { runHere, useStub } from './support.ts';

/** A port at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';
const NUMBER = '1001';
const TOKEN = 'its-token';

describe('waybill doctor @long', () => {
  useRealConnections();
  const stub = useStub();
  /** A provider whose clock is an hour late. */
  const late = inSuite(() =>
    startServer((_, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.end('{}');
    }),
  );
  const folder = temporaryFolder();
  let simulator: Simulator;
  let providerUrl: string;
  let waybill: Waybill;
  let accountId: string;
  let templateId: string;

  before(async () => {
    simulator = createSimulator({ appSecret: APP_SECRET, timings: { reviewMs: 60_000 } });
    providerUrl = await simulator.start();
    // Its clock is compared with that of the provider.
    waybill = await startWaybill({ providerUrl, clock: fixedClock(Date.now()) });
  });
  after(async () => {
    await waybill.stop();
    await simulator.stop();
    folder.remove();
  });

  const settings = (): Record<string, string> => ({
    WAYBILL_URL: `${waybill.url}/api`,
    WAYBILL_SECRET: SECRET.toString('hex'),
    WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN,
    WAYBILL_APP_SECRET: APP_SECRET,
    WAYBILL_VERIFY_TOKEN: VERIFY_TOKEN,
    WAYBILL_PROVIDER_URL: providerUrl,
    WAYBILL_DATA: folder.path,
  });

  const examine = async (env: Record<string, string> = {}, ...words: string[]) => {
    const ended = await runHere(['doctor', '--json', ...words], { env: { ...settings(), ...env } });
    const { ok, checks } = JSON.parse(ended.stdout) as { ok: boolean; checks: Finding[] };
    expect(ended.status, ended.stderr).to.equal(ok ? 0 : 1);
    expect(checks.filter(({ state, remedy }) => state === 'failed' && !remedy)).to.be.empty;
    const failed = checks.filter(({ state }) => state === 'failed');
    return { checks, failed };
  };

  /** The checks that are red, in their order: the name, what was seen, and what is advised. */
  const expectRed = (found: readonly Finding[], ...expected: readonly RegExp[]) => {
    const red = found
      .filter(({ state }) => state === 'failed')
      .map(({ name, detail, remedy }) => `${name}: ${detail} -> ${remedy}`);
    expect(red, red.join('\n')).to.have.length(expected.length);
    for (const [at, words] of expected.entries()) expect(red[at]).to.match(words);
  };
  const finds = async (env: Record<string, string>, ...expected: readonly RegExp[]) =>
    expectRed((await examine(env)).checks, ...expected);

  const admin = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await waybill.admin(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.below(300);
    return answer.body;
  };

  describe('leads through the first steps', () => {
    it('an account, its credits, its number and its templates', async () => {
      await finds({}, /^account: .*no account.* -> .*waybill account create/s);
      const { failed: unknown } = await examine({}, '--account', 'acc_none');
      expectRed(unknown, /^account: .*no account acc_none.* -> .*waybill account list/s);

      const organisation = await admin('POST', '/organisations', { name: 'Shop' });
      const accounts = `/organisations/${organisation.id}/accounts`;
      accountId = (await admin('POST', accounts, { name: 'Web' })).id;
      await finds(
        {},
        new RegExp(`^balance: .* -> .*waybill credits grant ${accountId}`, 's'),
        new RegExp(`^number: .* -> .*--account ${accountId} --waba`, 's'),
      );

      await admin('POST', `/accounts/${accountId}/credits/grant`, { amount: 10 });
      const number = { phoneNumberId: NUMBER, wabaId: '2001' };
      simulator.setNumber({ ...number, registered: false });
      await admin('POST', `/accounts/${accountId}/numbers`, { ...number, accessToken: TOKEN });
      await finds(
        {},
        /^registration: .*133010.* -> .*waybill number register 1001/s,
        /^catalog: 0 of 18 events are approved -> .*POST \/v1\/notifications\/templates\/submit/s,
      );

      await admin('POST', `/numbers/${NUMBER}/register`, { pin: '123456' });
      const key = await admin('POST', `/accounts/${accountId}/keys`, { name: 'test' });
      const body = { events: ['order_shipped'] };
      const submit = '/v1/notifications/templates/submit';
      const sent = await waybill.call('POST', submit, { token: key.key, body });
      templateId = sent.body.results[0].metaTemplateId;
      await simulator.decideTemplate(templateId, 'APPROVED');
      const { failed, checks } = await examine();
      expect(failed).to.deep.equal([]);
      const catalog = checks.find(({ name }) => name === 'catalog');
      expect(catalog?.detail).to.equal('1 of 18 events are approved');
    });
  });

  describe('finds on this machine', () => {
    it('a setting that is wrong', async () => {
      const must = /^settings: WAYBILL_SECRET: must be 32 bytes.* -> .*docs\/running\.md/s;
      await finds({ WAYBILL_SECRET: 'short' }, must);
    });

    it('a log that cannot be read', async () => {
      const { path, remove } = temporaryFolder();
      writeFileSync(join(path, 'events.db'), 'no database'.repeat(100));
      await finds({ WAYBILL_DATA: path }, /^log: .*cannot be read.* -> .*waybill restore/s);
      remove();
    });

    it('a log that another secret has written', async () => {
      const other = temporaryFolder();
      const store = await openSqliteStore({ directory: other.path, onFatal: () => undefined });
      const proofs = createSecrets(Buffer.alloc(32, 9));
      await checkInstallation({ store, proofs, clock: systemClock, ids: systemIds });
      await store.close();
      const another = /^secret: .*another WAYBILL_SECRET.* -> .*earlier secret again/s;
      await finds({ WAYBILL_DATA: other.path }, another);
      other.remove();
    });

    it('servers that do not answer', async () => {
      const servers = {
        EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
        MONGODB_URL: 'mongodb://127.0.0.1:1/waybill?serverSelectionTimeoutMS=50',
      };
      const models = /^read models: .*MongoDB.* -> .*check MONGODB_URL/s;
      await finds(servers, /^log: .+ -> .*check EVENTSTORE_URL/s, models);
    });

    it('an EventStoreDB that is too old', async () => {
      const seen = async (esVersion: string) => {
        stub.answers({ body: { esVersion } });
        const url = `esdb+discover://admin:secret@${new URL(stub.url).host},b:2113?tls=false`;
        const found = await Array.fromAsync(checkEventStore(url));
        expect(stub.asked[0]?.path).to.equal('/info');
        return found;
      };
      const fine = { name: 'log', state: 'ok', detail: 'EventStoreDB 23.10.6.0' };
      expect(await seen('23.10.6.0')).to.deep.equal([fine]);
      const older = /^log: .*22\.10\.2.* -> .*Upgrade it to 23\.10 or later/s;
      expectRed(await seen('22.10.2'), older);
      expectRed(await seen('23.6.0'), /^log: .*23\.6.* -> .*Upgrade/s);
    });

    it('a disk that is nearly full', async () => {
      const machine = checkMachine(loadConfig(settings()), async () => 1000);
      const low = /^disk: 0\.0 GiB are free.* -> .*Free at least 1 GiB/s;
      expectRed(await Array.fromAsync(machine), low);
    });
  });

  describe('finds in the service and at the provider', () => {
    it('a service that does not run, and then compares the clock of this machine', async () => {
      const { checks } = await examine({ WAYBILL_URL: `${NOWHERE}/api` });
      const away = /^service: .*ECONNREFUSED.* -> .*Start the service/s;
      // The clock of this run is that of the tests.
      expectRed(checks, away, /^clock: .*this machine.* ->/s);
      expect(checks.at(-1)).to.include({ name: 'accounts', state: 'skipped' });
    });

    it('a provider that does not answer', async () => {
      const away = /^provider: .*does not answer: ECONNREFUSED.* -> .*WAYBILL_PROVIDER_URL/s;
      await finds({ WAYBILL_PROVIDER_URL: NOWHERE }, away);
    });

    it('a version of the provider’s API that ends soon, or has ended', async () => {
      const soon = /^provider version: v21.0 ends on 2027-01-21.* -> .*up to v26.0/s;
      await finds({ WAYBILL_PROVIDER_VERSION: 'v21.0' }, soon);
      const past = /^provider version: v20.0 ended on 2026-09-24.* -> .*up to v26.0/s;
      await finds({ WAYBILL_PROVIDER_VERSION: 'v20.0' }, past);
    });

    it('a clock that is off', async () => {
      const off = /^clock: 3(599|600|601) s between the clock of the service.* -> .*timedatectl/s;
      await finds({ WAYBILL_PROVIDER_URL: late.url }, off);
    });

    const elsewhere = 'Start the service with this .* let a proxy in front pass';
    it('another verify token', () =>
      finds(
        { WAYBILL_VERIFY_TOKEN: 'another' },
        new RegExp(`^verify token: .*handshake with 403.* -> .*${elsewhere}`, 's'),
      ));

    it('another app secret', () =>
      finds(
        { WAYBILL_APP_SECRET: 'another' },
        new RegExp(`^app secret: .*answers 401.* -> .*${elsewhere}`, 's'),
      ));

    it('a webhook without its secrets', () =>
      finds(
        { WAYBILL_APP_SECRET: '', WAYBILL_VERIFY_TOKEN: '' },
        /^verify token: .* -> .*docs\/going-live\.md/s,
        /^app secret: .* -> .*docs\/going-live\.md/s,
      ));

    it('a token of no administrator, and none', async () => {
      const wrong = await examine({}, '--token', 'of-nobody');
      const none = await examine({ WAYBILL_ADMIN_TOKEN: '' }, '--remote');
      expectRed(wrong.failed, /^administrator token: .*answers 401.* -> .*WAYBILL_ADMIN_TOKEN/s);
      expectRed(none.failed, /^administrator token: .*there is no.* -> .*WAYBILL_ADMIN_TOKEN/s);
    });
  });

  describe('finds at an account and a number', () => {
    it('a pause', async () => {
      await admin('PATCH', `/accounts/${accountId}/limits`, { paused: true });
      await finds({}, /^pause: .*paused.* -> .*account limits .* --no-paused/s);
      await admin('PATCH', `/accounts/${accountId}/limits`, { paused: false });
    });

    it('a token that the provider refuses', async () => {
      simulator.configure({ invalidTokens: [TOKEN] });
      const { checks } = await examine();
      const remedy = 'system user.* waybill number token 1001';
      expectRed(checks, new RegExp(`^token: .*The provider refused.* -> .*${remedy}`, 's'));
      expect(checks.find(({ name }) => name === 'catalog')?.state).to.equal('ok');
      simulator.configure({ invalidTokens: [] });
    });

    it('what blocks the number', async () => {
      simulator.setNumber({ phoneNumberId: NUMBER, blockedBecause: 'Payment method problem' });
      await finds({}, /^sending: .*Payment method problem.* -> .*waybill number refresh/s);
      simulator.setNumber({ phoneNumberId: NUMBER, blockedBecause: null });
    });

    it('a template that the provider paused', async () => {
      await simulator.decideTemplate(templateId, 'PAUSED');
      await finds({}, /^catalog: .*0 of 18 .*order_shipped.* -> .*WhatsApp Manager/s);
      await simulator.decideTemplate(templateId, 'APPROVED');
    });

    it('a subscription that the provider refuses', async () => {
      simulator.configure({ strict: true });
      simulator.setNumber({ phoneNumberId: '1002', wabaId: '2002' });
      const wrong = { phoneNumberId: '1002', wabaId: '9999', accessToken: TOKEN };
      await admin('POST', `/accounts/${accountId}/numbers`, wrong);
      const { failed } = await examine();
      const about = failed.filter((one) => one.about === '1002');
      const found = about.find(({ name }) => name === 'webhook subscription');
      expect(found?.detail).to.match(/no status and no message arrives: .*9999/);
      expect(found?.remedy).to.match(/full control of 9999.*waybill number refresh 1002/);
      await admin('DELETE', '/numbers/1002');
      simulator.configure({ strict: false });
    });
  });

  describe('at a terminal', () => {
    it('prints a line for each check, a remedy below a red one, and ends with status 1', async () => {
      const env = { ...settings(), WAYBILL_VERIFY_TOKEN: 'another' };
      const { stdout, stderr } = await answered(1, runHere('doctor', { env }));
      expect(stdout).to.match(/^ok {5}settings {13}all settings are valid\n/);
      expect(stdout).to.match(/^FAILED verify token .*\n {7}-> Start the service with this/m);
      expect(stdout).to.match(/\d+ checks, 1 failed\.\n$/);
      expect(stderr).to.equal('error: 1 check failed\n');
    });
  });

  describe('of a service with other answers', () => {
    const pages: Record<string, Json> = {
      '/health/live': { ok: true },
      '/health/ready': { ok: true },
      '/api/openapi.json': { info: { version } },
      '/api/admin/v1/accounts': { accounts: [{ id: 'acc_1', billing: 'wallet', balance: '1.5' }] },
      '/api/admin/v1/accounts/acc_1/numbers': { numbers: [{ phoneNumberId: '7' }] },
      '/api/admin/v1/numbers/7/refresh': {},
      '/api/admin/v1/numbers/7': { registered: true, subscribed: true },
      '/api/admin/v1/numbers/7/readiness': { total: 18, ready: 18, health: {}, events: [] },
    };
    const examineStub = (change: Record<string, Json>) => {
      stub.answers(({ path }) => ({ body: { ...pages, ...change }[path] ?? {} }));
      return examine({ WAYBILL_URL: stub.url }, '--remote');
    };

    it('finds nothing where all is well', async () => {
      expect((await examineStub({})).failed.filter(({ name }) => name !== 'provider')).to.be.empty;
    });

    it('tells a provider that the service does not reach from one that refuses the token', async () => {
      const refresh = async (status: number, answer: Json) => {
        stub.answers(({ path }) =>
          path.endsWith('/refresh') ? { status, body: answer } : { body: pages[path] ?? {} },
        );
        const { checks } = await examine({ WAYBILL_URL: stub.url }, '--remote');
        const about = checks.filter((one) => one.about === '7');
        return about.slice(0, 2).map(({ name, state, detail }) => `${name} ${state}: ${detail}`);
      };
      expect(await refresh(502, { error: 'The provider could not be reached' })).to.deep.equal([
        'provider failed: the service: The provider could not be reached',
        'token skipped: the provider was not asked',
      ]);
      const details = { providerCode: null, providerMessage: 'HTTP 500' };
      const [refused] = await refresh(502, { error: 'The provider refused', details });
      expect(refused).to.equal('token failed: The provider refused');
      const [away] = await refresh(503, { error: 'No log' });
      expect(away).to.equal('service failed: it answers 503: No log');
    });

    it('finds a number for whose sends no status comes', async () => {
      const rows = [
        { phoneNumberId: '7', problems: ['silent'], waitingSince: '2026-11-26T10:00:00.000Z' },
        { phoneNumberId: '8', problems: ['quality'], waitingSince: null },
      ];
      const { failed } = await examineStub({ '/api/admin/v1/numbers/health': { numbers: rows } });
      const found = failed.filter(({ name }) => name === 'statuses');
      expect(found.map(({ about }) => about)).to.deep.equal(['7']);
      expectRed(found, /since 2026-11-26T10:00:00\.000Z.* -> .*Callbacks missing/s);
    });

    it('finds another version, a sick part, an empty wallet, no subscription, a rejected template', async () => {
      const { failed } = await examineStub({
        '/api/openapi.json': { info: { version: '0.0.1' } },
        '/health/ready': { ok: false, checks: { log: { ok: false, detail: 'disk full' } } },
        '/api/admin/v1/accounts': { accounts: [{ id: 'acc_1', billing: 'wallet', balance: '0' }] },
        '/api/admin/v1/numbers/7': { registered: true, subscribed: false, wabaId: '2001' },
        '/api/admin/v1/numbers/7/readiness': {
          total: 18,
          ready: 17,
          health: {},
          events: [{ event: 'otp', status: 'REJECTED', statusReason: 'INVALID_FORMAT' }],
        },
      });
      expectRed(
        failed.filter(({ name }) => name !== 'provider'),
        /^health: log does not work: disk full ->/,
        /^version: .*the service is 0\.0\.1.* ->/s,
        /^balance: .* -> .*waybill wallet top-up acc_1/s,
        /^webhook subscription: .*the app is not subscribed.* ->/s,
        /^catalog: .*otp REJECTED INVALID_FORMAT.* ->/s,
      );
    });
  });
});
