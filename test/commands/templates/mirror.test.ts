import { expect } from 'chai';
import { createMirror } from '../../../src/commands/templates/mirror.ts';
import type { TemplateCommand } from '../../../src/commands/templates/template.ts';
import type { ProviderTemplate } from '../../../src/provider/provider.ts';
import { fixedClock } from '../../support/ambient.ts';
import { sender } from '../../support/provider.ts';

const from = sender();
const context = { requestId: 'r' };
const seen = (name: string, language = 'en_US'): ProviderTemplate => ({
  metaTemplateId: `id of ${name}`,
  name,
  language,
  category: 'UTILITY',
  status: 'APPROVED',
  statusReason: null,
  components: [{ type: 'BODY' }],
});

/** The row of a template as its stream holds it. */
const rowOf = (name: string) => {
  const { metaTemplateId, category, status, statusReason } = seen(name);
  return { metaTemplateId, category, status, statusReason, changingTo: null };
};

/** A mirror that knows these templates, of a provider that shows others. */
const open = (knownNames: readonly string[], shown: readonly ProviderTemplate[]) => {
  const clock = fixedClock();
  const reads: (string | undefined)[] = [];
  const commands: [id: string, command: TemplateCommand][] = [];
  const unreadable: string[] = [];
  const options: unknown[] = [];
  let gate: Promise<void> = Promise.resolve();
  let stored: ReturnType<typeof rowOf> | null = null;
  const known = knownNames.map((name) => ({ ...seen(name), wabaId: from.wabaId }));
  const mirror = createMirror({
    clock,
    provider: {
      async listTemplates(_: unknown, name?: string) {
        reads.push(name);
        await gate;
        return shown.filter((one) => name === undefined || one.name === name);
      },
    } as never,
    lookups: {
      templates: async (wabaId, name, how) => {
        options.push([wabaId, how]);
        return known.filter((one) => one.name === name) as never;
      },
      allTemplates: async () => [...known] as never,
    },
    writer: {
      async execute(_: unknown, id: string, command: TemplateCommand) {
        commands.push([id, command]);
        return { state: { row: stored, owned: null, claim: { accountId: 'acc_1' } } };
      },
    } as never,
    onUnreadable: (error) => unreadable.push((error as Error).message),
  });
  const hold = (until: Promise<void>) => {
    gate = until;
  };
  const store = (row: ReturnType<typeof rowOf>) => {
    stored = row;
  };
  const read = (name = 'a') => mirror.readName(from, name, context);
  return { mirror, clock, reads, commands, unreadable, options, hold, store, read, known };
};

describe('The template mirror', () => {
  it('stores the templates that the provider shows, and drops the others', async () => {
    const { mirror, clock, commands } = open(['a', 'gone'], [seen('a'), seen('a', 'de')]);
    const found = await mirror.refresh(from, context);
    const shown = [seen('a'), seen('a', 'de')];
    expect(found).to.deep.equal(shown.map((one) => ({ ...one, accountId: 'acc_1' })));
    const { name, language, ...row } = seen('a', 'de');
    const { wabaId } = from;
    const ids = ['a.en_US', 'a.de', 'gone.en_US'].map((id) => `${wabaId}.${id}`);
    expect(commands.map(([id]) => id)).to.deep.equal(ids);
    const [known, fresh, removed] = commands.map(([, command]) => command);
    expect(known).to.deep.include({ type: 'NoteSeen', basis: rowOf('a') });
    expect(fresh).to.deep.equal({
      type: 'NoteSeen',
      identity: { wabaId, name, language },
      now: clock.now(),
      ...row,
      basis: null,
    });
    const identity = { wabaId, name: 'gone', language: 'en_US' };
    const basis = rowOf('gone');
    const { metaTemplateId } = basis;
    expect(removed).to.deep.equal({ type: 'NoteRemoval', identity, metaTemplateId, basis });
  });

  it('keeps a template that is recorded while the provider is read', async () => {
    for (const read of ['refresh', 'readName'] as const) {
      const { mirror, commands, known, hold } = open(['a'], [seen('a')]);
      const held = Promise.withResolvers<void>();
      hold(held.promise);
      const reading =
        read === 'refresh' ? mirror.refresh(from, context) : mirror.readName(from, 'a', context);
      known.push({ ...seen('a', 'de'), wabaId: from.wabaId });
      held.resolve();
      await reading;
      expect(commands.map(([, { type }]) => type)).to.deep.equal(['NoteSeen']);
    }
  });

  it('tells the category that is stored, where that is newer than the read', async () => {
    const { mirror, store } = open(['a'], [seen('a')]);
    store({ ...rowOf('a'), category: 'MARKETING' });
    const [found] = await mirror.refresh(from, context);
    expect(found!.category).to.equal('MARKETING');
  });

  it('drops a template when only another language or another name is left', async () => {
    const { mirror, commands } = open(['a'], [seen('a', 'de'), seen('b')]);
    await mirror.refresh(from, context);
    expect(commands.at(-1)![1].type).to.equal('NoteRemoval');
  });

  it('reads a name once a minute', async () => {
    const { read, clock, reads } = open([], [seen('a')]);
    expect(await read()).to.have.length(1);
    clock.advance(59_999);
    expect(await read()).to.equal(undefined);
    expect(await read('b')).to.deep.equal([]);
    clock.advance(1);
    expect(await read()).to.have.length(1);
    expect(reads).to.deep.equal(['a', 'b', 'a']);
  });

  it('compares a name with all rows of the log, and drops no other name', async () => {
    const { read, commands, options } = open(['a', 'b'], []);
    expect(await read()).to.deep.equal([]);
    expect(options).to.deep.equal([[from.wabaId, { fresh: true }]]);
    expect(commands.map(([id]) => id)).to.deep.equal([`${from.wabaId}.a.en_US`]);
  });

  it('shares a running read, even after more than a minute', async () => {
    const { read, clock, reads, hold } = open([], [seen('a')]);
    const held = Promise.withResolvers<void>();
    hold(held.promise);
    const first = read();
    clock.advance(61_000);
    const second = read();
    held.resolve();
    expect([await first, await second].map((one) => one?.length)).to.deep.equal([1, 1]);
    expect(reads).to.deep.equal(['a']);
    await read();
    expect(reads).to.deep.equal(['a', 'a']);
  });

  it('returns undefined and reports the error when the provider cannot be read', async () => {
    const { read, unreadable, hold } = open([], [seen('a')]);
    hold(Promise.reject(new Error('away')));
    expect(await read()).to.equal(undefined);
    expect(unreadable).to.deep.equal(['away']);
  });

  it('remembers the reads of 10,000 names', async () => {
    const { read, reads } = open([], []);
    for (let name = 0; name < 10_000; name += 1) await read(`n${name}`);
    expect(await read('n1')).to.equal(undefined);
    expect(await read('n0')).to.equal(undefined);
    await read('another');
    await read('n0');
    await read('n2');
    expect(reads.slice(10_000)).to.deep.equal(['another', 'n2']);
  });
});
