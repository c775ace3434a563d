import { generateKeyPairSync, sign } from 'node:crypto';

// A certificate for this machine, made when it is needed: no key lies in the repository, and
// nothing must be installed to make one. X.509 is DER: a tag, a length and what they enclose.

const tagged = (tag: number, ...contents: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(contents.map((content) => Buffer.from(content)));
  const { length } = body;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

const sequence = (...contents: Buffer[]): Buffer => tagged(0x30, ...contents);
const set = (...contents: Buffer[]): Buffer => tagged(0x31, ...contents);
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));

const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const COMMON_NAME = identifier('550403');
const ALTERNATIVE_NAME = identifier('551d11');
const BASIC_CONSTRAINTS = identifier('551d13');

const name = sequence(set(sequence(COMMON_NAME, tagged(0x0c, 'localhost'))));
const validity = sequence(tagged(0x17, '200101000000Z'), tagged(0x17, '491231235959Z'));
const names = sequence(tagged(0x82, 'localhost'), tagged(0x87, Buffer.from([127, 0, 0, 1])));
const authority = sequence(tagged(0x01, Buffer.from([0xff])));

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;

/** Signed by itself, for `localhost` and 127.0.0.1. */
export const makeCertificate = (): { key: string; certificate: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = sequence(
    sequence(ALTERNATIVE_NAME, tagged(0x04, names)),
    sequence(BASIC_CONSTRAINTS, tagged(0x04, authority)),
  );
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: pem(sequence(content, ECDSA_WITH_SHA256, signature)),
  };
};
