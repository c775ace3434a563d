import { expect } from 'chai';
import { generationsUpTo } from '../../src/shared/installation-key.ts';
import { createSecrets, secretsOf } from '../../src/shared/secrets.ts';

const ID = 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSMDBEMEE1RjYxNzQ4OEI5RTRDAA==';

describe('the pseudonym of a message', () => {
  const { messageRef } = createSecrets(Buffer.alloc(32, 7));

  it('is the same for the same id, has 22 characters, and shows nothing of the id', () => {
    const ref = messageRef(ID);
    expect(ref).to.match(/^[\w-]{22}$/);
    expect(messageRef(ID)).to.equal(ref);
    expect(messageRef(`${ID}A`)).to.not.equal(ref);
  });

  it('is another one under another secret, and no hash that serves another purpose', () => {
    const other = createSecrets(Buffer.alloc(32, 8));
    expect(other.messageRef(ID)).to.not.equal(messageRef(ID));
    const token = Buffer.from(createSecrets(Buffer.alloc(32, 7)).hashToken(ID), 'hex');
    expect(token.toString('base64url')).to.not.contain(messageRef(ID));
  });
});

describe('a credential under a key that was extended', () => {
  const generations = ['v1', 'v2', 'v3'].map((name, index) => ({
    name,
    key: Buffer.alloc(32, index + 1),
    from: 0,
  }));
  const under = (count: number) => {
    const known = generations.slice(0, count);
    const upTo = (name: string) => generationsUpTo(known, name)!;
    return secretsOf({
      first: () => known[0]!.key,
      newest: () => known.at(-1)!,
      named: (name) => upTo(name).at(-1)!,
      upTo,
    });
  };
  const token = 'wb_live_abcdefgh_secret';

  it('is hashed anew without the credential, to what a new one would have', () => {
    const old = under(1).hashToken(token);
    expect(old).to.equal(createSecrets(Buffer.alloc(32, 1)).hashToken(token));
    const anew = under(3).hashedAnew(under(2).hashedAnew(old));
    expect(anew).to.match(/^v3\.[0-9a-f]{64}$/);
    expect(anew).to.equal(under(3).hashToken(token));
    expect(under(3).hashedAnew(old)).to.equal(anew);
    for (const hash of [old, under(2).hashToken(token), anew]) {
      expect(under(3).tokenMatches(token, hash)).to.equal(true);
      expect(under(3).tokenMatches(`${token}x`, hash)).to.equal(false);
    }
  });

  it('keeps what names things, and seals anew what is sealed', () => {
    expect(under(3).fingerprint('body')).to.equal(under(1).fingerprint('body'));
    expect(under(3).messageRef(ID)).to.equal(under(1).messageRef(ID));
    const sealed = under(1).seal('EAAG', 'phone-1');
    const anew = under(2).sealedAnew(sealed, 'phone-1');
    expect([sealed.key, anew.key]).to.deep.equal(['v1', 'v2']);
    for (const one of [sealed, anew]) expect(under(3).open(one, 'phone-1')).to.equal('EAAG');
    expect(under(2).sealedAnew(anew, 'phone-1')).to.equal(anew);
    expect(() => under(3).open(anew, 'phone-2')).to.throw();
  });
});
