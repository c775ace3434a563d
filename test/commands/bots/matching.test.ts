import { expect } from 'chai';
import fc from 'fast-check';
import { type Inbound, readInbound } from '../../../src/commands/bots/inbound.ts';
import { type Candidate, chooseBot } from '../../../src/commands/bots/matching.ts';
import { any, bot, inbound } from './runs.ts';

const NUMBER = '100000000000001';

const choose = (bots: readonly Candidate[], message: Inbound | string) =>
  chooseBot(bots, NUMBER, typeof message === 'string' ? inbound(message) : message)?.botId;

const exact = (botId: string, change: Partial<Candidate> = {}) =>
  bot(botId, { triggerMatchType: 'EXACT', ...change });
const starts = (botId: string) => bot(botId, { triggerMatchType: 'STARTS_WITH' });
const optIn = (botId: string) => bot(botId, { trigger: 'OPTIN' });

describe('bots: which one answers', () => {
  it('fires on any of its keywords', () => {
    const words = { triggerKeywords: ['cancel', 'order', 'help'] };
    expect(choose([exact('a', words)], 'order')).to.equal('a');
    expect(choose([exact('a', words)], 'hello')).to.equal(undefined);
  });

  it('compares a keyword by its match type', () => {
    expect(choose([bot('a')], 'where is my order?')).to.equal('a');
    expect(choose([starts('a')], 'order 77')).to.equal('a');
    expect(choose([starts('a')], 'my order')).to.equal(undefined);
    expect(choose([exact('a')], 'order')).to.equal('a');
    expect(choose([exact('a')], 'order 77')).to.equal(undefined);
  });

  it('ignores case, Unicode form and space around, on both sides', () => {
    expect(choose([exact('a')], '  ＯＲＤＥＲ \n')).to.equal('a');
    expect(choose([exact('a', { triggerKeywords: [' Café '] })], 'CAFE\u0301')).to.equal('a');
  });

  it('never fires on a keyword that is not there or blank', () => {
    expect(choose([bot('a', { triggerKeywords: [] })], 'hi')).to.equal(undefined);
    expect(choose([bot('a', { triggerKeywords: ['', '  '] })], 'hi')).to.equal(undefined);
    expect(choose([exact('a', { triggerKeywords: [''] })], inbound(''))).to.equal(undefined);
  });

  it('never takes one that is inactive or of another number', () => {
    expect(choose([any('a', { isActive: false })], 'hi')).to.equal(undefined);
    expect(choose([any('a', { phoneNumberId: '100000000000009' })], 'hi')).to.equal(undefined);
    expect(choose([any('a', { phoneNumberId: NUMBER })], 'hi')).to.equal('a');
  });

  it('takes the bots in their order of precedence', () => {
    const ranked = [exact('exact'), starts('starts'), bot('contains'), optIn('optin'), any('any')];
    const message = inbound('order');
    expect(choose(ranked.toReversed(), message)).to.equal('exact');
    expect(choose(ranked.slice(1).toReversed(), message)).to.equal('starts');
    expect(choose(ranked.slice(2).toReversed(), message)).to.equal('contains');
    expect(choose(ranked.slice(3).toReversed(), message)).to.equal('any');
    expect(choose(ranked.toReversed(), inbound('Start'))).to.equal('optin');
    expect(choose(ranked.toReversed(), ' subscribe ')).to.equal('optin');
  });

  for (const kind of ['button', 'list'] as const) {
    it(`prefers the better trigger for a tap (${kind}), however old and named the others are`, () => {
      const words = { triggerKeywords: ['start'] };
      const triggers: Partial<Candidate>[] = [
        { triggerMatchType: 'EXACT', ...words },
        { triggerMatchType: 'STARTS_WITH', ...words },
        { triggerMatchType: 'CONTAINS', ...words },
        { trigger: kind === 'button' ? 'BUTTON_REPLY' : 'LIST_REPLY' },
        { trigger: 'OPTIN' },
        { trigger: 'ANY_MESSAGE' },
      ];
      const message = inbound('Start', { kind, choice: 'x' });
      for (const [rank, trigger] of triggers.entries()) {
        for (const worse of triggers.slice(rank + 1)) {
          const other = bot('a', { ...worse, createdAt: '2026-10-01T00:00:00.000Z' });
          const better = bot('b', trigger);
          const pair = JSON.stringify([trigger, worse]);
          expect(choose([other, better], message), pair).to.equal('b');
          expect(choose([better, other], message), pair).to.equal('b');
        }
      }
    });
  }

  it('tells taps on buttons from taps in lists', () => {
    const bots = [
      any('any'),
      bot('list', { trigger: 'LIST_REPLY' }),
      bot('button', { trigger: 'BUTTON_REPLY' }),
    ];
    expect(choose(bots, inbound('Yes', { kind: 'button', choice: 'y' }))).to.equal('button');
    expect(choose(bots, inbound('Yes', { kind: 'list', choice: 'y' }))).to.equal('list');
    expect(choose(bots, inbound('Yes'))).to.equal('any');
    expect(choose([bots[1]!, bots[2]!], inbound('Yes'))).to.equal(undefined);
    const named = inbound('Track order', { kind: 'button' });
    expect(choose([...bots, bot('word')], named)).to.equal('word');
  });

  it('ignores keywords of other triggers', () => {
    expect(choose([any('a', { triggerKeywords: ['order'] })], 'hi')).to.equal('a');
  });

  it('prefers any bot of the number to any of the account', () => {
    const bots = [exact('account'), any('number', { phoneNumberId: NUMBER })];
    expect(choose(bots, 'order')).to.equal('number');
  });

  it('prefers the oldest of equals, in any order', () => {
    const bots = [
      bot('young', { createdAt: '2026-11-03T00:00:00.000Z' }),
      bot('old', { createdAt: '2026-11-02T00:00:00.000Z' }),
      bot('middle', { createdAt: '2026-11-02T00:00:00.001Z' }),
    ];
    expect(choose(bots, 'order')).to.equal('old');
    expect(choose(bots.toReversed(), 'order')).to.equal('old');
    expect(choose([bot('b'), bot('a'), bot('c')], 'order')).to.equal('a');
  });

  it('lets a resumed preference set only an opt-in bot to work', () => {
    const resume = inbound('', { kind: 'resume', messageId: null });
    expect(choose([any('any'), bot('word'), optIn('optin')], resume)).to.equal('optin');
    expect(choose([any('any')], resume)).to.equal(undefined);
  });

  it('gives the same answer in whatever order the bots stand', () => {
    const candidate = fc.record({
      botId: fc.uuid(),
      phoneNumberId: fc.constantFrom(null, NUMBER, 'other'),
      trigger: fc.constantFrom('KEYWORD', 'ANY_MESSAGE', 'OPTIN', 'BUTTON_REPLY', 'LIST_REPLY'),
      triggerKeywords: fc.array(fc.constantFrom('a', 'ab', ' ', 'start')),
      triggerMatchType: fc.constantFrom('EXACT', 'CONTAINS', 'STARTS_WITH'),
      isActive: fc.boolean(),
      createdAt: fc.constantFrom('2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'),
    }) as fc.Arbitrary<Candidate>;
    const kind = fc.constantFrom<Inbound['kind']>('message', 'button', 'list', 'resume');
    fc.assert(
      fc.property(
        fc.uniqueArray(candidate, { selector: ({ botId }) => botId }),
        fc.constantFrom('a', 'ab', 'xab', 'start', ''),
        kind,
        (bots, text, as) => {
          const message = inbound(text, { kind: as });
          expect(choose(bots.toReversed(), message)).to.equal(choose(bots, message));
        },
      ),
    );
  });
});

describe('bots: reading an inbound message', () => {
  const read = (message: Record<string, unknown>) =>
    readInbound(message, { messageId: 'wamid.1', revision: 4 });

  it('reads words and taps', () => {
    const base = inbound('', { revision: 4 });
    const tapped = { id: 'y', title: 'Yes' };
    const form = { type: 'nfm_reply', nfm_reply: { body: 'Sent' } };
    const flow = { name: 'flow', response: { size: '42' } };
    const nfm_reply = { name: 'flow', response_json: '{"size":"42"}' };
    const tap = { text: 'Yes', choice: 'y' };
    for (const [type, part, expected] of [
      ['text', { body: 'hi' }, { text: 'hi' }],
      ['image', { id: '1', caption: 'this' }, { text: 'this' }],
      ['location', { latitude: 1 }, {}],
      ['button', { payload: 'p', text: 'Stop' }, { kind: 'button', text: 'Stop', choice: 'p' }],
      ['interactive', { type: 'button_reply', button_reply: tapped }, { kind: 'button', ...tap }],
      ['interactive', { type: 'list_reply', list_reply: tapped }, { kind: 'list', ...tap }],
      ['interactive', form, {}],
      ['interactive', { ...form, nfm_reply }, { flow }],
    ] as const) {
      expect(read({ type, [type]: part }), type).to.deep.equal({ ...base, ...expected });
    }
    for (const response_json of ['no JSON', '[1]', 7, undefined]) {
      const broken = { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json } };
      expect(read({ type: 'interactive', interactive: broken })).not.to.have.property('flow');
    }
  });

  it('reads only texts as texts, and only texts as ids', () => {
    const button = { type: 'button_reply', button_reply: { id: 7, title: ['Yes'] } };
    const found = read({ type: 'interactive', interactive: button });
    expect(found).to.include({ kind: 'button', text: '', choice: null });
    expect(read({ type: 'text', text: 'hi' })).to.include({ text: '' });
    expect(read({ type: 'text', text: null })).to.include({ text: '' });
  });

  it('leaves reactions and notices of the provider alone', () => {
    for (const type of ['reaction', 'system', 'unsupported', 'edit', undefined, 7]) {
      expect(read({ type }), String(type)).to.equal(undefined);
    }
  });

  it('reads any JSON without harm', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('text', 'interactive', 'button', 'image', 'contacts'),
        fc.jsonValue(),
        (type, part) => {
          const inboundMessage = read({ type, [type]: part });
          expect(inboundMessage?.text).to.be.a('string');
        },
      ),
    ));
});
