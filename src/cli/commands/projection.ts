import { type Row, rowOf } from '../output/format.ts';
import type { Noun } from '../program/noun.ts';
import { listVerb, postVerb } from './verbs.ts';

const lagOf = ({ lag }: Row): string | null =>
  typeof lag === 'number' ? `${(lag / 1000).toFixed(1)} s` : null;

const errorOf = ({ error }: Row): unknown =>
  typeof error === 'string' ? error : rowOf(error).message;

export const projection: Noun = {
  name: 'projection',
  group: 'Operation',
  summary: 'Read models: state and lag, rebuild',
  verbs: [
    listVerb({
      description: 'List read models with their state and lag',
      from: '/projections',
      field: 'projections',
      pages: false,
      columns: [
        { header: 'NAME', of: 'name' },
        { header: 'VERSION', of: 'version', align: 'right' },
        { header: 'STATE', of: 'state' },
        { header: 'LAG', of: lagOf, align: 'right' },
        { header: 'ERROR', of: errorOf, narrow: 'cut' },
        { header: 'POSITION', of: 'position', narrow: 'drop' },
      ],
    }),
    listVerb({
      name: 'partitions',
      description: 'List their partitions with workers and lag',
      from: '/projections',
      field: 'partitions',
      pages: false,
      columns: [
        { header: 'PARTITION', of: 'partition', align: 'right' },
        { header: 'LAG', of: lagOf, align: 'right' },
        { header: 'WORKER', of: 'worker' },
        { header: 'REACTORS', of: 'reactors' },
      ],
    }),
    postVerb('/projections', 'rebuild', 'Rebuild a read model; the old one serves meanwhile', {
      argument: '<name>',
      done: (name) => `${name} is being rebuilt; watch it with: waybill projection list`,
    }),
  ],
  examples: ['projection list', 'projection partitions', 'projection rebuild ledger'],
};
