import { route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Noun, Verb } from '../program/noun.ts';

const lagOf = ({ lag }: Row): string | null =>
  typeof lag === 'number' ? `${(lag / 1000).toFixed(1)} s` : null;

const errorOf = ({ error }: Row): unknown =>
  typeof error === 'string' ? error : rowOf(error).message;

const list: Verb = (noun, act) =>
  withPages(noun.command('list').description('List read models and how far they are')).action(
    act(async ({ api, out }, options: PageOptions) => {
      const page = await readRows(api, { from: '/projections', field: 'projections' }, options);
      out.list(page, [
        { header: 'NAME', of: 'name' },
        { header: 'VERSION', of: 'version', align: 'right' },
        { header: 'STATE', of: 'state' },
        { header: 'LAG', of: lagOf, align: 'right' },
        { header: 'ERROR', of: errorOf, narrow: 'cut' },
        { header: 'POSITION', of: 'position', narrow: 'drop' },
      ]);
    }),
  );

const rebuild: Verb = (noun, act) =>
  noun
    .command('rebuild')
    .description('Fill a read model again from the log, while the old one serves')
    .argument('<name>')
    .action(
      act(async ({ api, out }, name: string) => {
        const answer = await api.send('POST', route`/projections/${name}/rebuild`);
        out.done(answer, `${name} is being rebuilt; watch it with: waybill projection list`);
      }),
    );

export const projection: Noun = {
  name: 'projection',
  group: 'Operation',
  summary: 'Read models: how far they are, rebuild',
  verbs: [list, rebuild],
  examples: ['projection list', 'projection rebuild ledger'],
};
