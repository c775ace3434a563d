import { expect } from 'chai';
import { type BotRepository, createBotRepository } from '../../../src/commands/bots/bot.ts';
import { createBots } from '../../../src/commands/bots/definitions.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import type { BotDefinition } from '../../../src/events/bot.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { botStream } from '../../../src/events/streams.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { fixedClock } from '../../support/ambient.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { botDefinition } from '../../support/samples.ts';
import { codeOf } from '../../support/spec.ts';
import { untilTrue } from '../../support/until.ts';

describe('definitions of bots', () => {
  let store: EventStore;
  /** Events that were read from streams, and how often something was read. */
  let read = 0;
  let reads = 0;
  beforeEach(async () => {
    const opened = await openOwnStore();
    store = {
      ...opened,
      async read(...what) {
        const events = await opened.read(...what);
        read += events.length;
        reads += 1;
        return events;
      },
    };
  });
  afterEach(() => store.close());

  const context = { requestId: 'test', accountId: 'acc_1' };
  const bot = botDefinition({ nodes: [{ id: 'a', type: 'end' }] });
  /** What one process has; it knows nothing of what another one remembers. */
  const open = (wrap = (of: BotRepository) => of) => {
    const writer = createWriter({ store, clock: fixedClock(), ids: systemIds });
    const repository = wrap(createBotRepository({ store }));
    const lookups = { numbers: async () => [], bots: async () => [] };
    return { repository, bots: createBots({ writer, lookups, repository, ids: systemIds }) };
  };
  it('leave a draft that was saved again while the one before was published', async () => {
    const first = open();
    const botId = await first.bots.create(bot, context);
    const draftOf = (name: string) => ({ nodes: [{ id: name, type: 'end' }], edges: [] });
    await first.bots.saveDraft(botId, draftOf('one'), context);
    const { repository } = open();
    const publishing = open((whole) => ({
      ...whole,
      async draft(...of) {
        const found = await whole.draft(...of);
        await first.bots.saveDraft(botId, draftOf('two'), context);
        return found;
      },
    }));
    await publishing.bots.publish(botId, undefined, context);
    const { bot: live } = (await repository.current(context.accountId, botId))!;
    expect(live.nodes).to.deep.equal(draftOf('one').nodes);
    const left = await repository.draft(context.accountId, botId);
    expect(left).to.deep.include({ basis: 1, ...draftOf('two') });
  });

  it('load in bounded time, however often a bot was changed', async () => {
    const botId = await open().bots.create(bot, context);
    const { bots } = open();
    for (let edit = 1; edit <= 100; edit += 1) {
      await bots.update(botId, { name: `Bot ${edit}` }, context);
    }
    const name = botStream(context.accountId, botId);
    await untilTrue('the snapshot', async () => (await store.loadSnapshot(name))?.revision === 99);
    read = 0;
    await open().bots.update(botId, { name: 'Last' }, context);
    expect(read).to.be.below(15);
    const current = await open().repository.current(context.accountId, botId);
    expect(current).to.deep.include({ bot: { ...bot, name: 'Last' }, revision: 101 });
  });

  it('take all changes that come at the same time, from several instances', async () => {
    const botId = await open().bots.create(bot, context);
    const changes: Partial<BotDefinition>[] = [
      { name: 'Other' },
      { description: 'What it does' },
      { isActive: false },
      { triggerKeywords: ['hello'] },
    ];
    await Promise.all(changes.map((change) => open().bots.update(botId, change, context)));
    const current = await open().repository.current(context.accountId, botId);
    expect(current?.bot).to.deep.equal(Object.assign({}, bot, ...changes));
    expect(current?.revision).to.equal(4);
  });

  it('are created without a look at what cannot be there', async () => {
    reads = 0;
    await open().bots.create(bot, context);
    expect(reads).to.equal(0);
  });

  it('record nothing for a change to the same values', async () => {
    const { bots, repository } = open();
    const botId = await bots.create(bot, context);
    await bots.update(botId, { name: bot.name, nodes: [...bot.nodes] }, context);
    expect((await repository.current(context.accountId, botId))?.revision).to.equal(0);
  });

  it('are unknown to others, and once deleted to everybody', async () => {
    const { bots } = open();
    const botId = await bots.create(bot, context);
    const other = { ...context, accountId: 'acc_2' };
    expect(await codeOf(bots.update(botId, {}, other))).to.equal('bot.unknown');
    expect(await codeOf(bots.remove(botId, other))).to.equal('bot.unknown');
    await bots.remove(botId, context);
    expect(await codeOf(bots.update(botId, {}, context))).to.equal('bot.unknown');
    expect(await codeOf(bots.remove(botId, context))).to.equal('bot.unknown');
    expect(await codeOf(bots.remove('bot_none', context))).to.equal('bot.unknown');
  });

  /** Bots of an account that has so many, whose changes always come too late. */
  const contended = (count = 0, numbers: readonly string[] = []) => {
    const looks: string[] = [];
    const bots = createBots({
      ids: systemIds,
      writer: { execute: async () => ({ facts: [] }) } as never,
      lookups: {
        numbers: async () => numbers.map((phoneNumberId) => ({ phoneNumberId })) as never,
        bots: async () => Array(count).fill(bot),
      },
      repository: {
        async current(botId: string) {
          looks.push(botId);
          return { accountId: 'acc_1', bot, revision: looks.length };
        },
      } as never,
    });
    return { bots, looks };
  };

  it('are unavailable where others change them eight times in a row', async () => {
    const { bots, looks } = contended();
    const late = bots.update('bot_1', { name: 'Other' }, context);
    expect(await codeOf(late)).to.equal('StoreUnavailable');
    expect(looks).to.have.length(8);
  });

  it('are 200 of an account at most', async () => {
    expect(await contended(199).bots.create(bot, context)).to.match(/^bot_/);
    expect(await codeOf(contended(200).bots.create(bot, context))).to.equal('resource.conflict');
  });

  it('hold a graph of 256 KB and not one byte more', async () => {
    const empty = Buffer.byteLength(JSON.stringify([[{ note: '' }], []]));
    const sized = (bytes: number) => ({ nodes: [{ note: 'x'.repeat(bytes - empty) }], edges: [] });
    const { bots } = contended();
    expect(await bots.create({ ...bot, ...sized(262_144) }, context)).to.match(/^bot_/);
    const tooLarge = sized(262_145);
    expect(await codeOf(bots.create({ ...bot, ...tooLarge }, context))).to.equal('request.invalid');
    expect(await codeOf(bots.update('bot_1', tooLarge, context))).to.equal('request.invalid');
  });

  it('belong to a number of their own account', async () => {
    const { bots } = contended();
    const elsewhere = { ...bot, phoneNumberId: '10' };
    expect(await contended(0, ['9', '10']).bots.create(elsewhere, context)).to.match(/^bot_/);
    expect(await codeOf(bots.create(elsewhere, context))).to.equal('number.unknown');
    const moved = bots.update('bot_1', { phoneNumberId: '10' }, context);
    expect(await codeOf(moved)).to.equal('number.unknown');
  });
});
