import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startServer } from './server.ts';
import type { Json } from './waybill.ts';

// An issuer of OpenID Connect that lets everybody in as whoever `claims` name.

export const CLIENT = { clientId: 'waybill', clientSecret: 's3cret of waybill' };

export interface Issuer {
  url: string;
  /** Of the next token. */
  claims: Json;
  /** What only the record of the person has. */
  userInfo: Json;
  /** Answers everything 503. */
  isAway: boolean;
  /** Signs with a key that it does not show. */
  isForging: boolean;
  close(): Promise<void>;
}

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const signed = (claims: Json, key: KeyObject): string => {
  const content = `${encoded({ alg: 'ES256', kid: 'first' })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
};

interface Grant {
  asked: URLSearchParams;
  claims: Json;
}

/** What is wrong with the exchange of a code; undefined for a right one. */
const wrongWith = (request: IncomingMessage, form: URLSearchParams, grant: Grant | undefined) => {
  const { clientId, clientSecret } = CLIENT;
  const credentials = `${clientId}:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`;
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`;
  if (request.headers.authorization !== basic) return 'invalid_client';
  const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url');
  const isRight =
    grant?.asked.get('code_challenge') === challenge &&
    grant.asked.get('redirect_uri') === form.get('redirect_uri');
  return isRight ? undefined : 'invalid_grant';
};

/** `host` is a name of this machine: another one than that of the service is another site to a browser. */
export const startIssuer = async ({ host = '127.0.0.1' } = {}): Promise<Issuer> => {
  const [{ publicKey, privateKey }, others] = [newKeys(), newKeys()];
  const grants = new Map<string, Grant>();
  let sub: Json;
  const pages: Record<string, (request: IncomingMessage, url: URL) => Json> = {
    '/.well-known/openid-configuration': () => ({
      issuer: issuer.url,
      authorization_endpoint: `${issuer.url}/authorize`,
      token_endpoint: `${issuer.url}/token`,
      jwks_uri: `${issuer.url}/keys`,
      userinfo_endpoint: `${issuer.url}/me`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    '/keys': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'ES256' }],
    }),
    '/authorize': (_, { searchParams: asked }) => {
      const code = randomBytes(16).toString('base64url');
      grants.set(code, { asked, claims: issuer.claims });
      const back = new URL(asked.get('redirect_uri')!);
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state')!);
      return back;
    },
    '/token': async (request) => {
      const form = new URLSearchParams(await text(request));
      const grant = grants.get(form.get('code')!);
      grants.delete(form.get('code')!);
      const error = wrongWith(request, form, grant);
      if (error) return { error };
      const now = Math.floor(Date.now() / 1000);
      const own = { iss: issuer.url, aud: CLIENT.clientId, iat: now, exp: now + 300 };
      const claims = { ...own, sub: 'u-1', nonce: grant!.asked.get('nonce'), ...grant!.claims };
      sub = claims.sub;
      const idToken = signed(claims, issuer.isForging ? others.privateKey : privateKey);
      return { access_token: 'access', token_type: 'bearer', expires_in: 300, id_token: idToken };
    },
    '/me': () => ({ sub, ...issuer.userInfo }),
  };
  const { port, close } = await startServer(async (request, response) => {
    const url = new URL(request.url!, issuer.url);
    const answer = issuer.isAway ? undefined : await pages[url.pathname]?.(request, url);
    if (answer instanceof URL) {
      response.writeHead(302, { Location: answer.href }).end();
      return;
    }
    const status = answer === undefined ? 500 : answer.error ? 400 : 200;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  const issuer: Issuer = {
    url: `http://${host}:${port}`,
    claims: {},
    userInfo: {},
    isAway: false,
    isForging: false,
    close,
  };
  return issuer;
};
