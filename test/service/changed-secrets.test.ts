import { expect } from 'chai';
import type { Ingress } from '../../src/commands/inbound/ingress.ts';
import { createSessions } from '../../src/http/edge/session.ts';
import { webhookRoutes } from '../../src/http/provider/webhook.ts';
import { signatureOf } from '../../src/provider/webhook/webhook.ts';
import { createAuthenticator } from '../../src/service/authenticator.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { closeEdges, openEdge } from '../support/edge.ts';
import { useRealConnections } from '../support/network.ts';

const [OLD, NEW] = ['an-old-token-of-the-root', 'a-new-token-of-the-root-'];

describe('a secret that is being changed', () => {
  useRealConnections();
  after(closeEdges);
  const secrets = createSecrets(Buffer.alloc(32, 7));

  it('lets in the root administrator with either token, and with no other', async () => {
    const { administrator } = createAuthenticator({
      lookups: { administrator: async () => undefined } as never,
      secrets,
      adminTokens: [OLD, NEW],
      personIdOf: String,
      passwords: { matches: async () => false },
      onUse() {},
    });
    for (const token of [OLD, NEW]) expect((await administrator(token))?.id).to.equal('root');
    for (const token of ['', `${OLD},${NEW}`, `${NEW}x`]) {
      expect(await administrator(token)).to.equal(undefined);
    }
  });

  it('keeps the sessions of the console until the token is gone that they began under', () => {
    const of = (...tokens: string[]) => createSessions(secrets, tokens);
    const link = {
      id: 'one',
      holder: { kind: 'administrator', id: 'root' },
      expiresAt: 1,
    } as const;
    const begun = of(OLD).sealLink(link);
    expect(of(OLD, NEW).openLink(begun)).to.deep.equal(link);
    expect(of(NEW).openLink(begun)).to.equal(undefined);
    // An instance that does not know the new token yet must accept what another one seals.
    expect(of(OLD).openLink(of(OLD, NEW).sealLink(link))).to.deep.equal(link);
  });

  it('accepts callbacks and handshakes with either value', async () => {
    let refused = 0;
    const signatures = {
      accepted: 0,
      onRefused() {
        refused += 1;
      },
    };
    const rawRoutes = webhookRoutes({
      ingress: { ingestAll: async () => undefined } as unknown as Ingress,
      appSecrets: ['old', 'new'],
      verifyTokens: ['one', 'two'],
      signatures,
    });
    const edge = await openEdge({ rawRoutes });
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [] });
    const statusOf = async (secret: string) => {
      const headers = { 'x-hub-signature-256': signatureOf(Buffer.from(body), secret) };
      return (await edge.call('POST', '/api/provider/webhook', { body, headers })).status;
    };
    const handshake = async (token: string) => {
      const query = `hub.mode=subscribe&hub.challenge=7&hub.verify_token=${token}`;
      return (await edge.call('GET', `/api/provider/webhook?${query}`)).status;
    };
    expect([await statusOf('old'), await statusOf('new')]).to.deep.equal([200, 200]);
    expect([signatures.accepted, refused]).to.deep.equal([2, 0]);
    expect([await statusOf('old,new'), refused]).to.deep.equal([401, 1]);
    expect([await handshake('one'), await handshake('two')]).to.deep.equal([200, 200]);
    expect(await handshake('one,two')).to.equal(403);
  });
});
