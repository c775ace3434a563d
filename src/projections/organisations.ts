import type { FourEyes } from '../events/approval.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

export interface OrganisationDocument {
  id: string;
  name: string;
  suspended: boolean;
  suspendedReason: string | null;
  /** What needs the yes of two people. */
  fourEyes: readonly FourEyes[];
  createdAt: string;
  order: Position;
}

const organisationId = (event: { data: { organisationId: string } }) => event.data.organisationId;

export const organisations = defineProjection<OrganisationDocument>({
  name: 'organisations',
  version: 3,
  indexes: [['-order']],
  on: {
    OrganisationCreated: {
      key: organisationId,
      fold: (_, { data, meta, position }) => ({
        id: data.organisationId,
        name: data.name,
        suspended: false,
        suspendedReason: null,
        fourEyes: [],
        createdAt: meta.at,
        order: position,
      }),
    },
    FourEyesSet: {
      key: organisationId,
      fold: (organisation, { data: { fourEyes } }) => organisation && { ...organisation, fourEyes },
    },
    OrganisationSuspended: {
      key: organisationId,
      fold: (organisation, { data }) =>
        organisation && { ...organisation, suspended: true, suspendedReason: data.reason },
    },
    OrganisationReinstated: {
      key: organisationId,
      fold: (organisation) =>
        organisation && { ...organisation, suspended: false, suspendedReason: null },
    },
  },
});
