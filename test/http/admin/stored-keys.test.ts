import type { EventStore } from '../../../src/events/store.ts';
import { answered, refusedWith } from '../../support/answered.ts';
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
  const keyWith = async (name: string): Promise<string> => {
    const { accountId } = await openTenant(on.waybill);
    return (await on.waybill.admin('POST', `/accounts/${accountId}/keys`, { name })).body.key;
  };
  const phones = (token: string, headers = {}) =>
    on.waybill.call('GET', '/v1/phones', { token, headers });

  it('have no scope at all', async () => {
    await refusedWith(403, 'INSUFFICIENT_SCOPE', phones(await keyWith('scopes')));
  });

  it('allow no browser origin, and still allow servers', async () => {
    const token = await keyWith('allowedOrigins');
    await answered(403, phones(token, { origin: 'https://shop.example' }));
    await answered(200, phones(token));
  });
});
