import type { FactOf } from '../../events/define.ts';
import {
  TemplateClaimed,
  type TemplateFact,
  TemplateNoticed,
  TemplateReleased,
} from '../../events/template.ts';
import { isoTime } from '../../shared/clock.ts';
import type { Decider } from '../core/decider.ts';
import {
  decideChange,
  earlyOf,
  type KnownTemplate,
  rowAfter,
  type TemplateChange,
  type TemplateIdentity,
} from './template-changes.ts';
import { isUnderWay } from './template-owner.ts';

export interface TemplateState extends KnownTemplate {
  /** Ids of the latest notices of the provider, oldest first. */
  noticeIds: readonly string[];
  /** The newest time in the provider's notices, by their subject. */
  noticedAt: Readonly<Partial<Record<TemplateNotice['about'], string>>>;
}

export type TemplateNotice = Omit<
  FactOf<typeof TemplateNoticed>['data'],
  'wabaId' | 'name' | 'language' | 'early'
>;

export type TemplateCommand = { identity: TemplateIdentity } & (
  | TemplateChange
  /** Precedes a submission; without an event while the submission of another account runs. */
  | { type: 'Claim'; accountId: string; wasAbsent: boolean; now: number }
  | { type: 'Release'; accountId: string }
  /** Notices arrive twice and in any order; an older notice changes nothing. */
  | { type: 'Notice'; notice: TemplateNotice; change: TemplateChange | null }
);

/** Remembered ids of notices: far more than arrive while the provider may repeat one. */
const NOTICES_KEPT = 50;

export const templateIdOf = ({ wabaId, name, language }: TemplateIdentity): string =>
  `${wabaId}.${name}.${language}`;

/** One template of one business account in one language, as the provider has it. */
export const templateDecider: Decider<TemplateState, TemplateCommand, TemplateFact> = {
  category: 'template',
  initial: { row: null, owned: null, claim: null, noticeIds: [], noticedAt: {} },
  evolve(state, fact) {
    switch (fact.type) {
      case 'TemplateClaimed':
        return { ...state, claim: fact.data };
      case 'TemplateReleased':
        return { ...state, claim: null };
      case 'TemplateSubmitted':
      case 'TemplateAdopted': {
        const { metaTemplateId, accountId } = fact.data;
        const isOver = fact.type === 'TemplateAdopted' || accountId === state.claim?.accountId;
        const claim = isOver ? null : state.claim;
        const owned = { metaTemplateId, accountId };
        return { ...state, row: rowAfter(state.row, fact), owned, claim };
      }
      case 'TemplateNoticed':
        break;
      default:
        return { ...state, row: rowAfter(state.row, fact) };
    }
    const { noticeId, about, noticedAt, early } = fact.data;
    return {
      ...state,
      claim: state.claim && early ? { ...state.claim, early } : state.claim,
      noticeIds: [...state.noticeIds, noticeId].slice(-NOTICES_KEPT),
      noticedAt: noticedAt === null ? state.noticedAt : { ...state.noticedAt, [about]: noticedAt },
    };
  },
  decide(command, state) {
    const { identity } = command;
    switch (command.type) {
      case 'Claim': {
        const { accountId, wasAbsent, now } = command;
        const { claim } = state;
        if (claim && claim.accountId !== accountId && isUnderWay(claim, now)) return [];
        return [TemplateClaimed.of({ ...identity, accountId, claimedAt: isoTime(now), wasAbsent })];
      }
      case 'Release': {
        const { accountId } = command;
        return state.claim?.accountId === accountId
          ? [TemplateReleased.of({ ...identity, accountId })]
          : [];
      }
      case 'Notice':
        break;
      default:
        return decideChange(identity, command, state);
    }
    const { notice, change } = command;
    if (isOld(notice, state)) return [];
    const made = change ? decideChange(identity, change, state) : [];
    const early = change && earlyOf(change, state);
    return [TemplateNoticed.of({ ...identity, ...notice, ...(early && { early }) }), ...made];
  },
};

const isOld = ({ noticeId, about, noticedAt }: TemplateNotice, state: TemplateState): boolean =>
  state.noticeIds.includes(noticeId) ||
  (noticedAt !== null && noticedAt < (state.noticedAt[about] ?? ''));
