import {
  TemplateAdopted,
  type TemplateFact,
  TemplateQualityRated,
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

/** The mirror's row of one template; null where the provider has none of that name. */
export type TemplateState = {
  metaTemplateId: string;
  category: string;
  status: TemplateStatus;
  statusReason: string | null;
  /** Null until the provider has rated it. */
  quality: string | null;
} | null;

export type TemplateCommand = { identity: TemplateIdentity } & (
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
  | { type: 'NoteQuality'; quality: string }
  | { type: 'NoteRemoval' }
);

export const templateIdOf = ({ wabaId, name, language }: TemplateIdentity): string =>
  `${wabaId}.${name}.${language}`;

/** One template of one business account in one language, as the provider has it. */
export const templateDecider: Decider<TemplateState, TemplateCommand, TemplateFact> = {
  category: 'template',
  initial: null,
  evolve(state, fact) {
    switch (fact.type) {
      case 'TemplateSubmitted': {
        const { metaTemplateId, category, status } = fact.data;
        const quality = state?.quality ?? null;
        return { metaTemplateId, category, status, statusReason: null, quality };
      }
      case 'TemplateAdopted': {
        const { metaTemplateId, category, status, statusReason } = fact.data;
        return { metaTemplateId, category, status, statusReason, quality: null };
      }
      case 'TemplateStatusChanged': {
        const { metaTemplateId, status, statusReason } = fact.data;
        return state && { ...state, metaTemplateId, status, statusReason };
      }
      case 'TemplateRecategorised':
        return state && { ...state, category: fact.data.category };
      case 'TemplateQualityRated':
        return state && { ...state, quality: fact.data.quality };
      case 'TemplateRemoved':
        return null;
    }
  },
  decide(command, state) {
    const { identity } = command;
    switch (command.type) {
      case 'NoteSubmission': {
        const { metaTemplateId, category, status, components } = command;
        return [
          TemplateSubmitted.of({ ...identity, metaTemplateId, category, status, components }),
        ];
      }
      case 'NoteSeen': {
        if (state) return changes(command, state);
        const { metaTemplateId, category, status, statusReason, components } = command;
        const row = { metaTemplateId, category, status, statusReason, components };
        return [TemplateAdopted.of({ ...identity, ...row })];
      }
      case 'NoteStatus':
        if (state)
          return changes({ ...command, category: command.category ?? state.category }, state);
        // A word about a template we have never seen: without its category it cannot be priced,
        // so it waits for the next live read.
        return command.category === null
          ? []
          : [
              TemplateAdopted.of({
                ...identity,
                metaTemplateId: command.metaTemplateId,
                category: command.category,
                status: command.status,
                statusReason: command.statusReason,
                components: [],
              }),
            ];
      case 'NoteCategory':
        return state && state.category !== command.category
          ? [TemplateRecategorised.of({ ...identity, category: command.category })]
          : [];
      case 'NoteQuality':
        return state && state.quality !== command.quality
          ? [TemplateQualityRated.of({ ...identity, quality: command.quality })]
          : [];
      case 'NoteRemoval':
        return state ? [TemplateRemoved.of(identity)] : [];
    }
  },
};

const changes = (
  seen: {
    identity: TemplateIdentity;
    metaTemplateId: string;
    status: TemplateStatus;
    statusReason: string | null;
    category: string;
  },
  state: NonNullable<TemplateState>,
): TemplateFact[] => {
  const { identity, metaTemplateId, status, statusReason, category } = seen;
  const facts: TemplateFact[] = [];
  const same =
    status === state.status &&
    statusReason === state.statusReason &&
    metaTemplateId === state.metaTemplateId;
  if (!same) {
    facts.push(TemplateStatusChanged.of({ ...identity, metaTemplateId, status, statusReason }));
  }
  if (category !== state.category) {
    facts.push(TemplateRecategorised.of({ ...identity, category }));
  }
  return facts;
};
