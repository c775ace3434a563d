import { isDeepStrictEqual } from 'node:util';
import {
  type CategoryChange,
  type NoticedTemplate,
  TemplateAdopted,
  TemplateChangeAnnounced,
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

/** What the mirror knows of a template's category. */
interface Known {
  category: string;
  /** The announced change; null without one. */
  changingTo: CategoryChange | null;
}

/** A notice of the category in force (null where it does not say), with the announced change. */
const noteCategory = (
  identity: TemplateIdentity,
  { category, changingTo }: { category: string | null; changingTo: CategoryChange | null },
  row: Known,
): TemplateFact[] => {
  const isChanged = category !== null && category !== row.category;
  const known = isChanged ? null : row.changingTo;
  const next = changingTo?.category === (category ?? row.category) ? null : changingTo;
  const isSame = known?.category === next?.category && known?.at === next?.at;
  return [
    ...(isChanged ? [TemplateRecategorised.of({ ...identity, category })] : []),
    ...(isSame ? [] : [TemplateChangeAnnounced.of({ ...identity, changingTo: next })]),
  ];
};

/** The provider changes a category within this time after the one that it has announced. */
const CHANGES_WITHIN_MS = 24 * 60 * 60_000;

/** No notice says that a change was withdrawn: the provider shows the old category long after it. */
const endOverdue = (
  identity: TemplateIdentity,
  { category, now }: { category: string; now: number },
  row: Known,
): TemplateFact[] => {
  const at = row.changingTo?.at ?? null;
  const isOver = at !== null && now > Date.parse(at) + CHANGES_WITHIN_MS;
  return isOver && category === row.category
    ? [TemplateChangeAnnounced.of({ ...identity, changingTo: null })]
    : [];
};

/** A template as notices and reads of the provider tell of it. */
interface TemplateRecord {
  metaTemplateId: string;
  category: string;
  status: TemplateStatus;
  statusReason: string | null;
}

/** The mirror's row of one template. */
interface TemplateRow extends TemplateRecord {
  /** The change of category that the provider has announced; null without one. */
  changingTo: CategoryChange | null;
}

/** The known state of a template, without the provider's notices. */
export interface KnownTemplate {
  /** Null when the provider has no template of that name. */
  row: TemplateRow | null;
  /** The owner of this id; kept after a removal, because the provider may show the id again. */
  owned: TemplateOwner | null;
  claim: TemplateClaim | null;
}

interface OfRead {
  /** The row before the read of the provider: what was recorded during it is newer, and stays. */
  basis?: TemplateRow | null | undefined;
}

/** A template as the provider shows it. */
type ShownTemplate = TemplateRecord & { components: unknown[] };

export type TemplateChange =
  | ({
      type: 'NoteSubmission';
      /** Null for a template of the catalog. */
      accountId: string | null;
      /** False when it was read after an answer without its id, or after an edit. */
      isNew: boolean;
    } & Omit<ShownTemplate, 'statusReason'>)
  /** From a live read of the provider; `now` is its time in ms. */
  | ({ type: 'NoteSeen'; now: number } & ShownTemplate & OfRead)
  | ({ type: 'NoteStatus'; now: number; category: string | null } & Omit<
      TemplateRecord,
      'category'
    >)
  | {
      type: 'NoteCategory';
      metaTemplateId: string;
      /** The one in force; null where the notice does not say. */
      category: string | null;
      /** The announced change; null ends an earlier announcement. */
      changingTo: CategoryChange | null;
    }
  | ({ type: 'NoteRemoval'; metaTemplateId: string } & OfRead);

type RowFact = Exclude<
  TemplateFact,
  { type: 'TemplateNoticed' | 'TemplateClaimed' | 'TemplateReleased' }
>;

/** The mirror's row after a fact. */
export const rowAfter = (row: TemplateRow | null, fact: RowFact): TemplateRow | null => {
  switch (fact.type) {
    case 'TemplateSubmitted': {
      const { metaTemplateId, category, status } = fact.data;
      return { metaTemplateId, category, status, statusReason: null, changingTo: null };
    }
    case 'TemplateAdopted': {
      const { metaTemplateId, category, status, statusReason } = fact.data;
      return { metaTemplateId, category, status, statusReason, changingTo: null };
    }
    case 'TemplateStatusChanged': {
      const { metaTemplateId, status, statusReason } = fact.data;
      return row && { ...row, metaTemplateId, status, statusReason };
    }
    case 'TemplateRecategorised':
      return row && { ...row, category: fact.data.category, changingTo: null };
    case 'TemplateChangeAnnounced':
      return row && { ...row, changingTo: fact.data.changingTo };
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
  // Notices of a template that had the name before may come late.
  const isOther = row !== null && row.metaTemplateId !== change.metaTemplateId;
  const basis = 'basis' in change ? change.basis : undefined;
  if (basis !== undefined && !isDeepStrictEqual(basis, row)) return [];
  switch (change.type) {
    case 'NoteSubmission':
      return mayBeOf(change, known) ? submit(identity, change, known) : [];
    case 'NoteSeen':
      // Another id under the same name is another template.
      return row && (!owned || owned.metaTemplateId === change.metaTemplateId)
        ? [...changes(identity, change, row), ...endOverdue(identity, change, row)]
        : adopt({ ...identity, ...change }, change.now, known);
    case 'NoteStatus': {
      const category = change.category ?? row?.category;
      // An unknown template without a category cannot be priced: the next live read adopts it.
      if (category === undefined) return [];
      if (isOther) return [];
      if (row) return changes(identity, { ...change, category }, row);
      return adopt({ ...identity, ...change, category, components: [] }, change.now, known);
    }
    case 'NoteCategory':
      return row && !isOther ? noteCategory(identity, change, row) : [];
    case 'NoteRemoval':
      return row && !isOther ? [TemplateRemoved.of(identity)] : [];
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

/** A new template may be noticed before the answer to its submission is: that is the newer one. */
const submit = (
  identity: TemplateIdentity,
  change: Extract<TemplateChange, { type: 'NoteSubmission' }>,
  { row, claim }: KnownTemplate,
): TemplateFact[] => {
  const { metaTemplateId, category, isNew } = change;
  const submitted = TemplateSubmitted.of({ ...identity, ...change });
  const noticed = [row, claim?.early].find((one) => one?.metaTemplateId === metaTemplateId);
  if (!isNew || !noticed) return [submitted];
  const newer = { ...noticed, category: noticed.category ?? category };
  return [submitted, ...changes(identity, newer, { ...change, statusReason: null })];
};

/** What is kept of a notice until the answer of the running submission names its template. */
export const earlyOf = (
  change: TemplateChange,
  { row, claim }: KnownTemplate,
): NoticedTemplate | undefined => {
  if (change.type !== 'NoteStatus' || !isUnderWay(claim, change.now)) return undefined;
  const { metaTemplateId, category, status, statusReason } = change;
  if (row?.metaTemplateId === metaTemplateId) return undefined;
  return { metaTemplateId, category, status, statusReason };
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

/** The provider's code at the beginning of a reason, such as `SCAM: It asks for a password.` */
const CODE = /^[A-Z_]+(?:: |$)/;

/**
 * A notice explains more than a later read shows, which then repeats only how the reason begins. Of a
 * rejection without a code it shows nothing.
 */
const isSameReason = (seen: TemplateRecord, row: TemplateRecord): boolean =>
  seen.statusReason === row.statusReason ||
  (seen.statusReason === null && row.status === 'REJECTED' && !CODE.test(row.statusReason ?? '')) ||
  [': ', ' ('].some((next) => row.statusReason?.startsWith(`${seen.statusReason}${next}`));

const changes = (
  identity: TemplateIdentity,
  seen: TemplateRecord,
  row: TemplateRecord,
): TemplateFact[] => {
  const isSame =
    seen.status === row.status &&
    isSameReason(seen, row) &&
    seen.metaTemplateId === row.metaTemplateId;
  return [
    ...(isSame ? [] : [TemplateStatusChanged.of({ ...identity, ...seen })]),
    ...(seen.category === row.category ? [] : [TemplateRecategorised.of({ ...identity, ...seen })]),
  ];
};
