import { expect } from 'chai';
import { takesCode } from '../../../src/commands/pricing/template-category.ts';
import { findEvent } from '../../../src/commands/sending/catalog.ts';
import {
  approvedRow,
  bestRow,
  categoryOf,
  languagesFor,
  templateContent,
} from '../../../src/commands/sending/outgoing.ts';

const rowOf = (language: string, status: string, accountId: string | null = null) => ({
  language,
  status: status as 'APPROVED',
  accountId,
  category: 'MARKETING',
  components: [],
});
type Row = ReturnType<typeof rowOf>;
const best = (rows: readonly Row[], language = 'en_US') => bestRow(rows, language, 'acc_1');
const shipped = findEvent('order_shipped') ?? expect.fail();
const otp = findEvent('otp_verification') ?? expect.fail();

describe('the template of a notification', () => {
  it('may be en for en_US, and is of the asked language otherwise', () => {
    expect(languagesFor('en_US')).to.deep.equal(['en_US', 'en']);
    expect(languagesFor('en')).to.deep.equal(['en']);
    expect(languagesFor('de')).to.deep.equal(['de']);
  });

  it('is an approved one, of the best language', () => {
    const [us, en] = [rowOf('en_US', 'APPROVED'), rowOf('en', 'APPROVED')];
    expect(best([en, us])).to.equal(us);
    expect(best([rowOf('en_US', 'PENDING'), en])).to.equal(en);
    expect(best([us, rowOf('de', 'APPROVED')], 'de')?.language).to.equal('de');
    expect(best([us], 'de')).to.equal(undefined);
  });

  it('is else the best language’s, which is not sent', () => {
    const [us, en] = [rowOf('en_US', 'PENDING'), rowOf('en', 'REJECTED')];
    expect(best([en, us])).to.equal(us);
    expect(best([en])).to.equal(en);
    expect(approvedRow([en, us], 'en_US', 'acc_1')).to.equal(undefined);
    const approved = rowOf('en', 'APPROVED');
    expect(approvedRow([us, approved], 'en_US', 'acc_1')).to.equal(approved);
    expect(approvedRow([], 'en_US', 'acc_1')).to.equal(undefined);
  });

  it('is one that the account may use', () => {
    const [other, own] = [rowOf('en_US', 'APPROVED', 'acc_2'), rowOf('en', 'APPROVED', 'acc_1')];
    expect(best([other, own])).to.equal(own);
    expect(best([other])).to.equal(undefined);
  });

  it('decides the category, unless none is known', () => {
    expect(categoryOf(rowOf('en', 'APPROVED'), shipped)).to.equal('MARKETING');
    expect(categoryOf(undefined, shipped)).to.equal('UTILITY');
    expect(categoryOf(undefined, otp)).to.equal('AUTHENTICATION');
  });
});

describe('a notification as a template', () => {
  it('is in the language of the template, where it is known', () => {
    const content = (entry: typeof shipped, row: Row | undefined) =>
      templateContent(entry, row, 'en_US');
    const base = { type: 'notification', name: 'order_shipped', authentication: false };
    const known = content(shipped, rowOf('en', 'APPROVED'));
    expect(known).to.deep.equal({ ...base, language: 'en' });
    expect(content(shipped, undefined)).to.deep.equal({ ...base, language: 'en_US' });
  });

  it('carries a code where the template does, or the catalog says so of an unknown one', () => {
    const isCode = (entry: typeof shipped, row: Row | undefined) =>
      templateContent(entry, row, 'en_US').authentication;
    expect([isCode(otp, undefined), isCode(shipped, undefined)]).to.deep.equal([true, false]);
    const code = { ...rowOf('en', 'APPROVED'), category: 'AUTHENTICATION' };
    expect(isCode(shipped, code)).to.equal(takesCode(code));
  });
});
