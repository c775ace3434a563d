import { expect } from 'chai';
import type { Client, Reply } from '../../../src/provider/graph/client.ts';
import { bodyOf, createManage } from '../../../src/provider/graph/manage.ts';
import { ProviderRefused, ProviderUnreachable } from '../../../src/provider/provider.ts';
import { sender } from '../../support/provider.ts';

const refusal = { code: 100, subcode: null, message: 'no', httpStatus: 400 };

describe('calls of the provider other than sends', () => {
  it('have a rate of their own for each business account, and are repeated unless asked', async () => {
    const calls: unknown[] = [];
    const client: Client = {
      async call(...what) {
        calls.push(what);
        return { kind: 'ok', status: 200, body: {} };
      },
      close: async () => undefined,
    };
    const manage = createManage(client, 'v25.0');
    const from = sender();
    await manage.get(from, '10', { fields: 'id,name' });
    await manage.post(from, '10/register', { pin: '1' });
    await manage.post(from, '10/register', { pin: '1' }, { once: true });
    const number = { key: 'manage 200000000000002', perSecond: 50 };
    const token = from.accessToken;
    const post = { method: 'POST', path: '/v25.0/10/register', token, body: '{"pin":"1"}' };
    expect(calls).to.deep.equal([
      [number, { method: 'GET', path: '/v25.0/10?fields=id%2Cname', token }],
      [number, { ...post, once: false }],
      [number, { ...post, once: true }],
    ]);
  });

  it('have a body where they succeed, and fail in the words of the port', () => {
    const failureOf = (reply: Reply) => {
      try {
        return bodyOf(reply);
      } catch (error) {
        return error as Error;
      }
    };
    expect(bodyOf({ kind: 'ok', status: 200, body: { id: 1 } })).to.deep.equal({ id: 1 });
    const refused = failureOf({ kind: 'refused', refusal });
    expect(refused).to.be.instanceOf(ProviderRefused);
    expect(refused).to.deep.include({ refusal, message: 'no', isExpected: true });
    const away = failureOf({ kind: 'unreachable', reason: 'ECONNREFUSED' });
    expect(away).to.be.instanceOf(ProviderUnreachable);
    expect(away).to.include({
      message: 'The provider could not be reached (ECONNREFUSED)',
      isExpected: true,
    });
    expect(failureOf({ kind: 'unknown', reason: 'ECONNRESET' })).to.include({
      message: 'The provider gave no whole answer (ECONNRESET)',
    });
  });
});
