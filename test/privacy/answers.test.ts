import { expect } from 'chai';
import { eraseContact } from '../support/privacy/erase.ts';
import { foundIn, needlesOf } from '../support/privacy/needles.ts';
import { storedEvents } from '../support/privacy/stored.ts';
import { typesOf, useTenant } from '../support/surface.ts';
import { type Answer, type Json, orderShipped, providerAccepts } from '../support/waybill.ts';

const MIA = '4915798765431';
const TOM = '4915798765432';
const EVE = '4915798765433';

const marks = [MIA, TOM, EVE].map((text) => ({ name: text, text }));

describe('Stored answers and the contacts in them @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });

  const post = (path: string, key: string, body: unknown): Promise<Answer> =>
    on.call('POST', path, body, { 'idempotency-key': key });
  const send = (key: string, to = MIA, change = {}) =>
    post('/v1/notifications/send', key, orderShipped({ to: `+${to}`, ...change }));
  /** The stored events of this account's requests, and their number in its chain. */
  const stored = async () => {
    const all = await storedEvents(on.waybill);
    const events = all.filter(({ stream }) => stream.includes(on.tenant.accountId));
    return {
      requests: events.filter(({ type }) => type.startsWith('Request')),
      charges: events.filter(({ type }) => type.startsWith('Charge')),
    };
  };
  /** A repetition is refused: nothing goes out, is charged, or is written. */
  const expectErased = async (again: () => Promise<Answer>) => {
    const before = await stored();
    const { status, body, headers } = await again();
    const error =
      'The data of a contact in this request were erased, and its answer with them: nothing was sent again';
    expect({ status, body }).to.deep.equal({ status: 410, body: { error, code: 'ERASED' } });
    expect(headers).not.to.have.property('idempotency-replayed');
    expect(await stored()).to.deep.equal(before);
  };
  const expectSealed = async () => {
    const { requests } = await stored();
    expect(typesOf(requests)).to.deep.equal(['RequestClaimed', 'RequestAnswered']);
    expect(foundIn(Buffer.from(JSON.stringify(requests)), needlesOf(marks))).to.deep.equal([]);
    return requests[1]!;
  };

  it('of a send is sealed, given again, and 410 ERASED after an erasure; nothing is sent again', async () => {
    const { bodies } = providerAccepts(on.tenant, 5);
    const first = await send('k-1');
    expect(first.status).to.equal(200);
    const again = await send('k-1');
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers).to.have.property('idempotency-replayed', 'true');
    const answered = await expectSealed();
    expect(answered.data).to.deep.include({ status: 200, body: null });
    expect(answered.sealed).to.match(/^2026-11\./);

    await eraseContact(on.waybill, MIA, on.tenant.accountId);
    await expectErased(() => send('k-1'));
    expect(bodies).to.have.length(1);
    // The key is still that request's, and another request is refused as before.
    const mismatch = await send('k-1', MIA, { allowTextFallback: true });
    expect([mismatch.status, mismatch.body.code]).to.deep.equal([422, 'IDEMPOTENCY_MISMATCH']);
    // A new key begins anew.
    expect((await send('k-2')).status).to.equal(200);
    expect(bodies).to.have.length(2);
  });

  it('of a batch is erased with any one of its recipients', async () => {
    const { bodies } = providerAccepts(on.tenant, 6);
    const { variables } = orderShipped();
    const recipients = [MIA, TOM, EVE].map((to) => ({ to: `+${to}`, variables }));
    const batch = () =>
      post('/v1/notifications/send/batch', 'k-5', { event: 'order_shipped', recipients });
    const first = await batch();
    expect(first.body).to.deep.include({ sent: 3, failed: 0 });
    expect((await batch()).body).to.deep.equal(first.body);
    const answered = await expectSealed();
    expect((answered.data as Json).contactRefs).to.have.length(3);
    await eraseContact(on.waybill, TOM, on.tenant.accountId);
    await expectErased(batch);
    expect(bodies).to.have.length(3);
  });
});
