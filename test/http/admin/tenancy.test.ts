import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { fieldErrorsOf, notified, notify, typesOf, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, providerHasTemplates, templateAnswer } from '../../support/waybill.ts';

const NOW_ISO = '2026-11-21T12:00:00.000Z';

describe('Administration of tenants @long', () => {
  const on = useTenant();
  const post = (path: string, body?: Json) => on.waybill.admin('POST', path, body);
  const get = (path: string) => on.waybill.admin('GET', path);
  const asTenant = (token = on.tenant.apiKey) => on.waybill.call('GET', '/v1/phones', { token });

  it('refuses names of blanks, whatever they name: 400', async () => {
    const { accountId, organisationId, apiKey } = on.tenant;
    for (const name of ['  ', ' \t\n\u00a0']) {
      const answers = [
        await post('/organisations', { name }),
        await post(`/organisations/${organisationId}/accounts`, { name }),
        await post(`/accounts/${accountId}/keys`, { name }),
        await post('/administrators', { name, email: 'a@shop.example', role: 'admin' }),
        await on.waybill.call('POST', '/v1/bots', { token: apiKey, body: { name } }),
      ];
      for (const answer of answers) expect(fieldErrorsOf(answer)).to.deep.equal(['name']);
    }
  });

  describe('organisations', () => {
    it('are created, read and listed, newest first', async () => {
      const { body } = await answered(201, post('/organisations', { name: 'Shop X' }));
      expect(body).to.deep.equal({
        id: body.id,
        name: 'Shop X',
        suspended: false,
        suspendedReason: null,
        fourEyes: [],
        createdAt: NOW_ISO,
      });
      expect((await get(`/organisations/${body.id}`)).body).to.deep.equal(body);
      const { body: list } = await get('/organisations?limit=1');
      expect(list.organisations).to.deep.equal([body]);
      expect(list.nextCursor).to.be.a('string');
      const { body: next } = await get(`/organisations?limit=1&cursor=${list.nextCursor}`);
      expect(next.organisations[0].id).to.equal(on.tenant.organisationId);
    });

    it('suspended answer 403 ORG_SUSPENDED to all their keys, reinstated serve again', async () => {
      const path = `/organisations/${on.tenant.organisationId}`;
      const suspended = await answered(200, post(`${path}/suspend`, { reason: 'unpaid' }));
      expect(suspended.body).to.deep.include({ suspended: true, suspendedReason: 'unpaid' });
      await untilTrue('the refusal', async () => (await asTenant()).status === 403);
      const { body } = await asTenant();
      expect(body).to.deep.equal({ error: body.error, code: 'ORG_SUSPENDED' });
      const sent = await notify(on.waybill, on.tenant);
      expect(sent.body.code).to.equal('ORG_SUSPENDED');
      await answered(200, post(`${path}/suspend`));
      expect((await post(`${path}/reinstate`)).body.suspended).to.equal(false);
      await untilTrue('the reinstatement', async () => (await asTenant()).status === 200);
      await answered(200, post(`${path}/reinstate`));
      const events = await on.waybill.events(`organisation-${on.tenant.organisationId}`);
      const types = ['OrganisationCreated', 'OrganisationSuspended', 'OrganisationReinstated'];
      expect(typesOf(events)).to.deep.equal(types);
      expect(events[1]!.meta.by).to.deep.include({ id: 'root' });
    });

    it('refuse malformed fields', async () => {
      for (const body of [{}, { name: '' }, { name: 5 }]) {
        expect(fieldErrorsOf(await post('/organisations', body))).to.deep.equal(['name']);
      }
      for (const asked of [
        get('/organisations/none'),
        post('/organisations/none/suspend'),
        post('/organisations/none/accounts', { name: 'A' }),
      ]) {
        expect((await answered(404, asked)).body.error).to.be.a('string');
      }
    });
  });

  describe('accounts', () => {
    const noLimits = {
      perMinute: null,
      daily: null,
      monthly: null,
      paused: false,
      strict: false,
      directSend: 'off',
      timeZone: 'UTC',
      quietHours: null,
      balanceLow: null,
    };

    it('are opened on the built-in plan, read and listed', async () => {
      const of = `/organisations/${on.tenant.organisationId}/accounts`;
      const { body } = await answered(201, post(of, { name: 'Second' }));
      expect(body).to.deep.equal({
        id: body.id,
        organisationId: on.tenant.organisationId,
        name: 'Second',
        planId: 'standard',
        billing: 'credits',
        currency: 'USD',
        balance: 0,
        limits: noLimits,
        pausedReason: null,
        contentRetentionMonths: null,
        usage: { minute: 0, day: 0, month: 0 },
        createdAt: NOW_ISO,
      });
      expect((await get(`/accounts/${body.id}`)).body).to.deep.equal(body);
      const { body: list } = await get(`/accounts?organisationId=${on.tenant.organisationId}`);
      expect(list.accounts.map(({ id }: Json) => id)).to.deep.equal([body.id, on.tenant.accountId]);
      expect((await get('/accounts?organisationId=none')).body.accounts).to.deep.equal([]);
      await answered(404, post(of, { name: 'Third', planId: 'none' }));
    });

    it('take caps one by one, null uncaps, and show their usage', async () => {
      const path = `/accounts/${on.tenant.accountId}/limits`;
      const patch = async (body: Json) => (await on.waybill.admin('PATCH', path, body)).body.limits;
      expect(await patch({ perMinute: 5 })).to.deep.equal({ ...noLimits, perMinute: 5 });
      expect(await patch({ daily: 9 })).to.deep.equal({ ...noLimits, perMinute: 5, daily: 9 });
      const paused = await patch({ perMinute: null, paused: true });
      expect(paused).to.deep.equal({ ...noLimits, daily: 9, paused: true });
      await patch({ paused: false });
      providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
      await notified(on.waybill, on.tenant);
      const { body } = await get(`/accounts/${on.tenant.accountId}`);
      expect(body.usage).to.deep.equal({ minute: 1, day: 1, month: 1 });
      for (const wrong of [{ daily: -1 }, { daily: 1.5 }, { daily: '1' }]) {
        const refused = await on.waybill.admin('PATCH', path, wrong);
        expect(fieldErrorsOf(refused)).to.deep.equal(['daily']);
      }
      await answered(404, on.waybill.admin('PATCH', '/accounts/none/limits', { daily: 1 }));
    });

    it('take all of a change in one append, or nothing of it', async () => {
      const path = `/accounts/${on.tenant.accountId}/limits`;
      const stream = `account-${on.tenant.accountId}`;
      const before = (await on.waybill.events(stream)).length;
      const appends: string[][] = [];
      const { append } = on.waybill.store;
      on.waybill.store.append = async (name, expected, events) => {
        if (name === stream) appends.push(events.map(({ type }) => type));
        return append(name, expected, events);
      };
      const change = { daily: 9, strict: true, balanceLow: 900 };
      await answered(400, on.waybill.admin('PATCH', path, { ...change, balanceLow: '25.00' }));
      expect(await on.waybill.events(stream)).to.have.length(before);
      const { limits } = (await on.waybill.admin('PATCH', path, change)).body;
      expect(limits).to.include(change);
      expect(appends).to.deep.equal([['BalanceThresholdSet', 'StrictSendingSet', 'LimitsSet']]);
    });
  });

  describe('keys', () => {
    const of = () => `/accounts/${on.tenant.accountId}/keys`;

    it('are shown whole once, and listed without their secret', async () => {
      const terms = {
        name: 'Server',
        allowedOrigins: ['https://shop.example'],
        rateLimit: 7,
        expiresAt: '2027-01-01T00:00:00+01:00',
        scopes: ['phones:read'],
        opaqueIsIdempotent: true,
      };
      const { body } = await answered(201, post(of(), terms));
      expect(body.key).to.match(/^wb_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
      const { key, ...shown } = body;
      expect(shown).to.deep.equal({
        id: body.id,
        accountId: on.tenant.accountId,
        ...terms,
        expiresAt: '2026-12-31T23:00:00.000Z',
        prefix: key.slice(0, 16),
        state: 'active',
        createdAt: NOW_ISO,
        lastUsedAt: null,
      });
      const { body: list } = await get(of());
      expect(list.keys[0]).to.deep.equal(shown);
      const secret = key.split('_')[3];
      expect(JSON.stringify(list)).not.to.contain(secret);
      const stored = await on.waybill.events(`apikey-${body.id}`);
      expect(JSON.stringify(stored)).not.to.contain(secret);
    });

    it('default to 120 requests, every scope, any origin and no end', async () => {
      const { body } = await post(of(), { name: 'Plain' });
      expect(body).to.deep.include({
        rateLimit: 120,
        scopes: null,
        allowedOrigins: null,
        expiresAt: null,
        opaqueIsIdempotent: false,
      });
      const { headers } = await asTenant(body.key);
      expect(headers['ratelimit-limit']).to.equal('120');
    });

    it('are switched off and on, and revoked for good', async () => {
      const { body } = await post(of(), { name: 'Switched' });
      const path = `/keys/${body.id}`;
      const answers = (expected: number) =>
        untilTrue(`${expected}`, async () => (await asTenant(body.key)).status === expected);
      await answers(200);
      expect((await post(`${path}/deactivate`)).body.state).to.equal('inactive');
      await answers(401);
      expect((await post(`${path}/activate`)).body.state).to.equal('active');
      await answers(200);
      expect((await post(`${path}/revoke`)).body.state).to.equal('revoked');
      await answers(401);
      await answered(409, post(`${path}/activate`));
      await answered(409, post(`${path}/deactivate`));
      expect((await get(of())).body.keys[0].state).to.equal('revoked');
      await answered(404, post('/keys/none/revoke'));
    });

    it('stop at their expiry', async () => {
      const expiresAt = new Date(on.waybill.clock.now() + 60_000).toISOString();
      const { body } = await post(of(), { name: 'Short', expiresAt });
      await answered(200, asTenant(body.key));
      on.waybill.clock.advance(60_000);
      await answered(401, asTenant(body.key));
    });

    it('refuse malformed fields with a validation object, and unknown accounts with 404', async () => {
      const wrong: [Json, string][] = [
        [{}, 'name'],
        [{ name: 'k', scopes: ['everything'] }, 'scopes'],
        [{ name: 'k', allowedOrigins: ['shop.example'] }, 'allowedOrigins'],
        [{ name: 'k', allowedOrigins: ['https://shop.example/path'] }, 'allowedOrigins'],
        [{ name: 'k', scopes: [] }, 'scopes'],
        [{ name: 'k', allowedOrigins: [] }, 'allowedOrigins'],
        [{ name: 'k', rateLimit: 0 }, 'rateLimit'],
        [{ name: 'k', expiresAt: 'tomorrow' }, 'expiresAt'],
      ];
      for (const [body, field] of wrong) {
        expect(fieldErrorsOf(await post(of(), body))).to.deep.equal([field]);
      }
      await answered(404, post('/accounts/none/keys', { name: 'k' }));
      await answered(404, get('/accounts/none/keys'));
    });
  });
});
