import { expect } from 'chai';
import {
  isCredentialTrouble,
  isDuplicateTemplate,
  isMaybeDone,
  isThrottle,
  isUnknownObject,
  readBody,
  readRefusal,
} from '../../../src/provider/graph/client.ts';
import type { ProviderRefusal } from '../../../src/provider/provider.ts';

const refusal = (change: Partial<ProviderRefusal>): ProviderRefusal => ({
  code: null,
  subcode: null,
  message: 'no',
  httpStatus: 400,
  ...change,
});
const codes = (given: readonly (number | null)[], holds: (one: ProviderRefusal) => boolean) =>
  given.filter((code) => holds(refusal({ code })));
const statuses = (given: readonly (number | null)[], holds: (one: ProviderRefusal) => boolean) =>
  given.filter((httpStatus) => holds(refusal({ httpStatus })));

describe('the provider’s refusals', () => {
  it('are of the credential: its codes, those from 200 to 299, and HTTP 401 and 403', () => {
    const trouble = [0, 3, 10, 190, 200, 250, 299, 368, 131005, 131031];
    const other = [null, 1, 2, 4, 9, 11, 100, 189, 191, 199, 300, 367, 369, 131004, 131032];
    expect(codes(trouble, isCredentialTrouble)).to.deep.equal(trouble);
    expect(codes(other, isCredentialTrouble)).to.deep.equal([]);
    expect(statuses([null, 400, 401, 402, 403, 404], isCredentialTrouble)).to.deep.equal([
      401, 403,
    ]);
  });

  it('are of an object that does not exist or is hidden from the token', () => {
    expect(codes([33, 803, 100, 32, 802, null], isUnknownObject)).to.deep.equal([33, 803]);
    expect(isUnknownObject(refusal({ code: 100, subcode: 33 }))).to.equal(true);
    expect(isUnknownObject(refusal({ code: 100, subcode: 34 }))).to.equal(false);
    expect(isUnknownObject(refusal({ code: 101, subcode: 33 }))).to.equal(false);
    expect(statuses([null, 400, 403, 404, 410], isUnknownObject)).to.deep.equal([404]);
  });

  it('ask for fewer requests', () => {
    expect(codes([null, 130429, 80007, 4, 131048], isThrottle)).to.deep.equal([130429, 80007]);
    expect(statuses([null, 400, 428, 429, 430, 503], isThrottle)).to.deep.equal([429]);
  });

  it('leave open whether a template was created', () => {
    expect(statuses([null, 400, 499, 500, 503], isMaybeDone)).to.deep.equal([500, 503]);
    expect(isMaybeDone(refusal({ code: 1, subcode: 99 }))).to.equal(true);
    expect(isMaybeDone(refusal({ code: 1, subcode: 98 }))).to.equal(false);
    expect(isMaybeDone(refusal({ code: 2, subcode: 99 }))).to.equal(false);
  });

  it('say that a template of that name exists', () => {
    expect(isDuplicateTemplate(refusal({ subcode: 2388024 }))).to.equal(true);
    expect(isDuplicateTemplate(refusal({ subcode: 2388023 }))).to.equal(false);
    expect(isDuplicateTemplate(refusal({}))).to.equal(false);
  });

  const read = (error: unknown, token = 'EAAsecret0123456789') =>
    readRefusal(400, { error }, token);

  it('have the most specific text of the answer', () => {
    const all = {
      error_data: { details: 'details' },
      error_user_msg: 'for people',
      message: 'bare',
    };
    expect(read(all).message).to.equal('details');
    expect(read({ ...all, error_data: 'data' }).message).to.equal('for people');
    expect(read({ message: 'bare', error_data: 'data' }).message).to.equal('bare');
    expect(read({ error_data: 'data' }).message).to.equal('data');
    expect(read({}).message).to.match(/HTTP 400 without saying/);
    expect(readRefusal(502, undefined, 'x').message).to.match(/HTTP 502 with something unreadable/);
  });

  it('have codes only where they are whole numbers', () => {
    expect(read({ code: '100', error_subcode: 33 })).to.include({ code: 100, subcode: 33 });
    expect(read({ code: 1.5, error_subcode: 'x' })).to.include({ code: null, subcode: null });
  });

  it('hold 500 characters of text at most', () => {
    expect(read({ message: 'x'.repeat(500) }).message).to.equal('x'.repeat(500));
    expect(read({ message: 'x'.repeat(501) }).message).to.equal(`${'x'.repeat(499)}…`);
  });

  it('keep what the provider says beside its codes, without the token', () => {
    const told = {
      message: '(#131026) Not to [access token]',
      type: 'OAuthException',
      is_transient: false,
      error_user_title: 'Title',
      error_user_msg: 'For people',
      fbtrace_id: 'AbC',
    };
    const message = '(#131026) Not to 12345678';
    const error = { ...told, message, code: 131026, error_data: { details: 'why' }, other: 'x' };
    expect(read(error, '12345678').told).to.deep.equal(told);
    expect(read({ code: 131026, message: 7 })).not.to.have.property('told');
  });

  it('hold no token of 8 characters or more, and keep words with a shorter one', () => {
    expect(read({ message: 'bad 12345678 12345678' }, '12345678').message).to.equal(
      'bad [access token] [access token]',
    );
    expect(read({ message: 'bad 1234567' }, '1234567').message).to.equal('bad 1234567');
  });

  it('are read from objects alone', () => {
    expect(readBody('{"a":1}')).to.deep.equal({ a: 1 });
    for (const text of ['[1]', '"a"', 'null', '{', '']) {
      expect(readBody(text), text).to.equal(undefined);
    }
  });
});
