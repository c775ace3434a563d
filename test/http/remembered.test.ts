import { expect } from 'chai';
import nock from 'nock';
import { CreditsGranted } from '../../src/events/account.ts';
import { OrganisationSuspended } from '../../src/events/directory.ts';
import { type EventStore, type NewEvent, StoreUnavailable } from '../../src/events/store.ts';
import { createRemembered } from '../../src/http/remembered.ts';
import { defineRoute } from '../../src/http/route.ts';
import { accounts } from '../../src/projections/accounts.ts';
import { ledger } from '../../src/projections/ledger.ts';
import { messages } from '../../src/projections/messages.ts';
import type { Views } from '../../src/projections/views.ts';
import { useWaybill } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import {
  numberAnswer,
  openTenant,
  orderShipped,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  statusPayload,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../support/waybill.ts';

const ACCOUNT = 'acc_1';
const URL = '/api/v1/credits';

describe('an answer that is remembered', () => {
  describe('by itself', () => {
    const route = defineRoute({
      ...{ method: 'GET', path: '/v1/credits', access: 'key', summary: 'Credits', tags: [] },
      ...{ responses: {}, errors: [], shows: [accounts, ledger], handle: () => ({}) as never },
    });
    const from = { route, status: 200 };
    let head: string;
    let collections: string | undefined;
    let askedFor: string[];
    let failing: boolean;
    const make = () => {
      head = '7';
      collections = 'accounts_v1_1 ledger_v1_1 ';
      askedFor = [];
      failing = false;
      return createRemembered({
        store: {
          async head() {
            if (failing) throw new Error('away');
            return head;
          },
        },
        reader: {
          showing(_, position) {
            askedFor.push(position);
            return collections;
          },
        },
        projections: [accounts, ledger],
      });
    };
    const answered = async (remembered: ReturnType<typeof make>, text = '{}', url = URL) => {
      const keep = await remembered.begin(ACCOUNT, url, [accounts, ledger]);
      keep({ ...from, text });
    };
    const append = (remembered: ReturnType<typeof make>, type: string, data: object) =>
      remembered.note({ type, data } as unknown as NewEvent);

    it('is found again under its account and address', async () => {
      const remembered = make();
      await answered(remembered, '{"balance":1}');
      expect(remembered.find(ACCOUNT, URL)).to.include({ route, text: '{"balance":1}' });
      expect(askedFor).to.deep.equal(['', '7', '7']);
      expect(remembered.find(ACCOUNT, `${URL}?limit=1`)).to.equal(undefined);
      expect(remembered.find('acc_2', URL)).to.equal(undefined);
    });

    it('stands until an event of its account that the projections take in', async () => {
      const remembered = make();
      await answered(remembered);
      append(remembered, CreditsGranted.type, { accountId: 'acc_2' });
      append(remembered, OrganisationSuspended.type, { organisationId: 'org_1' });
      expect(remembered.find(ACCOUNT, URL)).to.not.equal(undefined);
      append(remembered, CreditsGranted.type, { accountId: ACCOUNT });
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
    });

    it('falls with every event that does not say whose it is', async () => {
      const remembered = make();
      await answered(remembered);
      append(remembered, CreditsGranted.type, {});
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
    });

    it('is not kept when something happened while it was made', async () => {
      const remembered = make();
      const keep = await remembered.begin(ACCOUNT, URL, [accounts]);
      append(remembered, CreditsGranted.type, { accountId: ACCOUNT });
      keep({ ...from, text: '{}' });
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
    });

    it('is not kept when the read models were late, or the log did not tell its end', async () => {
      const remembered = make();
      collections = undefined;
      await answered(remembered);
      collections = 'accounts_v1_1 ledger_v1_1 ';
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
      failing = true;
      await answered(remembered);
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
    });

    it('is not kept when another collection came to serve while it was made', async () => {
      const remembered = make();
      const keep = await remembered.begin(ACCOUNT, URL, [accounts]);
      collections = 'accounts_v1_2 ledger_v1_1 ';
      keep({ ...from, text: '{}' });
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
    });

    it('is not kept when its read models turned out to be late', async () => {
      const remembered = make();
      const keep = await remembered.begin(ACCOUNT, URL, [accounts]);
      remembered.forgetAll();
      keep({ ...from, text: '{}' });
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
    });

    it('cannot be made of what no event here is looked at for', async () => {
      const outcome = await make()
        .begin(ACCOUNT, URL, [messages])
        .catch((error: Error) => error.message);
      expect(outcome).to.equal('answers made of messages cannot be remembered');
    });

    it('falls when another collection serves', async () => {
      const remembered = make();
      await answered(remembered);
      collections = 'accounts_v1_2 ledger_v1_1 ';
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
    });

    it('is not kept when it is long, and makes room for newer ones', async () => {
      const remembered = make();
      await answered(remembered, 'x'.repeat(128 * 1024));
      expect(remembered.find(ACCOUNT, URL)).to.equal(undefined);
      const long = 'x'.repeat(100 * 1024);
      await answered(remembered, long, '/first');
      for (let index = 0; index < 90; index += 1) await answered(remembered, long, `/${index}`);
      expect(remembered.find(ACCOUNT, '/first')).to.equal(undefined);
      expect(remembered.find(ACCOUNT, '/89')).to.not.equal(undefined);
    });
  });

  describe('by the service', () => {
    let reads = 0;
    const countedViews = (views: Views): Views => ({
      ...views,
      get(collection, id) {
        if (/^(messages|accounts|ledger)_/.test(collection)) reads += 1;
        return views.get(collection, id);
      },
      find(collection, query) {
        if (/^(messages|accounts|ledger)_/.test(collection)) reads += 1;
        return views.find(collection, query);
      },
    });
    /** How often the log still tells its end before it no longer does; for ever when absent. */
    let headsLeft: number | undefined;
    const failingHead = (store: EventStore): EventStore => ({
      ...store,
      async head() {
        if (headsLeft === 0) throw new StoreUnavailable('away');
        if (headsLeft !== undefined) headsLeft -= 1;
        return store.head();
      },
    });
    const on = useWaybill({ wrapViews: countedViews, wrapStore: failingHead, soleWriter: true });
    afterEach(() => {
      headsLeft = undefined;
    });
    let tenant: Tenant;
    let messageId: string;
    beforeEach(async () => {
      tenant = await openTenant(on.waybill);
      messageId = await sendOne(tenant);
    });

    const sendOne = async (by: Tenant): Promise<string> => {
      providerHasTemplates(by, templateAnswer('order_shipped'));
      providerAccepts(by);
      const sent = await on.waybill.call('POST', '/v1/notifications/send', {
        token: by.apiKey,
        body: orderShipped(),
      });
      expect(sent.status).to.equal(200);
      return sent.body.messageId;
    };
    const paths = () => ({
      status: `/v1/notifications/status/${messageId}`,
      credits: '/v1/credits',
      messages: '/v1/messages?limit=5',
    });
    const get = (path: string, token = tenant.apiKey) => on.waybill.call('GET', path, { token });
    /** How often the read models were asked for it. */
    const readsOf = async (path: string): Promise<number> => {
      const before = reads;
      expect((await get(path)).status).to.equal(200);
      return reads - before;
    };
    const isRemembered = async (path: string): Promise<void> => {
      // What is under way after a send may still fall on the first of them.
      await untilTrue(`${path} is remembered`, async () => (await readsOf(path)) === 0);
    };

    it('asks no read model, and is the same to the letter', async () => {
      for (const path of Object.values(paths())) {
        const first = await get(path);
        await isRemembered(path);
        const again = await get(path);
        expect(again.body).to.deep.equal(first.body);
        expect(Object.keys(again.headers)).to.have.members(Object.keys(first.headers));
      }
    });

    it('is made anew after the account’s next send', async () => {
      for (const path of Object.values(paths())) await isRemembered(path);
      const before = (await get('/v1/credits')).body.balance;
      const next = await sendOne(tenant);
      expect((await get('/v1/credits')).body.balance).to.equal(before - 1);
      const listed = (await get('/v1/messages?limit=5')).body.messages;
      expect(listed.map(({ id }: { id: string }) => id)).to.deep.equal([next, messageId]);
    });

    it('is made anew after a status, also one that comes for a former account of the number', async () => {
      const { status } = paths();
      await isRemembered(status);
      await on.waybill.webhook(statusPayload(tenant, { id: messageId, status: 'delivered' }));
      expect((await get(status)).body.status).to.equal('delivered');
      const { phoneNumberId, wabaId } = tenant;
      expect((await on.waybill.admin('DELETE', `/numbers/${phoneNumberId}`)).status).to.equal(200);
      const next = await openTenant(on.waybill, { number: false });
      nock(PROVIDER)
        .get(`/${VERSION}/${phoneNumberId}`)
        .query(true)
        .reply(200, numberAnswer(phoneNumberId));
      const linked = await on.waybill.admin('POST', `/accounts/${next.accountId}/numbers`, {
        ...{ phoneNumberId, wabaId, accessToken: 'token' },
      });
      expect(linked.status).to.equal(201);
      await isRemembered(status);
      await on.waybill.webhook(statusPayload(tenant, { id: messageId, status: 'read' }));
      expect((await get(status)).body.status).to.equal('read');
    });

    it('stands while others send, and is theirs under the same address', async () => {
      await isRemembered('/v1/credits');
      const other = await openTenant(on.waybill, { credits: 5 });
      await sendOne(other);
      expect(await readsOf('/v1/credits')).to.equal(0);
      expect((await get('/v1/credits', other.apiKey)).body.balance).to.equal(4);
      const foreign = await get(paths().status, other.apiKey);
      expect(foreign.status).to.equal(404);
    });

    it('is counted against the key, and needs its scope', async () => {
      await isRemembered('/v1/credits');
      const remaining = async () =>
        Number((await get('/v1/credits')).headers['ratelimit-remaining']);
      const before = await remaining();
      expect(await remaining()).to.equal(before - 1);
      const { body } = await on.waybill.admin('POST', `/accounts/${tenant.accountId}/keys`, {
        ...{ name: 'sender', scopes: ['messages:send'] },
      });
      const refused = await get('/v1/credits', body.key);
      expect(refused.status).to.equal(403);
      expect(await readsOf('/v1/credits')).to.equal(0);
    });

    it('is not kept when the read models may be late', async () => {
      await isRemembered('/v1/credits');
      // It is told to who begins to remember, and no more to who waits for the read models.
      headsLeft = 1;
      expect(await readsOf('/v1/messages?limit=7')).to.be.above(0);
      headsLeft = undefined;
      expect(await readsOf('/v1/messages?limit=7')).to.be.above(0);
      await isRemembered('/v1/messages?limit=7');
    });

    it('is kept under one address only where the query says nothing', async () => {
      await isRemembered('/v1/credits');
      expect(await readsOf('/v1/credits?page=2')).to.be.above(0);
      expect(await readsOf('/v1/credits?page=2')).to.be.above(0);
    });

    it('is made anew once a read model was filled again', async () => {
      await isRemembered('/v1/credits');
      await on.waybill.admin('POST', '/projections/ledger/rebuild', {});
      await untilTrue('it is read again', async () => (await readsOf('/v1/credits')) > 0);
      await isRemembered('/v1/credits');
    });
  });
});
