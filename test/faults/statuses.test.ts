import { expect } from 'chai';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { streamOfMessage } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import { type Json, statusPayload, type Tenant } from '../support/waybill.ts';

/** Every order in which these words can come. */
const permutations = <T>(words: readonly T[]): T[][] =>
  words.length <= 1
    ? [[...words]]
    : words.flatMap((word, index) =>
        permutations(words.toSpliced(index, 1)).map((rest) => [word, ...rest]),
      );

const RANKS = ['sent', 'failed', 'delivered', 'read'];
const highest = (words: readonly string[]) =>
  words.toSorted((a, b) => RANKS.indexOf(b) - RANKS.indexOf(a))[0];
/** Whether a refund is due: it failed before anybody said that it had arrived. */
const isRefunded = (words: readonly string[]) => {
  const failed = words.indexOf('failed');
  return failed >= 0 && !words.slice(0, failed).some((word) => RANKS.indexOf(word) > 1);
};

describe('words of delivery @long', () => {
  useRealConnections();
  let tenant: Tenant;
  let seconds = 1_795_262_400;
  const world = inSuite(openWorld);
  before(async () => {
    tenant = await world.tenant();
  });
  afterEach(async () => expect(await world.problems()).to.deep.equal([]));

  const say = (
    { phoneNumberId, wabaId }: Tenant,
    id: string,
    status: string,
    change: { chargeId?: string; timestamp?: string } = {},
  ) => {
    seconds += 1;
    const errors = [{ code: 131026, title: 'Message undeliverable' }];
    const update = { id, status, timestamp: String(seconds), ...change };
    return world.waybill.webhook(
      statusPayload(
        { phoneNumberId, wabaId },
        { ...update, ...(status === 'failed' && { errors }) },
      ),
    );
  };
  const shown = async (id: string, { apiKey: token } = tenant): Promise<Json> => {
    const path = `/v1/notifications/status/${encodeURIComponent(id)}`;
    return (await world.call('GET', path, { token })).body;
  };
  const chargeOf = async (id: string) => {
    const events = (await world.waybill.events(streamOfMessage(tenant, id))) as Json[];
    const { chargeId } = events.find(({ type }) => type === 'MessageSent').data;
    const { entries } = await world.admin(
      'GET',
      `/accounts/${tenant.accountId}/ledger?chargeId=${chargeId}`,
    );
    return entries.map(({ type }: Json) => type).toReversed();
  };
  /** The reactor has gone past whatever has been said so far. */
  const refundsAreDone = async () => {
    const { body } = await world.send(tenant);
    await say(tenant, body.messageId, 'failed');
    await untilTrue('a later refund', async () => (await chargeOf(body.messageId)).length === 2);
  };

  it('row 20: in any order, each twice: the highest stands, a failure is refunded once', async () => {
    const orders = permutations(['sent', 'failed', 'delivered', 'read']);
    const messages = await Promise.all(
      orders.map(async (words) => ({ words, id: (await world.send(tenant)).body.messageId })),
    );
    for (const { words, id } of messages) {
      for (const word of words) {
        expect((await say(tenant, id, word)).status).to.equal(200);
        await Promise.all([say(tenant, id, word), say(tenant, id, word)]);
      }
    }
    await refundsAreDone();
    for (const { words, id } of messages) {
      expect((await shown(id)).status, words.join()).to.equal(highest(words));
      const rows = isRefunded(words) ? ['DEDUCT', 'REFUND'] : ['DEDUCT'];
      expect(await chargeOf(id), words.join()).to.deep.equal(rows);
      const events = await world.waybill.events(streamOfMessage(tenant, id));
      expect(events).to.have.length(1 + words.length);
    }
  });

  for (const words of [['failed'], ['delivered', 'failed']]) {
    it(`row 20: ${words.join(', ')} before the record of the message`, async () => {
      const answering = world.gate.hold('after');
      const sending = world.send(tenant);
      await answering.arrived();
      const { messageId, chargeId } = world.sendsOf(tenant).at(-1)!;
      for (const word of words) await say(tenant, messageId!, word, { chargeId: chargeId! });
      // While the send may write its own record, nothing is put in its place.
      expect((await shown(messageId!)).error).to.equal('Message not found');
      answering.release();
      const { status, body } = await sending;
      expect([status, body.messageId]).to.deep.equal([200, messageId]);
      await refundsAreDone();
      expect((await shown(messageId!)).status).to.equal(highest(words));
      const rows = isRefunded(words) ? ['DEDUCT', 'REFUND'] : ['DEDUCT'];
      expect(await chargeOf(messageId!)).to.deep.equal(rows);
    });
  }

  it('row 20: before the record, without the charge: kept until the message is there', async () => {
    const answering = world.gate.hold('after');
    const sending = world.send(tenant);
    await answering.arrived();
    const { messageId } = world.sendsOf(tenant).at(-1)!;
    await say(tenant, messageId!, 'failed');
    expect((await shown(messageId!)).error).to.equal('Message not found');
    answering.release();
    expect((await sending).status).to.equal(200);
    await refundsAreDone();
    expect((await shown(messageId!)).status).to.equal('failed');
    expect(await chargeOf(messageId!)).to.deep.equal(['DEDUCT', 'REFUND']);
  });
});
