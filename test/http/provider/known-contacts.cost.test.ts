import { expect } from 'chai';
import type { KeyStore } from '../../../src/keys/key-store.ts';
import { answered } from '../../support/answered.ts';
import { customerWrites, messagesPayload } from '../../support/surface.ts';
import { until } from '../../support/until.ts';
import { type Json, openTenant, startWaybill } from '../../support/waybill.ts';

describe('what the messages of a contact cost', () => {
  it('is no call of the store of data keys, once the contact was met this month', async () => {
    const calls: string[] = [];
    const waybill = await startWaybill({
      wrapKeys: (keys) =>
        Object.fromEntries(
          Object.entries(keys).map(([name, method]) => [
            name,
            (...what: unknown[]) => {
              calls.push(name);
              return (method as (...args: unknown[]) => unknown)(...what);
            },
          ]),
        ) as unknown as KeyStore,
    });
    const tenant = await openTenant(waybill);
    const user = 'IN.13491208655302741918';
    let count = 0;
    const writes = async (shown: Json) => {
      count += 1;
      const id = `wamid.KNOWN${count}`;
      const timestamp = String(Math.floor(waybill.clock.now() / 1000));
      const messages = [{ id, timestamp, type: 'text', text: { body: 'Hi' }, ...shown }];
      await answered(200, waybill.webhook(messagesPayload(tenant, { messages })));
    };
    const all = [
      { from: '919812345678' },
      { from: '919812345678', from_user_id: user },
      { from_user_id: user },
    ];
    for (const shown of all) await writes(shown);
    await until('the keys of the first messages', () => calls.includes('ensure'));
    await waybill.settled();
    calls.length = 0;
    for (const shown of all) await writes(shown);
    await customerWrites(waybill, tenant);
    await waybill.settled();
    expect(calls.filter((name) => name !== 'health')).to.deep.equal([]);
    waybill.clock.advance(31 * 24 * 60 * 60_000);
    await customerWrites(waybill, tenant);
    expect(calls).to.include('ensure');
    await waybill.stop();
  });
});
