import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Json } from './waybill.ts';

// A device with one passkey, as browsers answer for it.

const PRESENT_AND_VERIFIED = 0x05;
const WITH_KEY = 0x40;

const sha256 = (content: Buffer | string): Buffer => createHash('sha256').update(content).digest();
const base64url = (content: Buffer | string): string => Buffer.from(content).toString('base64url');
const counted = (length: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(length, 0, bytes);
  return buffer;
};

/** `origin` is that of the page which asks. */
export const createAuthenticator = (origin: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const rpHash = sha256(new URL(origin).hostname);
  let userHandle = '';

  const clientData = (type: 'create' | 'get', challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin }));
  const answer = (response: Json) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    /** Makes its key for the person of the options. */
    create({ challenge, user }: Json) {
      userHandle = user.id;
      const { x, y } = publicKey.export({ format: 'jwk' });
      const key = Buffer.concat([
        Buffer.from('a50102032620012158' + '20', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ]);
      const flags = Buffer.from([PRESENT_AND_VERIFIED | WITH_KEY]);
      const data = [rpHash, flags, Buffer.alloc(4 + 16), counted(id.length, 2), id, key];
      const authData = Buffer.concat(data);
      const attestation = Buffer.concat([
        Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1'),
        counted(authData.length, 2),
        authData,
      ]);
      return answer({
        clientDataJSON: base64url(clientData('create', challenge)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      });
    },
    /** Signs the challenge of the options. */
    get({ challenge }: Json) {
      const data = clientData('get', challenge);
      const authData = Buffer.concat([
        rpHash,
        Buffer.from([PRESENT_AND_VERIFIED]),
        Buffer.alloc(4),
      ]);
      return answer({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
        userHandle,
      });
    },
  };
};
