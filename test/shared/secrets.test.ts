import { expect } from 'chai';
import { createSecrets } from '../../src/shared/secrets.ts';

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
