import { expect } from 'chai';
import type { EventStore, NewEvent } from '../../src/events/store.ts';
import { openWorld, type World, type WorldOptions } from '../support/faults/world.ts';
import { streamOfMessage } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { inboundPayload, statusOf, typesOf } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

/** Once it is told to, the log refuses the records of messages: a send breaks off before its own. */
const losingRecords = () => {
  const losing = { now: false };
  const isRecord = ({ type, data }: NewEvent) =>
    type === 'MessageSent' && !(data as { recovered: boolean }).recovered;
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    async append(stream, expected, events) {
      if (losing.now && events.some(isRecord)) throw new Error('lost for this test');
      return store.append(stream, expected, events);
    },
  });
  return { losing, wrapStore };
};

const openStage = async (options: WorldOptions = {}) => {
  const { losing, wrapStore } = losingRecords();
  const world = await openWorld({ wrapStore, ...options });

  const say = async (...what: Parameters<World['say']>) =>
    expect((await world.say(...what)).status).to.equal(200);
  const history = async ({ apiKey: token }: Tenant): Promise<Json[]> =>
    (await world.call('GET', '/v1/messages?limit=100', { token })).body.messages;
  const rows = async ({ apiKey: token }: Tenant): Promise<string[]> => {
    const { body } = await world.call('GET', '/v1/credits', { token });
    return typesOf(body.transactions.toReversed());
  };
  const typesIn = async (stream: string) => typesOf(await world.waybill.events(stream));
  const letters = async ({ phoneNumberId }: Tenant): Promise<Json[]> => {
    const { deadLetters } = await world.admin('GET', '/dead-letters?limit=100');
    return deadLetters.filter((one: Json) => one.phoneNumberId === phoneNumberId);
  };
  const reasons = async (tenant: Tenant) => (await letters(tenant)).map(({ reason }) => reason);
  /** A send whose record is lost: it has a charge that stays open, and its message went out. */
  const brokenOff = async (tenant: Tenant) => {
    losing.now = true;
    const { status } = await world.send(tenant);
    losing.now = false;
    expect(status).to.equal(503);
    const { messageId, chargeId } = world.sendsOf(tenant).at(-1)!;
    return { messageId: messageId!, chargeId: chargeId! };
  };
  const chargeOf = (tenant: Tenant, messageId: string): string =>
    world.sendsOf(tenant).find((one) => one.messageId === messageId)!.chargeId!;
  const verified = async () => {
    const books = await world.admin('POST', '/ledger/verify', {});
    expect(books).to.deep.include({ ok: true, problems: [] });
  };
  return {
    world,
    losing,
    say,
    history,
    rows,
    typesIn,
    letters,
    reasons,
    brokenOff,
    chargeOf,
    verified,
  };
};

type Stage = Awaited<ReturnType<typeof openStage>>;

const TAKEN = 'the charge that the status carries has a message already';

describe('what names the message of another account or number @long', () => {
  useRealConnections();
  let stage: Stage;
  let world: World;
  let owner: Tenant;
  let other: Tenant;
  before(async () => {
    stage = await openStage();
    ({ world } = stage);
  });
  beforeEach(async () => {
    owner = await world.tenant();
    other = await world.tenant();
  });
  after(() => world.close());
  afterEach(async () => expect(await world.problems()).to.deep.equal([]));

  const receive = async (place: Tenant, id: string, body: string) => {
    const at = world.waybill.clock.now();
    const { status } = await world.waybill.webhook(inboundPayload(place, { id, at, body }));
    expect(status).to.equal(200);
  };

  it('row 29: a status at a number of another account changes nothing', async () => {
    const { messageId } = (await world.send(owner)).body;
    for (const word of ['failed', 'read']) await stage.say(other, messageId, word);
    await world.refundsAreDone();
    expect(await statusOf(world, owner, messageId)).to.equal('sent');
    expect(await stage.rows(owner)).to.deep.equal(['GRANT', 'DEDUCT']);
    expect(await stage.typesIn(streamOfMessage(owner, messageId))).to.deep.equal(['MessageSent']);
    expect(await statusOf(world, other, messageId)).to.equal(404);
    // There it may be that of a message which this account is about to record.
    expect(await stage.reasons(other)).to.deep.equal([]);
    expect(await stage.history(other)).to.deep.equal([]);
  });

  it('row 29: an inbound message with the id of one that another account sent', async () => {
    const { messageId } = (await world.send(owner)).body;
    await receive(other, messageId, 'Mine now');
    expect((await stage.history(owner)).map(({ text }) => text)).to.not.include('Mine now');
    expect(await statusOf(world, owner, messageId)).to.equal('sent');
    expect((await stage.history(other)).map(({ text }) => text)).to.deep.equal(['Mine now']);
    expect(await stage.typesIn(streamOfMessage(owner, messageId))).to.deep.equal(['MessageSent']);
    const found = await world.admin('GET', `/messages?messageId=${encodeURIComponent(messageId)}`);
    expect(found.messages.map(({ accountId }: Json) => accountId)).to.deep.equal([
      other.accountId,
      owner.accountId,
    ]);
    expect(await stage.reasons(other)).to.deep.equal([]);
  });

  it('row 29: a status that names a message of a customer', async () => {
    await receive(owner, 'wamid.CUSTOMERS', 'Hello');
    await stage.say(owner, 'wamid.CUSTOMERS', 'read');
    await stage.say(other, 'wamid.CUSTOMERS', 'failed');
    expect((await stage.history(owner))[0].status).to.equal(null);
    const types = await stage.typesIn(streamOfMessage(owner, 'wamid.CUSTOMERS'));
    expect(types).to.deep.equal(['InboundIdClaimed']);
    expect(await stage.letters(owner)).to.have.length(1);
    expect(await stage.letters(other)).to.deep.equal([]);
  });

  it('row 28: a number that has moved: a late status is of the message that it sent', async () => {
    const { messageId } = (await world.send(owner)).body;
    await world.admin('DELETE', `/numbers/${owner.phoneNumberId}`);
    const { phoneNumberId, wabaId } = owner;
    const number = { phoneNumberId, wabaId, accessToken: 'secret-token' };
    await world.admin('POST', `/accounts/${other.accountId}/numbers`, number);
    await stage.say(owner, messageId, 'failed');
    await untilTrue('the refund', async () => (await stage.rows(owner)).length === 3);
    expect(await statusOf(world, owner, messageId)).to.equal('failed');
    expect(await statusOf(world, other, messageId)).to.equal(404);
    expect(await stage.history(other)).to.deep.equal([]);
    const [, update] = await world.waybill.events(streamOfMessage(owner, messageId));
    expect(update!.data).to.include({ accountId: owner.accountId });
    expect(JSON.stringify(update)).to.not.include(other.accountId);
  });
});

for (const soleWriter of [true, false]) {
  const how = soleWriter ? 'one process' : 'several processes';
  describe(`a status that claims a charge, ${how} @long`, () => {
    useRealConnections();
    let stage: Stage;
    let world: World;
    let tenant: Tenant;
    before(async () => {
      stage = await openStage({ soleWriter });
      ({ world } = stage);
    });
    beforeEach(async () => {
      tenant = await world.tenant();
    });
    after(() => world.close());
    afterEach(async () => {
      expect(await world.problems({ mayBeOpen: true })).to.deep.equal([]);
      await stage.verified();
    });
    /** Past the time that a send can take in any process; the sweep has run since. */
    const sendsAreOver = () => world.restart(5 * 60_000);

    it('row 29: which has a message: a dead letter, no refund, no second message', async () => {
      const { messageId } = (await world.send(tenant)).body;
      const chargeId = stage.chargeOf(tenant, messageId);
      await stage.say(tenant, 'wamid.USED', 'failed', chargeId);
      await stage.say(tenant, 'wamid.USED', 'delivered', chargeId);
      await world.refundsAreDone();
      expect(await stage.rows(tenant)).to.deep.equal(['GRANT', 'DEDUCT']);
      expect(await statusOf(world, tenant, 'wamid.USED')).to.equal(404);
      expect(await stage.history(tenant)).to.have.length(1);
      expect(await stage.typesIn(streamOfMessage(tenant, 'wamid.USED'))).to.deep.equal([]);
      expect(await stage.reasons(tenant)).to.deep.equal([TAKEN, TAKEN]);
    });

    it('row 29: while its send is under way: waits, and then loses', async () => {
      const id = `wamid.EARLY${how.length}`;
      const answering = world.gate.hold('after');
      const sending = world.send(tenant);
      await answering.arrived();
      const { chargeId } = world.sendsOf(tenant).at(-1)! as { chargeId: string };
      await stage.say(tenant, id, 'failed', chargeId);
      answering.release();
      expect((await sending).status).to.equal(200);
      expect(await statusOf(world, tenant, id)).to.equal(404);
      await sendsAreOver();
      await untilTrue('the verdict', async () => (await stage.letters(tenant)).length === 1);
      await world.refundsAreDone();
      const expected = ['StatusUpdated', 'ChargeClaimed', 'ChargeClaimRefused'];
      expect(await stage.typesIn(streamOfMessage(tenant, id))).to.deep.equal(expected);
      expect(await stage.reasons(tenant)).to.deep.equal([TAKEN]);
      expect(await stage.rows(tenant)).to.deep.equal(['GRANT', 'DEDUCT']);
      expect(await stage.history(tenant)).to.have.length(1);
    });

    it('row 2: whose send has broken off: one message wins it, the others are dead letters', async () => {
      const { messageId, chargeId } = await stage.brokenOff(tenant);
      await stage.say(tenant, messageId, 'delivered', chargeId);
      await Promise.all(
        ['B', 'C', 'D'].map((id) => stage.say(tenant, `${messageId}${id}`, 'read', chargeId)),
      );
      await sendsAreOver();
      await untilTrue('the verdict', async () => (await stage.letters(tenant)).length === 3);
      expect(await statusOf(world, tenant, messageId)).to.equal('delivered');
      expect(await stage.history(tenant)).to.have.length(1);
      expect(await stage.rows(tenant)).to.deep.equal(['GRANT', 'DEDUCT']);
      const types = await stage.typesIn(`recovery-${tenant.accountId}.${chargeId}`);
      expect(types).to.deep.equal(['ChargeMatched']);
      expect(await stage.reasons(tenant)).to.deep.equal([TAKEN, TAKEN, TAKEN]);
    });
  });
}
