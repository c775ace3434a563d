import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { decode, keysFor, openEvent, versionOf } from '../../../src/events/index.ts';
import { type Recorded, START, UNREADABLE } from '../../../src/events/store.ts';
import { projections } from '../../../src/projections/all.ts';
import type { Handler, Projection } from '../../../src/projections/define.ts';
import { foldEvents } from '../../../src/projections/engine/apply.ts';
import {
  createCollectionWriter,
  moversOf,
} from '../../../src/projections/engine/collection-writer.ts';
import { type Open, openWanted, readsSealed } from '../../../src/projections/engine/open-events.ts';
import { inSuite } from '../../support/in-suite.ts';
import { openBench } from '../../support/projections-engine.ts';

const folder = new URL('../../fixtures/events/', import.meta.url);

/** The newest specimen of each type, as a log without keys reads it. */
const sealed = (): Recorded[] =>
  readdirSync(folder).flatMap((name, index) => {
    const specimen = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    try {
      if (specimen.version !== versionOf(specimen.type)) return [];
    } catch {
      return [];
    }
    const place = { revision: 0, position: String(index).padStart(16, '0') };
    const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'r-1', accountId: 'acc_1' };
    return decode({ id: '1', ...specimen, meta, ...place, stream: 'any-1' });
  });

const openedWith = (event: Recorded): Recorded => {
  const names = keysFor(event);
  const keys = names.map(() => new Uint8Array(32).fill(7));
  return openEvent(event, names, keys);
};

const handlersOf = ({ on }: Projection, { type }: Recorded) =>
  Object.entries(on).flatMap(([name, one]) =>
    name === type ? [one as unknown as Handler<object, Recorded>] : [],
  );

/** Counts its events, of one document. */
const counting = (name: string, type: string, isPersonal: boolean): Projection =>
  ({
    name,
    version: 1,
    indexes: [],
    ...(isPersonal && { erase: { by: 'contactRef', document: (one: object) => one } }),
    on: {
      [type]: { key: () => 'all', fold: (_: unknown, event: Recorded) => ({ of: event.data }) },
    },
  }) as Projection;

describe('what the folds read of sealed events', () => {
  const all = sealed();
  const charge = all.find(({ type }) => type === 'ChargeReserved')!;
  const complete = (event: Recorded, beside: Recorded): Recorded =>
    event.type === 'MessageSent' ? { ...event, charge: beside } : event;

  it('is in clear wherever documents hold nothing that an erasure empties', () => {
    let folds = 0;
    for (const event of all.filter((one) => openedWith(one).data !== one.data)) {
      const closed = complete(event, charge);
      const open = complete(openedWith(event), openedWith(charge));
      for (const projection of projections) {
        for (const { key, fold } of handlersOf(projection, event)) {
          const what = `${projection.name} of ${event.type}`;
          expect(key(closed), what).to.deep.equal(key(open));
          if (readsSealed(projection, event)) continue;
          const [id = ''] = [key(closed)].flat();
          const folded = (one: Recorded) => fold(undefined, one, id, () => undefined);
          expect(folded(closed), what).to.deep.equal(folded(open));
          folds += 1;
        }
      }
    }
    expect(folds).to.be.at.least(5);
  });

  it('is opened where a fold wants it, with its charge, and keys are forgotten on the way', async () => {
    const of = (wanted: string) => all.find(({ type }) => type === wanted)!;
    const [sent, status, erased] = [of('MessageSent'), of('StatusUpdated'), of('ContactErased')];
    const asked: string[] = [];
    const open: Open = async (events) => {
      asked.push(...events.map(({ type }) => type));
      return events.map(openedWith);
    };
    const message = complete(sent, charge);
    const found = await openWanted(open, [status, erased, message], new Set([message]));
    expect(asked).to.deep.equal(['ContactErased', 'ChargeReserved', 'MessageSent']);
    expect(found.get(message)).to.deep.equal(complete(openedWith(sent), openedWith(charge)));
  });

  describe('that cannot be opened', () => {
    const bench = inSuite(openBench);

    it('halts these folds, and no others', async () => {
      const status = all.find(({ type }) => type === 'StatusUpdated')!;
      const damaged = { type: status.type, reason: 'its sealed part was changed', raw: {} };
      const open: Open = async (events) =>
        events.map((event) => ({ ...event, type: UNREADABLE, data: damaged }));
      const writers = [true, false].map((isPersonal) => {
        const projection = counting(isPersonal ? 'one' : 'other', status.type, isPersonal);
        return createCollectionWriter(projection, `${projection.name}_v1_1`, [START]);
      });
      for (const { collection } of writers) await bench.views.prepare(collection, []);
      const { views } = bench;
      const [one, other] = await foldEvents(
        { views, open },
        moversOf(writers, () => true),
        [status],
        status.position,
      );
      expect(one!.halt?.reason).to.contain('its sealed part was changed');
      expect(one!.commit.to).to.equal(START);
      expect(other!.halt).to.equal(null);
      expect(other!.commit.writes).to.have.length(1);
    });
  });
});
