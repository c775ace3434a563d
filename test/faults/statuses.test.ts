import { expect } from 'chai';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { streamOfMessage } from '../support/message-refs.ts';
import { useRealConnections } from '../support/network.ts';
import { statusOf } from '../support/surface.ts';
import type { Json, Tenant } from '../support/waybill.ts';

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
  const world = inSuite(openWorld);
  before(async () => {
    tenant = await world.tenant();
  });
  afterEach(async () => expect(await world.problems()).to.deep.equal([]));

  const shown = (id: string) => statusOf(world, tenant, id);
  const chargeOf = async (id: string) => {
    const events = (await world.waybill.events(streamOfMessage(tenant, id))) as Json[];
    const { chargeId } = events.find(({ type }) => type === 'MessageSent').data;
    const path = `/accounts/${tenant.accountId}/ledger?chargeId=${chargeId}`;
    const { entries } = await world.admin('GET', path);
    return entries.map(({ type }: Json) => type).toReversed();
  };
  it('row 20: in any order, each twice: the highest stands, a failure is refunded once', async () => {
    const orders = permutations(['sent', 'failed', 'delivered', 'read']);
    const messages = await Promise.all(
      orders.map(async (words) => ({ words, id: (await world.send(tenant)).body.messageId })),
    );
    for (const { words, id } of messages) {
      for (const word of words) {
        expect((await world.say(tenant, id, word)).status).to.equal(200);
        await Promise.all([world.say(tenant, id, word), world.say(tenant, id, word)]);
      }
    }
    await world.refundsAreDone(tenant);
    for (const { words, id } of messages) {
      expect(await shown(id), words.join()).to.equal(highest(words));
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
      for (const word of words) await world.say(tenant, messageId!, word, chargeId!);
      // While the send may write its own record, nothing is put in its place.
      expect(await shown(messageId!)).to.equal(404);
      answering.release();
      const { status, body } = await sending;
      expect([status, body.messageId]).to.deep.equal([200, messageId]);
      await world.refundsAreDone(tenant);
      expect(await shown(messageId!)).to.equal(highest(words));
      const rows = isRefunded(words) ? ['DEDUCT', 'REFUND'] : ['DEDUCT'];
      expect(await chargeOf(messageId!)).to.deep.equal(rows);
    });
  }

  it('row 20: before the record, without the charge: kept until the message is there', async () => {
    const answering = world.gate.hold('after');
    const sending = world.send(tenant);
    await answering.arrived();
    const { messageId } = world.sendsOf(tenant).at(-1)!;
    await world.say(tenant, messageId!, 'failed');
    expect(await shown(messageId!)).to.equal(404);
    answering.release();
    expect((await sending).status).to.equal(200);
    await world.refundsAreDone(tenant);
    expect(await shown(messageId!)).to.equal('failed');
    expect(await chargeOf(messageId!)).to.deep.equal(['DEDUCT', 'REFUND']);
  });
});
