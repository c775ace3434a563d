import type { AdministratorFact } from '../events/directory.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Created = Extract<AdministratorFact, { type: 'AdministratorCreated' }>['data'];

export interface AdministratorDocument extends Created {
  state: 'active' | 'revoked';
  createdAt: string;
  order: Position;
}

const administratorId = (event: { data: { administratorId: string } }) =>
  event.data.administratorId;

export const administrators = defineProjection<AdministratorDocument>({
  name: 'administrators',
  version: 2,
  indexes: [['-order'], ['prefix']],
  on: {
    AdministratorCreated: {
      key: administratorId,
      fold: (_, { data, meta, position }) => ({
        ...data,
        state: 'active',
        createdAt: meta.at,
        order: position,
      }),
    },
    AdministratorRehashed: {
      key: administratorId,
      fold: (administrator, { data }) =>
        administrator && { ...administrator, secretHash: data.secretHash },
    },
    AdministratorRevoked: {
      key: administratorId,
      fold: (administrator) => administrator && { ...administrator, state: 'revoked' },
    },
  },
});
