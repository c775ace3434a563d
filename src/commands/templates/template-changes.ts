import {
  TemplateAdopted,
  type TemplateFact,
  TemplateRecategorised,
  TemplateRemoved,
  type TemplateStatus,
  TemplateStatusChanged,
  TemplateSubmitted,
} from '../../events/template.ts';
import { ownerOf, type TemplateOwner } from './template-owner.ts';

export interface TemplateIdentity {
  wabaId: string;
  name: string;
  language: string;
}

/** The mirror's row of one template. */
export interface TemplateRecord {
  metaTemplateId: string;
  category: string;
  status: TemplateStatus;
  statusReason: string | null;
}

/** What is known of a template beside what the provider has said when. */
export interface TemplateStanding {
  /** Null where the provider has none of that name. */
  row: TemplateRecord | null;
  /** Whose the template of this id is; kept when it is gone: the provider may show it again. */
  owned: TemplateOwner | null;
  /** The account that is about to submit it, or whose process died when it was. */
  claimedBy: string | null;
}

export type TemplateChange =
  | {
      type: 'NoteSubmission';
      /** Null for a template of the catalog. */
      accountId: string | null;
      metaTemplateId: string;
      category: string;
      status: TemplateStatus;
      components: unknown[];
    }
  /** What a live read of the provider shows. */
  | {
      type: 'NoteSeen';
      metaTemplateId: string;
      category: string;
      status: TemplateStatus;
      statusReason: string | null;
      components: unknown[];
    }
  | {
      type: 'NoteStatus';
      metaTemplateId: string;
      status: TemplateStatus;
      statusReason: string | null;
      category: string | null;
    }
  | { type: 'NoteCategory'; category: string }
  | { type: 'NoteRemoval' };

type RowFact = Exclude<
  TemplateFact,
  { type: 'TemplateNoticed' | 'TemplateClaimed' | 'TemplateReleased' }
>;

/** The mirror's row after a fact. */
export const rowAfter = (row: TemplateRecord | null, fact: RowFact): TemplateRecord | null => {
  switch (fact.type) {
    case 'TemplateSubmitted': {
      const { metaTemplateId, category, status } = fact.data;
      return { metaTemplateId, category, status, statusReason: null };
    }
    case 'TemplateAdopted': {
      const { metaTemplateId, category, status, statusReason } = fact.data;
      return { metaTemplateId, category, status, statusReason };
    }
    case 'TemplateStatusChanged': {
      const { metaTemplateId, status, statusReason } = fact.data;
      return row && { ...row, metaTemplateId, status, statusReason };
    }
    case 'TemplateRecategorised':
      return row && { ...row, category: fact.data.category };
    case 'TemplateRemoved':
      return null;
  }
};

/** What a change of the template at the provider comes to. */
export const decideChange = (
  identity: TemplateIdentity,
  change: TemplateChange,
  { row, owned, claimedBy }: TemplateStanding,
): TemplateFact[] => {
  switch (change.type) {
    case 'NoteSubmission': {
      const { metaTemplateId, category, status, components } = change;
      const accountId = ownerOf(owned, metaTemplateId, change.accountId);
      // What the provider shows after a submission may be another account's of the same name.
      if (accountId !== null && accountId !== change.accountId) return [];
      const submitted = { metaTemplateId, category, status, components, accountId };
      return [TemplateSubmitted.of({ ...identity, ...submitted })];
    }
    case 'NoteSeen': {
      const { metaTemplateId, category, status, statusReason, components } = change;
      // Another id under the same name is another template.
      if (row && (!owned || owned.metaTemplateId === metaTemplateId)) {
        return changes(identity, change, row);
      }
      const accountId = ownerOf(owned, metaTemplateId, claimedBy);
      const adopted = { metaTemplateId, category, status, statusReason, components, accountId };
      return [TemplateAdopted.of({ ...identity, ...adopted })];
    }
    case 'NoteStatus': {
      const { metaTemplateId, category, status, statusReason } = change;
      if (row) return changes(identity, { ...change, category: category ?? row.category }, row);
      // A word about a template we have never seen: without its category it cannot be priced,
      // so it waits for the next live read.
      if (category === null) return [];
      const accountId = ownerOf(owned, metaTemplateId, claimedBy);
      const adopted = { metaTemplateId, category, status, statusReason, components: [], accountId };
      return [TemplateAdopted.of({ ...identity, ...adopted })];
    }
    case 'NoteCategory':
      return row && row.category !== change.category
        ? [TemplateRecategorised.of({ ...identity, category: change.category })]
        : [];
    case 'NoteRemoval':
      return row ? [TemplateRemoved.of(identity)] : [];
  }
};

const changes = (
  identity: TemplateIdentity,
  seen: TemplateRecord,
  row: TemplateRecord,
): TemplateFact[] => {
  const { metaTemplateId, status, statusReason, category } = seen;
  const facts: TemplateFact[] = [];
  const same =
    status === row.status &&
    statusReason === row.statusReason &&
    metaTemplateId === row.metaTemplateId;
  if (!same) {
    facts.push(TemplateStatusChanged.of({ ...identity, metaTemplateId, status, statusReason }));
  }
  if (category !== row.category) {
    facts.push(TemplateRecategorised.of({ ...identity, category }));
  }
  return facts;
};
