import { expect } from 'chai';
import {
  billedCategory,
  categoryOfTemplate,
  takesCode,
} from '../../../src/commands/pricing/template-category.ts';

describe('the category of a template', () => {
  it('is the provider’s word, or the dearest where the word is none of ours', () => {
    for (const category of ['MARKETING', 'UTILITY', 'AUTHENTICATION']) {
      expect(categoryOfTemplate({ category })).to.equal(category);
      expect(categoryOfTemplate({ category: category.toLowerCase() })).to.equal(category);
    }
    for (const category of ['', 'SERVICE', 'OTP', 'UTILITY ']) {
      expect(categoryOfTemplate({ category }), category).to.equal('MARKETING');
    }
  });

  it('takes a code where it is authentication, or has a button that copies one', () => {
    expect(takesCode({ category: 'AUTHENTICATION', components: [] })).to.equal(true);
    const [url, otp] = [{ type: 'URL' }, { type: 'OTP' }];
    for (const [takes, components] of [
      [false, []],
      [true, [null, {}, { buttons: [url, otp] }]],
      [false, [{ buttons: [url] }, { buttons: otp }, { buttons: [null] }]],
    ] as const) {
      expect(takesCode({ category: 'UTILITY', components })).to.equal(takes);
    }
  });
});

describe('the category that a status names', () => {
  const words: Record<string, string> = {
    marketing: 'MARKETING',
    marketing_lite: 'MARKETING',
    group_marketing: 'MARKETING',
    utility: 'UTILITY',
    group_utility: 'UTILITY',
    authentication: 'AUTHENTICATION',
    authentication_international: 'AUTHENTICATION',
    service: 'SERVICE',
    group_service: 'SERVICE',
  };
  for (const [word, category] of Object.entries(words)) {
    it(`is ${category} for ${word}, however it is written`, () => {
      for (const written of [word, word.toUpperCase(), word.replaceAll('_', '-')]) {
        expect(billedCategory({ category: written })).to.equal(category);
      }
    });
  }

  it('is another for a word that we do not know, and none where there is no word', () => {
    for (const category of ['news', 'toString', ' ']) {
      expect(billedCategory({ category }), category).to.equal('OTHER');
    }
    const entryPoint = { type: 'free_entry_point', category: 'referral_conversion' };
    const silent = [null, {}, { category: '' }, { category: 7 }, { category: null }, entryPoint];
    for (const pricing of silent) {
      expect(billedCategory(pricing)).to.equal(undefined);
    }
  });
});
