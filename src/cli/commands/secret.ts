import { pause } from '../../shared/timing.ts';
import { type Api, route } from '../api/api.ts';
import { readPages } from '../api/paging.ts';
import { rowOf } from '../output/format.ts';
import { CliError, usageError } from '../program/failure.ts';
import type { Noun, Verb } from '../program/noun.ts';

const PAGE = 100;

/** Calls `renew-secrets` of everything in a list. Resolves to what was not under the newest key. */
const renewAll = async (
  api: Api,
  collection: '/accounts' | '/administrators',
  show: (done: number) => void,
): Promise<number> => {
  const field = collection.slice(1);
  let renewed = 0;
  let done = 0;
  for await (const { rows } of readPages(api, {
    from: collection,
    field,
    query: { limit: PAGE },
  })) {
    for (const { id } of rows) {
      const path = collection + route`/${String(id)}/renew-secrets`;
      renewed += Number(rowOf(await api.send('POST', path)).renewed);
      done += 1;
      show(done);
    }
  }
  return renewed;
};

const rotate: Verb = (noun, act) =>
  noun
    .command('rotate')
    .description('Make new keys for tokens and the hashes of API keys')
    .option(
      '--deep',
      'Required: WAYBILL_SECRET itself is changed by its settings (docs/running.md)',
    )
    .action(
      act(async ({ api, out, io }, { deep }: { deep?: boolean }) => {
        if (!deep) {
          throw usageError(
            'WAYBILL_SECRET is changed by its settings: set WAYBILL_SECRET_PREVIOUS to the present one, ' +
              'WAYBILL_SECRET to the new one, and restart the instances one by one. --deep then makes new keys',
          );
        }
        const { key, waitMs } = rowOf(await api.send('POST', '/secret/rotations'));
        out.progress.show(`Waiting until every instance has read the key ${key}`);
        const signal = io.interrupted();
        await pause(Number(waitMs), signal);
        out.progress.end();
        if (signal.aborted) throw new CliError('Nothing was renewed yet: run it again');
        const renewed =
          (await renewAll(api, '/administrators', (done) =>
            out.progress.show(`${done} administrators`),
          )) + (await renewAll(api, '/accounts', (done) => out.progress.show(`${done} accounts`)));
        out.progress.end();
        out.done({ key, renewed }, `${renewed} tokens and hashes are under the key ${key} now.`);
        out.note(
          'All API keys and tokens stay valid. Back up the data keys: they hold the new key.',
        );
      }),
    );

export const secret: Noun = {
  name: 'secret',
  group: 'Operation',
  summary: 'The keys that protect access tokens and API keys',
  verbs: [rotate],
  examples: ['secret rotate --deep'],
};
