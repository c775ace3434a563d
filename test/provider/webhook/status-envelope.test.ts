import { expect } from 'chai';
import fc from 'fast-check';
import { statusEnvelope } from '../../../src/provider/webhook/status-envelope.ts';
import { decodeWebhook } from '../../../src/provider/webhook/webhook.ts';

const status = {
  messageId: 'wamid.1',
  phoneNumberId: '100000000000001',
  status: 'failed',
  statusAt: '2026-11-21T12:00:00.000Z',
  recipientWaId: '919812345678',
  chargeId: 'chg_1_2',
  errorCode: '131026',
  errorMessage: 'Undeliverable',
  pricing: { category: 'utility' },
};

const decoded = (one: typeof status | Record<string, unknown>, wabaId: string | null) => {
  const body = Buffer.from(JSON.stringify(statusEnvelope(one as typeof status, wabaId)));
  const decoding = decodeWebhook(body);
  if (!decoding.ok) throw new Error(decoding.reason);
  const [item, ...others] = decoding.items;
  expect(others).to.deep.equal([]);
  if (item?.kind !== 'status') throw new Error(`it is ${JSON.stringify(item)}`);
  const { kind: _, envelope: __, at: statusAt, wabaId: account, recipientUserId, ...rest } = item;
  const userId = recipientUserId === null ? {} : { recipientUserId };
  return { recorded: { ...rest, ...userId, statusAt }, account };
};

describe('a recorded status as a payload of the provider’s', () => {
  it("holds the status alone, in the provider's form", () => {
    const update = {
      id: 'wamid.1',
      status: 'failed',
      timestamp: '1795262400',
      recipient_id: '919812345678',
      biz_opaque_callback_data: 'chg_1_2',
      errors: [{ code: '131026', message: 'Undeliverable' }],
      pricing: { category: 'utility' },
    };
    const value = {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: '100000000000001' },
      statuses: [update],
    };
    expect(statusEnvelope(status, '200000000000002')).to.deep.equal({
      object: 'whatsapp_business_account',
      entry: [{ id: '200000000000002', changes: [{ field: 'messages', value }] }],
    });
  });

  it('decodes to the recorded status, with any fields absent', () => {
    const optional = (value: unknown) => fc.constantFrom(value, null);
    const changes = fc.record({
      user: fc.constantFrom({}, { recipientUserId: 'IN.1349' }),
      recipientWaId: optional(status.recipientWaId),
      chargeId: optional(status.chargeId),
      errorCode: optional(status.errorCode),
      errorMessage: optional(status.errorMessage),
      pricing: optional(status.pricing),
    });
    fc.assert(
      fc.property(changes, optional('200000000000002'), ({ user, ...change }, wabaId) => {
        const one = { ...status, ...change, ...user };
        const account = wabaId as string | null;
        expect(decoded(one, account)).to.deep.equal({ recorded: one, account });
      }),
    );
  });
});
