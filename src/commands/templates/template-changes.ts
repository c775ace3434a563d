import {
  TemplateAdopted,
  type TemplateFact,
  TemplateRecategorised,
  TemplateRemoved,
  type TemplateStatus,
  TemplateStatusChanged,
  TemplateSubmitted,
} from '../../events/template.ts';
import {
  isUnderWay,
  ownerOfUnknown,
  type TemplateClaim,
  type TemplateOwner,
} from './template-owner.ts';

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
  claim: TemplateClaim | null;
}

export type TemplateChange =
  | {
      type: 'NoteSubmission';
      /** Null for a template of the catalog. */
      accountId: string | null;
      /** False where it was read after an answer that did not name it, or after an edit. */
      isNew: boolean;
      metaTemplateId: string;
      category: string;
      status: TemplateStatus;
      components: unknown[];
    }
  /** What a live read of the provider shows. */
  | {
      type: 'NoteSeen';
      /** When it was read, in ms. */
      now: number;
      metaTemplateId: string;
      category: string;
      status: TemplateStatus;
      statusReason: string | null;
      components: unknown[];
    }
  | {
      type: 'NoteStatus';
      now: number;
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
  standing: TemplateStanding,
): TemplateFact[] => {
  const { row, owned } = standing;
  switch (change.type) {
    case 'NoteSubmission': {
      const { metaTemplateId, category, status, components } = change;
      if (!mayBeOf(change, standing)) return [];
      const { accountId } = change;
      const submitted = { metaTemplateId, category, status, components, accountId };
      return [TemplateSubmitted.of({ ...identity, ...submitted })];
    }
    case 'NoteSeen': {
      const { metaTemplateId, category, status, statusReason, components } = change;
      // Another id under the same name is another template.
      if (row && (!owned || owned.metaTemplateId === metaTemplateId)) {
        return changes(identity, change, row);
      }
      const adopted = { metaTemplateId, category, status, statusReason, components };
      return adopt({ ...identity, ...adopted }, change.now, standing);
    }
    case 'NoteStatus': {
      const { metaTemplateId, category, status, statusReason } = change;
      if (row) return changes(identity, { ...change, category: category ?? row.category }, row);
      // A word about a template we have never seen: without its category it cannot be priced,
      // so it waits for the next live read.
      if (category === null) return [];
      const adopted = { metaTemplateId, category, status, statusReason, components: [] };
      return adopt({ ...identity, ...adopted }, change.now, standing);
    }
    case 'NoteCategory':
      return row && row.category !== change.category
        ? [TemplateRecategorised.of({ ...identity, category: change.category })]
        : [];
    case 'NoteRemoval':
      return row ? [TemplateRemoved.of(identity)] : [];
  }
};

/** Whether what the provider shows after a submission can have come of it. */
const mayBeOf = (
  { accountId, metaTemplateId, isNew }: Extract<TemplateChange, { type: 'NoteSubmission' }>,
  { owned, claim }: TemplateStanding,
): boolean => {
  const isKnown = owned?.metaTemplateId === metaTemplateId;
  if (isKnown && owned.accountId === accountId) return true;
  // The provider names what it has just made: whoever saw it before this did not know whose it is.
  if (isNew) return !isKnown || owned.accountId === null;
  if (isKnown) return false;
  return accountId === null ? claim === null : claim?.accountId === accountId && claim.wasAbsent;
};

/** A template seen for the first time: not decided while it may be what an account is submitting. */
const adopt = (
  seen: Omit<Parameters<typeof TemplateAdopted.of>[0], 'accountId'>,
  now: number,
  { owned, claim }: TemplateStanding,
): TemplateFact[] => {
  const isKnown = owned?.metaTemplateId === seen.metaTemplateId;
  if (!isKnown && isUnderWay(claim, now)) return [];
  const accountId = isKnown ? owned.accountId : ownerOfUnknown(claim, now);
  return [TemplateAdopted.of({ ...seen, accountId })];
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
