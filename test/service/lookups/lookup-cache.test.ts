import { expect } from 'chai';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventReader, StoreUnavailable, UNREADABLE } from '../../../src/events/store.ts';
import type { Reader, Shown } from '../../../src/projections/engine/reader.ts';
import { numbers } from '../../../src/projections/numbers.ts';
import { organisations } from '../../../src/projections/organisations.ts';
import { cachedLookups } from '../../../src/service/lookups/cached-lookups.ts';
import { createLookupCache, defineLookup } from '../../../src/service/lookups/lookup-cache.ts';

const suspended = (organisationId: string) =>
  ({ type: 'OrganisationSuspended', data: { organisationId } }) as KnownEvent;

describe('The cache of look-ups', () => {
  let loads: PromiseWithResolvers<string | undefined>[];
  let isLogAway: boolean;
  let shown: Shown;
  const lookup = defineLookup({
    name: 'organisation',
    projection: organisations,
    load(_, _id: string) {
      const load = Promise.withResolvers<string | undefined>();
      loads.push(load);
      return load.promise;
    },
    on: { OrganisationSuspended: ({ data }) => data.organisationId },
  });
  const open = () => {
    const head = async () => {
      if (isLogAway) throw new StoreUnavailable('away');
      return '1';
    };
    const store = { head } as unknown as EventReader;
    const reader = { reached: async () => shown } as unknown as Reader;
    const cache = createLookupCache({ store, reader }, [lookup]);
    cache.setFollowing(true);
    /** Asks, and answers the load number `count`, counted from 1. */
    const ask = async (count: number, value?: string) => {
      const asked = cache.through(lookup)('o');
      await new Promise(setImmediate);
      expect(loads).to.have.length(count);
      loads[count - 1]!.resolve(value);
      return asked;
    };
    return { cache, ask };
  };
  beforeEach(() => {
    loads = [];
    isLogAway = false;
    shown = 'all';
  });

  it('keeps an answer until an event changes it', async () => {
    const { cache, ask } = open();
    await ask(1, 'first');
    cache.note(suspended('another'));
    expect(await ask(1)).to.equal('first');
    cache.note(suspended('o'));
    expect(await ask(2, 'second')).to.equal('second');
  });

  it('row 64: tells whether it keeps answers, until it has to forget them', async () => {
    const { cache, ask } = open();
    expect(cache.keeps(organisations)).to.equal(false);
    await ask(1, 'first');
    expect(cache.keeps(organisations)).to.equal(true);
    cache.setFollowing(false);
    expect(cache.keeps(organisations)).to.equal(false);
    await ask(2, 'second');
    expect(cache.keeps(organisations), 'not followed').to.equal(false);
  });

  it('has another version once an answer may be another, and none while it keeps none', async () => {
    const { cache, ask } = open();
    await ask(1, 'first');
    const version = cache.version();
    await ask(1);
    cache.note({ ...suspended('o'), type: 'ApiKeyUsed' } as unknown as KnownEvent);
    expect(cache.version()).to.equal(version);
    cache.note(suspended('another'));
    const second = cache.version();
    expect(second).to.be.greaterThan(version!);
    isLogAway = true;
    cache.note(suspended('o'));
    const third = cache.version();
    await ask(2, 'not the newest, maybe');
    expect(cache.version(), 'an answer that is not kept').to.be.greaterThan(third!);
    cache.setFollowing(false);
    expect(cache.version()).to.equal(undefined);
  });

  it('row 80: uses an answer of a halted or an older read model, and does not keep it', async () => {
    const { cache, ask } = open();
    for (const one of ['halted', 'older'] as const) {
      shown = one;
      const count = loads.length;
      expect(await ask(count + 1, 'as of then')).to.equal('as of then');
      const missing = await ask(count + 2).catch((error) => error);
      expect(missing)
        .to.be.instanceOf(StoreUnavailable)
        .and.match(/newest events are not known/);
    }
    expect(cache.keeps(organisations)).to.equal(false);
    shown = 'all';
    await ask(loads.length + 1, 'now');
    expect(await ask(loads.length)).to.equal('now');
  });

  it('row 80: takes what is granted from the log itself, where the read model does not show all', async () => {
    const created = {
      type: 'ApiKeyCreated',
      data: { keyId: 'k', prefix: 'wb_1' },
      meta: { at: 'then' },
    };
    const revoked = { type: 'ApiKeyStateChanged', data: { keyId: 'k', state: 'revoked' } };
    const streams: Record<string, unknown[]> = { 'apikey-k': [created, revoked] };
    const store = {
      head: async () => '9',
      read: async (stream: string) => streams[stream] ?? [],
    } as unknown as EventReader;
    const reader = {
      reached: async () => shown,
      get: async () => ({ keyId: 'k', state: 'active' }),
    } as unknown as Reader;
    const cache = createLookupCache({ store, reader }, [cachedLookups.key]);
    cache.setFollowing(true);
    const key = cache.through(cachedLookups.key);
    for (const one of ['halted', 'older'] as const) {
      shown = one;
      expect(await key('k', { fresh: true })).to.include({ keyId: 'k', state: 'revoked' });
      expect(await key('another')).to.equal(undefined);
    }
    shown = 'all';
    expect(await key('k'), 'kept').to.include({ state: 'revoked' });
  });

  it('loads once for concurrent callers', async () => {
    const { cache, ask } = open();
    const early = cache.through(lookup)('o');
    expect(await ask(1, 'first')).to.equal('first');
    expect(await early).to.equal('first');
  });

  it('does not keep an answer that an event changed while it was loaded', async () => {
    const { cache, ask } = open();
    const early = cache.through(lookup)('o');
    await new Promise(setImmediate);
    cache.note(suspended('o'));
    loads[0]!.resolve('old');
    expect(await early).to.equal('old');
    expect(await ask(2, 'new')).to.equal('new');
  });

  it('drops everything when a newer program wrote an event that may change an answer', async () => {
    const { cache, ask } = open();
    await ask(1, 'first');
    const newer = (type: string, version: number) =>
      cache.note({ type: UNREADABLE, version, data: { type } } as unknown as KnownEvent);
    newer('MessageSent', 99);
    newer('OrganisationSuspended', 1);
    expect(await ask(1)).to.equal('first');
    newer('OrganisationSuspended', 99);
    expect(await ask(2, 'second')).to.equal('second');
  });

  it('drops everything when the log is followed no longer, and keeps nothing until it is', async () => {
    const { cache, ask } = open();
    await ask(1, 'first');
    cache.setFollowing(false);
    await ask(2, 'second');
    await ask(3, 'third');
    cache.setFollowing(true);
    await ask(4, 'fourth');
    expect(await ask(4)).to.equal('fourth');
  });

  it('keeps no undefined answer, and drops an answer for a fresh one', async () => {
    const { cache, ask } = open();
    await ask(1);
    await ask(2, 'there');
    const fresh = cache.through(lookup)('o', { fresh: true });
    await new Promise(setImmediate);
    loads[2]!.resolve('newest');
    expect(await fresh).to.equal('newest');
  });

  it('keeps nothing while the log is away, and rejects where nothing is found', async () => {
    const { ask } = open();
    isLogAway = true;
    expect(await ask(1, 'old')).to.equal('old');
    const error = await ask(2).catch((thrown: Error) => thrown);
    expect(error).to.be.instanceOf(StoreUnavailable);
  });

  it('drops a number with each event that changes it', () => {
    for (const { on } of [cachedLookups.number, cachedLookups.numbers]) {
      expect(on).to.include.keys(Object.keys(numbers.on));
    }
  });
});
