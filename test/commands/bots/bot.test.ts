import { botDecider } from '../../../src/commands/bots/bot.ts';
import { BotChanged } from '../../../src/events/bot.ts';
import { botDefinition } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';

const given = spec(botDecider);
const of = { botId: 'bot_1', accountId: 'acc_1' };
const bot = botDefinition();
const other = { ...bot, name: 'Other' };
const created = BotChanged.of({ ...of, change: 'created', bot });
const givenCreated = given(created);
const deleted = BotChanged.of({ ...of, change: 'deleted', bot: null });
const create = { type: 'Create' as const, ...of, bot };
const replace = (basis: number) => ({ type: 'Replace' as const, ...of, basis, bot: other });
const remove = { type: 'Delete' as const, ...of };

describe('a bot', () => {
  it('is created once', () => {
    given().when(create).thenHappened(created);
    givenCreated.when(create).thenRefused('resource.conflict');
  });
  it('is replaced if it has not changed meanwhile', () => {
    const updated = BotChanged.of({ ...of, change: 'updated', bot: other });
    givenCreated.when(replace(0)).thenHappened(updated);
    given(created, updated).when(replace(1)).thenHappened(updated);
    given(created, updated).when(replace(0)).thenNothing();
    givenCreated.when(replace(1)).thenNothing();
  });
  it('is deleted, and unknown from then on', () => {
    givenCreated.when(remove).thenHappened(deleted);
    given(created, deleted).when(remove).thenRefused('bot.unknown');
    given(created, deleted).when(replace(1)).thenRefused('bot.unknown');
    given().when(remove).thenRefused('bot.unknown');
  });
  it('is unknown to another account', () => {
    givenCreated.when({ ...remove, accountId: 'acc_2' }).thenRefused('bot.unknown');
    givenCreated.when({ ...replace(0), accountId: 'acc_2' }).thenRefused('bot.unknown');
  });
});
