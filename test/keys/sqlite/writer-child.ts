import { once } from 'node:events';
import { KeysUnavailable } from '../../../src/keys/key-store.ts';
import { openSqliteKeys } from '../../../src/keys/sqlite/keys.ts';
import { freshSubject, wrapFor } from '../../contract/key-store.ts';

// A process of its own for the tests that kill it or break its disk. It is given the directory and
// what to do, and tells line by line what is durable.

const [directory = '', task = ''] = process.argv.slice(2);
const MONTH = '2026-11';
const tell = (what: object): void => {
  process.stdout.write(`${JSON.stringify(what)}\n`);
};
const told = () => once(process.stdin, 'data');

const fatals: Error[] = [];
const store = await openSqliteKeys({ directory, onFatal: (error) => fatals.push(error) });
const make = async (id: string) => {
  const [made] = await store.ensure([freshSubject('account', id)], MONTH, wrapFor(MONTH));
  const { key } = made!;
  return { ref: key.ref, wrapped: Buffer.from(key.wrapped).toString('hex') };
};

/** Each of eight writers makes subjects, and destroys every second one. */
const writeForEver = () =>
  Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; ; round += 1) {
        const key = await make(`${process.pid}.${writer}.${round}`);
        if (round % 2 === 0) tell({ made: key });
        else {
          tell({ destroying: key });
          await store.destroySubjects([key.ref]);
          tell({ destroyed: key });
        }
      }
    }),
  );

const unavailableOf = (work: Promise<unknown>) =>
  work.then(
    () => false,
    (error: unknown) => error instanceof KeysUnavailable,
  );

if (task === 'write') await writeForEver();
if (task === 'sync') {
  tell({ first: await make('1') });
  await told();
  tell({ failed: await unavailableOf(make('2')) });
  await told();
  const later = await unavailableOf(make('3'));
  tell({
    later,
    fatals: fatals.length,
    ok: (await store.health()).ok,
    read: await store.applied(),
  });
  await store.close();
}
if (task === 'fill') {
  const refusedAgain = async (id: string) => {
    const isRefused = await unavailableOf(make(id));
    return { isRefused, ok: (await store.health()).ok };
  };
  let made = 0;
  while (!(await unavailableOf(make(`f${made}`)))) made += 1;
  // Whatever is written now and then, health must be bad as long as new keys are refused.
  for (let time = 0; time < 20; time += 1) {
    await store.health();
    const { isRefused, ok } = await refusedAgain(`r${time}`);
    tell({ contradicts: isRefused && ok });
  }
  await told();
  tell({ ok: (await store.health()).ok, later: await refusedAgain('later') });
  await store.close();
}
process.stdin.destroy();
