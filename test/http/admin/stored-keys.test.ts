import { expect } from 'chai';
import type { EventStore } from '../../../src/events/store.ts';
import { useWaybill } from '../../support/surface.ts';
import { type Json, openTenant } from '../../support/waybill.ts';

describe('keys that are stored with empty lists', () => {
  /** Stores keys as an older program could have stored them. */
  const olderStore = (store: EventStore): EventStore => ({
    ...store,
    append: (stream, expected, events) =>
      store.append(
        stream,
        expected,
        events.map((event) => {
          const { name } = event.data as Json;
          if (event.type !== 'ApiKeyCreated' || !['scopes', 'allowedOrigins'].includes(name)) {
            return event;
          }
          // Stored is the text, where it was made already: the one of the changed data is another.
          const { text: _, ...rest } = event;
          return { ...rest, data: { ...(event.data as Json), [name]: [] } };
        }),
      ),
  });
  const on = useWaybill({ wrapStore: olderStore });
  const keyWith = async (name: string) => {
    const { accountId } = await openTenant(on.waybill);
    const { body } = await on.waybill.admin('POST', `/accounts/${accountId}/keys`, { name });
    return body.key as string;
  };
  const phones = (token: string, headers = {}) =>
    on.waybill.call('GET', '/v1/phones', { token, headers });

  it('have no scope at all', async () => {
    const { status, body } = await phones(await keyWith('scopes'));
    expect([status, body.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
  });

  it('allow no browser origin, and still allow servers', async () => {
    const token = await keyWith('allowedOrigins');
    expect((await phones(token, { origin: 'https://shop.example' })).status).to.equal(403);
    expect((await phones(token)).status).to.equal(200);
  });
});
