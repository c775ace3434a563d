import type { FactOf } from '../events/define.ts';
import {
  TemplateAdopted,
  type TemplateFact,
  TemplateNoticed,
  TemplateRecategorised,
  TemplateRemoved,
  type TemplateStatus,
  TemplateStatusChanged,
  TemplateSubmitted,
} from '../events/template.ts';
import type { Decider } from './decider.ts';

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

export interface TemplateState {
  /** Null where the provider has none of that name. */
  row: TemplateRecord | null;
  /** Ids of the latest notices of the provider, oldest first. */
  noticeIds: readonly string[];
  /** The newest time of the provider's, by what its notices were about. */
  noticedAt: Readonly<Partial<Record<TemplateNotice['about'], string>>>;
}

export type TemplateNotice = Omit<
  FactOf<typeof TemplateNoticed>['data'],
  'wabaId' | 'name' | 'language'
>;

type Change =
  | {
      type: 'NoteSubmission';
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

export type TemplateCommand = { identity: TemplateIdentity } & (
  | Change
  /** The provider's notices come twice, and in any order: an older one changes nothing. */
  | { type: 'Notice'; notice: TemplateNotice; change: Change | null }
);

/** Ids of notices remembered; far more than come while the provider may repeat itself. */
const NOTICES_KEPT = 50;

export const templateIdOf = ({ wabaId, name, language }: TemplateIdentity): string =>
  `${wabaId}.${name}.${language}`;

/** One template of one business account in one language, as the provider has it. */
export const templateDecider: Decider<TemplateState, TemplateCommand, TemplateFact> = {
  category: 'template',
  initial: { row: null, noticeIds: [], noticedAt: {} },
  evolve(state, fact) {
    if (fact.type !== 'TemplateNoticed') return { ...state, row: rowAfter(state.row, fact) };
    const { noticeId, about, noticedAt } = fact.data;
    return {
      ...state,
      noticeIds: [...state.noticeIds, noticeId].slice(-NOTICES_KEPT),
      noticedAt: noticedAt === null ? state.noticedAt : { ...state.noticedAt, [about]: noticedAt },
    };
  },
  decide(command, state) {
    const { identity } = command;
    if (command.type !== 'Notice') return decideChange(identity, command, state.row);
    const { notice, change } = command;
    if (isOld(notice, state)) return [];
    const made = change ? decideChange(identity, change, state.row) : [];
    return [TemplateNoticed.of({ ...identity, ...notice }), ...made];
  },
};

const isOld = ({ noticeId, about, noticedAt }: TemplateNotice, state: TemplateState): boolean =>
  state.noticeIds.includes(noticeId) ||
  (noticedAt !== null && noticedAt < (state.noticedAt[about] ?? ''));

const rowAfter = (
  row: TemplateRecord | null,
  fact: Exclude<TemplateFact, { type: 'TemplateNoticed' }>,
): TemplateRecord | null => {
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

const decideChange = (
  identity: TemplateIdentity,
  change: Change,
  row: TemplateRecord | null,
): TemplateFact[] => {
  switch (change.type) {
    case 'NoteSubmission': {
      const { metaTemplateId, category, status, components } = change;
      return [TemplateSubmitted.of({ ...identity, metaTemplateId, category, status, components })];
    }
    case 'NoteSeen': {
      if (row) return changes(identity, change, row);
      const { metaTemplateId, category, status, statusReason, components } = change;
      const adopted = { metaTemplateId, category, status, statusReason, components };
      return [TemplateAdopted.of({ ...identity, ...adopted })];
    }
    case 'NoteStatus': {
      const { metaTemplateId, category, status, statusReason } = change;
      if (row) return changes(identity, { ...change, category: category ?? row.category }, row);
      // A word about a template we have never seen: without its category it cannot be priced,
      // so it waits for the next live read.
      if (category === null) return [];
      const adopted = { metaTemplateId, category, status, statusReason, components: [] };
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
