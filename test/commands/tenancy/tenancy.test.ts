import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../../src/commands/pricing/rate-card.ts';
import { SESSION_MS } from '../../../src/commands/tenancy/credentials.ts';
import { createTenancy } from '../../../src/commands/tenancy/tenancy.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { createSecrets } from '../../../src/shared/secrets.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { grantCommand, reserveCommand } from '../../support/account-commands.ts';
import { fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { accountRecord } from '../../support/samples.ts';
import { codeOf } from '../../support/spec.ts';
import { customer } from '../../support/subjects.ts';

const context = { requestId: 'r', subjects: [customer] };
type AccountCommand = Parameters<ReturnType<typeof accountDecider>['decide']>[0];
const wallet = { ...standardPlan, planId: 'wallet', billing: 'wallet' as const, creditValue: null };

/** Fewer sessions at a time than any page of the service. */
const SESSIONS_PAGE = 2;

/** Tenants in a log in memory; `looks` are the answers to whether charges are open. */
const open = (looks: ('open' | 'none' | 'late')[] = []) => {
  const clock = fixedClock();
  const { store, events } = createMemoryLog();
  const writer = createWriter({ store, clock, ids: systemIds });
  const secrets = createSecrets(Buffer.alloc(32, 1));
  const onAccount = (accountId: string, command: AccountCommand) =>
    writer.execute(accountDecider(accountId), accountId, command, context);
  const tenancy = createTenancy({
    writer,
    account: accountDecider,
    secrets,
    ids: systemIds,
    clock,
    async sessionsUpTo(startedAt, limit) {
      const open = new Map<string, string>();
      for (const { type, data, meta } of events as KnownEvent[]) {
        if (type === 'SessionStarted') open.set(data.sessionId, meta.at);
        if (type === 'SessionEnded') open.delete(data.sessionId);
        if (type === 'SessionsExpired') for (const id of data.sessionIds) open.delete(id);
      }
      const old = [...open].filter(([, at]) => at <= startedAt);
      return old.map(([id]) => id).slice(0, Math.min(limit, SESSIONS_PAGE));
    },
    lookups: {
      account: async (id: string) => (id === 'none' ? undefined : accountRecord(id)),
      plan: async (planId: string) => [standardPlan, wallet].find((plan) => plan.planId === planId),
      rateCards: async () => [defaultRateCard],
      async openCharges(accountId: string) {
        const look = looks.shift() ?? 'late';
        const { revision } = await writer.load(accountDecider(accountId), accountId);
        // Charged again right after the look.
        return { open: look === 'open', asOfRevision: look === 'late' ? -1 : revision };
      },
    },
  });
  const last = () => events.at(-1) as KnownEvent;
  return { clock, tenancy, secrets, events: events as KnownEvent[], last, onAccount, looks };
};

describe('tenants', () => {
  const openAccount = async (setup: ReturnType<typeof open>) => {
    const organisationId = await setup.tenancy.createOrganisation('Shops', context);
    return setup.tenancy.openAccount(organisationId, { name: 'Shop' }, context);
  };

  it('are organisations and their accounts, on the standard plan by default', async () => {
    const setup = open();
    const accountId = await openAccount(setup);
    const [organisation, account] = setup.events;
    expect(organisation!.stream).to.match(/^organisation-org_[0-9a-f]{32}$/);
    expect(organisation!.meta).not.to.have.property('accountId');
    expect(accountId).to.match(/^acc_[0-9a-f]{32}$/);
    expect(account!.stream).to.equal(`account-${accountId}`);
    expect(account!.meta).to.include({ requestId: 'r', accountId });
    const terms = { planId: 'standard', billing: 'credits', currency: 'USD' };
    expect(account!.data).to.include({ ...terms, name: 'Shop', accountId });
    const other = setup.tenancy.openAccount('org_none', { name: 'Shop' }, context);
    expect(await codeOf(other)).to.equal('resource.unknown');
  });

  it('have limits, which are set on behalf of the account', async () => {
    const setup = open();
    const accountId = await openAccount(setup);
    await setup.tenancy.setLimits(accountId, { limits: { daily: 7 } }, context);
    const { type, meta } = setup.last();
    expect([type, meta.accountId]).to.deep.equal(['LimitsSet', accountId]);
  });

  describe('that change to a plan in another unit', () => {
    const moved = async (...looks: ('open' | 'none' | 'late')[]) => {
      const setup = open(looks);
      const accountId = await openAccount(setup);
      await setup.onAccount(accountId, grantCommand(1));
      await setup.onAccount(accountId, { ...reserveCommand(), at: setup.clock.now() });
      const code = await codeOf(setup.tenancy.assignPlan(accountId, 'wallet', context));
      return { code, setup, left: setup.looks.length };
    };

    it('do so once a look has found no open charge', async () => {
      const { code, setup } = await moved('none');
      expect(code).to.equal('none');
      expect(setup.last()).to.include({ type: 'PlanAssigned' });
      expect(setup.last().meta).to.have.property('accountId');
    });

    it('are refused while a charge is open', async () => {
      expect((await moved('open')).code).to.equal('account.conflict');
    });

    it('are looked at three times at most', async () => {
      expect((await moved('late', 'late', 'none')).code).to.equal('none');
      const busy = await moved('late', 'late', 'late', 'none');
      expect([busy.code, busy.left]).to.deep.equal(['account.conflict', 0]);
      const busier = await moved('late', 'late', 'late', 'late', 'none');
      expect([busier.code, busier.left]).to.deep.equal(['account.conflict', 1]);
    });
  });

  it('have keys, of which the log holds a keyed hash', async () => {
    const { tenancy, secrets, events, last } = open();
    const { terms, key } = await tenancy.createKey({ accountId: 'acc_1', name: 'shop' }, context);
    expect(key).to.match(/^wb_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
    const handle = key.slice(8, 16);
    expect(terms).to.deep.equal({
      keyId: `key_${handle}`,
      accountId: 'acc_1',
      organisationId: 'org_1',
      name: 'shop',
      prefix: `wb_live_${handle}`,
      secretHash: secrets.hashToken(key),
      rateLimit: 120,
      allowedOrigins: null,
      expiresAt: null,
      scopes: null,
    });
    expect(last().data).to.deep.equal(terms);
    expect(last().stream).to.equal(`apikey-${terms.keyId}`);
    expect(last().meta.accountId).to.equal('acc_1');
    expect(JSON.stringify(events)).not.to.include(key.slice(17));
    const unknown = tenancy.createKey({ accountId: 'none', name: 'shop' }, context);
    expect(await codeOf(unknown)).to.equal('resource.unknown');
  });

  it('have keys with bounds of their own, whose use is kept and which may be revoked', async () => {
    const { tenancy, last } = open();
    const expiresAt = '2027-01-01T00:00:00.000Z';
    const allowedOrigins = ['https://shop.example'];
    const given = { allowedOrigins, scopes: ['send'], rateLimit: 7, expiresAt };
    const request = { accountId: 'acc_1', name: 'shop', ...given };
    const { terms } = await tenancy.createKey(request, context);
    expect(terms).to.deep.include(given);
    await tenancy.noteKeyUse(terms.keyId, 0, context);
    expect(last().data).to.include({ usedAt: '1970-01-01T00:00:00.000Z' });
    await tenancy.setKeyState(terms.keyId, 'revoked', context);
    expect(last().data).to.deep.equal({ keyId: terms.keyId, state: 'revoked' });
  });

  it('are looked after by administrators, who have tokens', async () => {
    const { tenancy, secrets, last } = open();
    const who = { name: 'Ada', email: 'ada@example.com', role: 'auditor' as const };
    const { terms, token } = await tenancy.createAdministrator(who, context);
    expect(token).to.match(/^wb_adm_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
    const handle = token.slice(7, 15);
    const id = { administratorId: `adm_${handle}`, prefix: `wb_adm_${handle}` };
    expect(terms).to.deep.equal({ ...who, ...id, secretHash: secrets.hashToken(token) });
    expect(last().stream).to.equal(`administrator-adm_${handle}`);
    await tenancy.revokeAdministrator(terms.administratorId, context);
    expect(last().type).to.equal('AdministratorRevoked');
  });
});

describe('sessions of the console', () => {
  const start = ({ tenancy }: ReturnType<typeof open>, sessionId: string) => {
    const holder = { kind: 'key' as const, id: 'key_1' };
    return tenancy.startSession({ sessionId, holder, by: 'credential' }, context);
  };
  const expiredIn = ({ events }: ReturnType<typeof open>) =>
    events.flatMap(({ type, data }) => (type === 'SessionsExpired' ? [data.sessionIds] : []));

  it('row 69: leave the read models once they have expired, and not before', async () => {
    const setup = open();
    for (const id of ['a', 'b', 'c', 'd']) await start(setup, id);
    await setup.tenancy.endSession('b', context);
    setup.clock.advance(1);
    await start(setup, 'late');
    setup.clock.advance(SESSION_MS - 2);
    await setup.tenancy.expireSessions();
    expect(expiredIn(setup)).to.deep.equal([]);
    setup.clock.advance(1);
    await setup.tenancy.expireSessions();
    expect(expiredIn(setup)).to.deep.equal([['a', 'c'], ['d']]);
    expect(await codeOf(start(setup, 'a'))).to.equal('session.link');
    setup.clock.advance(1);
    await setup.tenancy.expireSessions();
    expect(expiredIn(setup).at(-1)).to.deep.equal(['late']);
  });
});
