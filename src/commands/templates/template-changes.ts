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

/** The known state of a template, without the provider's notices. */
export interface KnownTemplate {
  /** Null when the provider has no template of that name. */
  row: TemplateRecord | null;
  /** The owner of this id; kept after a removal, because the provider may show the id again. */
  owned: TemplateOwner | null;
  claim: TemplateClaim | null;
}

export type TemplateChange =
  | {
      type: 'NoteSubmission';
      /** Null for a template of the catalog. */
      accountId: string | null;
      /** False when it was read after an answer without its id, or after an edit. */
      isNew: boolean;
      metaTemplateId: string;
      category: string;
      status: TemplateStatus;
      components: unknown[];
    }
  /** From a live read of the provider. */
  | {
      type: 'NoteSeen';
      /** Time of the read, in ms. */
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

/** The events of a change at the provider. */
export const decideChange = (
  identity: TemplateIdentity,
  change: TemplateChange,
  known: KnownTemplate,
): TemplateFact[] => {
  const { row, owned } = known;
  switch (change.type) {
    case 'NoteSubmission': {
      const { metaTemplateId, category, status, components } = change;
      if (!mayBeOf(change, known)) return [];
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
      return adopt({ ...identity, ...adopted }, change.now, known);
    }
    case 'NoteStatus': {
      const { metaTemplateId, category, status, statusReason } = change;
      if (row) return changes(identity, { ...change, category: category ?? row.category }, row);
      // An unknown template without a category cannot be priced: the next live read adopts it.
      if (category === null) return [];
      const adopted = { metaTemplateId, category, status, statusReason, components: [] };
      return adopt({ ...identity, ...adopted }, change.now, known);
    }
    case 'NoteCategory':
      return row && row.category !== change.category
        ? [TemplateRecategorised.of({ ...identity, category: change.category })]
        : [];
    case 'NoteRemoval':
      return row ? [TemplateRemoved.of(identity)] : [];
  }
};

/** Whether the template that the provider shows after a submission can be from it. */
const mayBeOf = (
  { accountId, metaTemplateId, isNew }: Extract<TemplateChange, { type: 'NoteSubmission' }>,
  { owned, claim }: KnownTemplate,
): boolean => {
  const isKnown = owned?.metaTemplateId === metaTemplateId;
  if (isKnown && owned.accountId === accountId) return true;
  // A concurrent read may have stored the new template as shared.
  if (isNew) return !isKnown || owned.accountId === null;
  if (isKnown) return false;
  return accountId === null ? claim === null : claim?.accountId === accountId && claim.wasAbsent;
};

/** Adopts a template that the provider shows first, unless it may be from a running submission. */
const adopt = (
  seen: Omit<Parameters<typeof TemplateAdopted.of>[0], 'accountId'>,
  now: number,
  { owned, claim }: KnownTemplate,
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
