import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Recorded } from '../../src/events/store.ts';
import { TemplateRemoved, TemplateSubmitted } from '../../src/events/template.ts';
import { accounts } from '../../src/projections/accounts.ts';
import type { Projection } from '../../src/projections/define.ts';
import { applyBatch } from '../../src/projections/engine/apply.ts';
import {
  type CollectionWriter,
  createCollectionWriter,
  moversOf,
} from '../../src/projections/engine/collection-writer.ts';
import { prepareCollection } from '../../src/projections/engine/collections.ts';
import { ledger } from '../../src/projections/ledger.ts';
import { messages } from '../../src/projections/messages.ts';
import { reservations } from '../../src/projections/reservations.ts';
import { openSqliteViews } from '../../src/projections/sqlite/views.ts';
import { templates } from '../../src/projections/templates.ts';
import type { Halt, Views } from '../../src/projections/views.ts';
import { temporaryFolder } from '../support/folder.ts';
import { bytesOf, foldAll } from '../support/projections.ts';
import {
  granted,
  opened,
  recorded,
  refunded,
  reserved,
  sent,
  status,
  type Written,
  written,
} from '../support/projections-facts.ts';
import { runs } from '../support/runs.ts';
import { freePrice, NOW } from '../support/samples.ts';

const followed: readonly Projection[] = [accounts, ledger, reservations, messages, templates];
const accountId = fc.constantFrom('acc_1', 'acc_2');
const revision = fc.integer({ min: 1, max: 6 });
const at = fc.integer({ min: 0, max: 90 }).map((seconds) => NOW + seconds * 1_000);
const messageId = fc.constantFrom('m1', 'm2', 'm3');
const word = fc.constantFrom('sent', 'failed', 'delivered', 'read', 'warning');

const identity = { wabaId: '2001', name: 'order_shipped', language: 'en_US' };
const template = TemplateSubmitted.of({
  ...identity,
  metaTemplateId: '1',
  category: 'UTILITY',
  status: 'PENDING',
  components: [],
  accountId: 'acc_1',
});

/** Anything that could happen, in any order, sense or none. */
const fact: fc.Arbitrary<Written> = fc.oneof(
  fc.tuple(accountId, revision).map(([id, number]) => granted(id, { revision: number })),
  fc
    .tuple(accountId, revision, at, fc.boolean())
    .map(([id, number, time, free]) =>
      reserved(id, { revision: number, ...(free && { amount: 0, price: freePrice }) }, time),
    ),
  fc
    .tuple(accountId, revision, at)
    .map(([id, of, reservedAt]) =>
      refunded(id, { revision: of + 10, of, reservedAt }, NOW + 99_000),
    ),
  fc
    .tuple(messageId, accountId, revision, at)
    .map(([message, id, number, time]) => sent(message, id, { revision: number }, time)),
  fc
    .constantFrom(template, TemplateRemoved.of(identity))
    .map((one) => written('template-2001', one)),
  fc
    .tuple(messageId, word, at)
    .map(([message, said, time]) =>
      status(message, said, time, said === 'failed' ? { code: '1', message: 'no' } : null),
    ),
);

const sometimes = fc.nat(3).map((one) => one === 0);

/**
 * How a history reaches a projection: in pieces, some of them after a restart, some twice, and some
 * by a process that dies after it wrote the documents and before it wrote how far it had come.
 */
const pieces = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 7 }),
    restart: sometimes,
    dies: sometimes,
    again: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 1, maxLength: 10 },
);

describe('every projection @long', () => {
  const folder = temporaryFolder();
  let views: Views;
  let file: DatabaseSync;
  let generation = 0;

  before(async () => {
    views = await openSqliteViews({ directory: folder.path });
    file = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
  });
  after(async () => {
    file.close();
    await views.close();
    folder.remove();
  });

  const bytesIn = async (collection: string): Promise<Record<string, string>> => {
    const rows = file.prepare(`SELECT id FROM ${collection} ORDER BY id`).all();
    const kept = await views.getMany(
      collection,
      rows.map(({ id }) => id as string),
    );
    const sorted = kept.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    return Object.fromEntries(sorted.map(({ id, document }) => [id, JSON.stringify(document)]));
  };
  const onHalt = (_: CollectionWriter, { reason }: Halt) => {
    throw new Error(reason);
  };
  const apply = (to: Views, writers: readonly CollectionWriter[], events: readonly Recorded[]) =>
    applyBatch(
      { views: to, open: async (all) => all, onHalt, onUnreadable: () => {} },
      moversOf(writers, () => true),
      { events, to: events.at(-1)!.position },
    );
  const dying = (): Views => ({
    ...views,
    async commit(commits) {
      await views.commit(commits.map((one) => ({ ...one, to: one.from })));
      throw new Error('died');
    },
  });
  const begin = async (): Promise<string[]> => {
    generation += 1;
    const names = followed.map(({ name }) => `${name}_v1_${generation}`);
    for (const [index, name] of names.entries()) {
      await prepareCollection(views, followed[index]!, name);
    }
    return names;
  };
  const writersOf = (names: readonly string[]): Promise<CollectionWriter[]> =>
    Promise.all(
      names.map(async (name, index) =>
        createCollectionWriter(followed[index]!, name, [await views.checkpoint(name)]),
      ),
    );

  for (const [numRuns, tag] of runs(25, 100)) {
    it(`shows the same bytes however the log reached it, and whatever it saw twice${tag}`, async () => {
      const history = fc.array(fact, { minLength: 20, maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(history, pieces, async (facts, cuts) => {
          const events = recorded([opened('acc_1'), opened('acc_2'), ...facts]);
          const names = await begin();
          let writers = await writersOf(names);
          for (let start = 0, turn = 0; start < events.length; turn += 1) {
            const { size, restart, dies, again } = cuts[turn % cuts.length]!;
            if (dies) {
              const ahead = events.slice(start, start + size + again);
              expect(await apply(dying(), writers, ahead).catch(({ message }) => message)).to.equal(
                'died',
              );
            }
            if (restart || dies) writers = await writersOf(names);
            await apply(views, writers, events.slice(Math.max(0, start - again), start + size));
            start += size;
          }
          for (const [index, projection] of followed.entries()) {
            const expected = bytesOf(foldAll(projection, events));
            expect(await bytesIn(names[index]!), projection.name).to.deep.equal(expected);
            await views.drop(names[index]!);
          }
        }),
        { numRuns },
      );
    });
  }
});
