import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyLog } from '../../src/audit/copy-log.ts';
import { type EventStoreDbStore, openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { type Callee, startCallee } from '../support/callee.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { useRealConnections } from '../support/network.ts';
import { testServers } from '../support/stores.ts';
import { until, untilTrue } from '../support/until.ts';
import { type Json, orderShipped, type Tenant } from '../support/waybill.ts';

const [EARLY, SECOND, THIRD] = ['919812345601', '919812345602', '919812345603'];
const REACTORS = ['forwards', 'bots', 'delivery-refunds'];

const greeting = {
  name: 'Greeting',
  trigger: 'ANY_MESSAGE',
  isActive: false,
  nodes: [{ id: 'say', type: 'message', data: { text: 'Hello' } }],
  edges: [],
};

// The source of a copy is files; where tests run on servers there are none.
(testServers() ? describe.skip : describe)(
  'a service whose log was copied to servers @long',
  () => {
    useRealConnections();
    const [files, elsewhere] = [temporaryFolder(), temporaryFolder()];
    let double: EventStoreDouble;
    let store: EventStoreDbStore;
    let callee: Callee;
    let tenant: Tenant;
    let world: World;
    let shown: Json;
    let sent: Json;

    const call = async (method: string, path: string, body?: object, headers = {}) => {
      const how = { token: tenant.apiKey, headers, ...(body && { body }) };
      const answer = await world.call(method, path, how);
      expect(answer.status, JSON.stringify(answer.body)).to.be.below(300);
      return answer;
    };
    const send = () =>
      call('POST', '/v1/notifications/send', orderShipped(), { 'Idempotency-Key': 'order-77' });
    const write = (from: string, text: string) =>
      world.simulator.inbound(from, { phoneNumberId: tenant.phoneNumberId, text });
    const forwarded = () => callee.calls.map(({ body }) => JSON.parse(body).message.text.body);
    const caughtUp = async () => {
      const log = world.waybill.store;
      const head = await log.head();
      const stands = await Promise.all(REACTORS.map((name) => log.loadSnapshot(`reactor-${name}`)));
      return stands.every((one) => String(one?.state ?? '') >= head);
    };
    const reactorsAreDone = () => untilTrue('reactors are through', caughtUp);
    const showAll = async () => {
      await world.waybill.settled();
      const paths = ['/v1/credits', '/v1/messages', '/v1/conversations', '/v1/bots'];
      const answers = await Promise.all(paths.map((path) => call('GET', path)));
      return answers.map(({ body }) => body);
    };

    before(async () => {
      callee = await startCallee();
      world = await openWorld({ directory: files.path, forwardAllow: ['127.0.0.1'] });
      tenant = await world.tenant({ credits: 100 });
      sent = (await send()).body;
      const bot = (await call('POST', '/v1/bots', greeting)).body;
      // Nobody wants this one when it comes: no URL is set, and the bot does not run.
      await write(EARLY, 'early');
      await reactorsAreDone();
      await call('PATCH', `/v1/phones/${tenant.phoneNumberId}/webhook`, {
        webhookUrl: `${callee.url}/hook`,
      });
      await call('PATCH', `/v1/bots/${bot.id}`, { isActive: true });
      await write(SECOND, 'second');
      await until('the second is forwarded', () => callee.calls.length === 1);
      await until('the second is answered', () => world.sendsOf(tenant).length === 2);
      await reactorsAreDone();
      shown = await showAll();
      await world.close();

      double = await startEventStoreDouble();
      expect((await copyLog(files.path, double.url, () => undefined)).ok).to.equal(true);
      // The data keys go their own way.
      cpSync(join(files.path, 'keys.db'), join(elsewhere.path, 'keys.db'));
      store = await openEventStoreDb({ url: double.url });
      world = await openWorld({
        directory: elsewhere.path,
        forwardAllow: ['127.0.0.1'],
        wrapStore: () => store,
      });
      const { phoneNumberId, wabaId } = tenant;
      world.simulator.setNumber({ phoneNumberId, wabaId });
    });
    after(async () => {
      await world?.close();
      await store?.close();
      await double?.close();
      await callee?.close();
      files.remove();
      elsewhere.remove();
    });

    it('shows the same as before', async () => {
      expect(await showAll()).to.deep.equal(shown);
    });

    it('answers a repeated request from its record, without a charge', async () => {
      const again = await send();
      expect(again.headers['idempotency-replayed']).to.equal('true');
      expect(again.body).to.deep.equal(sent);
      expect(world.sendsOf(tenant)).to.deep.equal([]);
      expect(await world.balance(tenant)).to.equal(99);
    });

    it('forwards and answers no earlier message, and each new one once', async () => {
      await write(THIRD, 'third');
      await until('the third is forwarded', () => forwarded().includes('third'));
      await until('the third is answered', () => world.sendsOf(tenant).length > 0);
      await reactorsAreDone();
      expect(forwarded()).to.deep.equal(['second', 'third']);
      expect(world.sendsOf(tenant).map(({ to }) => to)).to.deep.equal([THIRD]);
      expect(await world.problems({ positions: 'ascending' })).to.deep.equal([]);
    });
  },
);
