import { expect } from 'chai';
import { type BuiltContent, brokenRule } from '../../../src/provider/rules/message-types.ts';
import { readSentMessage } from '../../../src/provider/rules/sent-message.ts';
import { interactive, rules, times } from './rules.ts';

describe('The rules of the provider for the content of a message', () => {
  for (const [what, right, wrong, pattern] of rules) {
    it(`refuse ${what}`, () => {
      expect(brokenRule(right), 'at the limit').to.equal(undefined);
      expect(brokenRule(wrong)).to.match(pattern);
    });
  }

  it('refuse a reaction that answers a message', () => {
    const reaction: BuiltContent = { type: 'reaction', messageId: 'wamid.A', emoji: '' };
    expect(brokenRule(reaction, { isReply: true })).to.match(/contextMessageId/);
    expect(brokenRule(reaction)).to.equal(undefined);
    const text: BuiltContent = { type: 'text', body: 'x', previewUrl: false };
    expect(brokenRule(text, { isReply: true })).to.equal(undefined);
  });

  it('leave what is missing, and what they do not know, to the provider', () => {
    for (const type of ['button', 'list', 'carousel', 'product_list', 'constructor']) {
      for (const action of [{}, { buttons: 'x' }, { sections: null }, { cards: {} }, []]) {
        expect(brokenRule(interactive(type, { action })), type).to.equal(undefined);
      }
    }
    const many = interactive('new', { action: { buttons: times(9, String) } });
    expect(brokenRule(many)).to.equal(undefined);
    const numbered = interactive('button', { action: { buttons: [{ reply: { id: 7 } }] } });
    expect(brokenRule(numbered), 'a number for a text').to.equal(undefined);
  });
});

describe('The body of a message', () => {
  const read = (body: object) =>
    readSentMessage({ messaging_product: 'whatsapp', to: '+447700900123', ...body });
  const hello = { name: 'hello', language: { code: 'en' } };
  const place = { latitude: 1, longitude: 1 };
  const reaction = { message_id: 'wamid.A', emoji: '' };
  const inTemplate = (more: object) => ({ type: 'template', template: { ...hello, ...more } });
  const inImage = (image: object) => ({ type: 'image', image });
  const inPlace = (more: object) => ({ type: 'location', location: { ...place, ...more } });
  const inReaction = (more: object) => ({ type: 'reaction', reaction: { ...reaction, ...more } });
  const inText = (more: object) => ({ text: { body: 'Hi' }, ...more });
  const link = 'https://';
  const bounds: [string, number, (text: string) => object][] = [
    ['context.message_id', 500, (message_id) => inText({ context: { message_id } })],
    ['messaging_account_id', 300, (text) => inText({ messaging_account_id: text })],
    ['template.name', 512, (name) => inTemplate({ name })],
    ['template.language.code', 20, (code) => inTemplate({ language: { code } })],
    ['link', 2048, (text) => inImage({ link: `${link}${text.slice(link.length)}` })],
    ['id', 200, (id) => inImage({ id })],
    ['filename', 500, (filename) => inImage({ id: '7', filename })],
    ['location.name', 1000, (name) => inPlace({ name })],
    ['location.address', 1000, (address) => inPlace({ address })],
    ['reaction.message_id', 500, (message_id) => inReaction({ message_id })],
    ['reaction.emoji', 64, (emoji) => inReaction({ emoji })],
  ];
  for (const [path, max, bodyOf] of bounds) {
    it(`has at most ${max} characters in ${path}`, () => {
      expect(read(bodyOf('x'.repeat(max)))).to.have.property('message');
      const details = `${path} has more than ${max} characters`;
      const longer = read(bodyOf('x'.repeat(max + 1)));
      expect(longer).to.deep.equal({ refusal: { code: 131009, details } });
    });
  }

  it('has at most 100,000 bytes in the components of a template', () => {
    const bytes = 'x'.repeat(100_000 - JSON.stringify(['']).length);
    const readWith = (text: string) => read(inTemplate({ components: [text] }));
    expect(readWith(bytes)).to.have.property('message');
    const details = 'template.components is larger than 100000 bytes';
    expect(readWith(`${bytes}x`)).to.deep.equal({ refusal: { code: 131009, details } });
  });
});
