import type { FactOf } from '../../events/define.ts';
import type { TemplateClaimed } from '../../events/template.ts';

// Several accounts may have numbers of one business account, at which the provider keeps one set of
// templates. All of them share what the catalog's submission made, and those that nobody submitted here;
// what an account wrote and submitted is its own, also under a name of the catalog's, and for the others
// as if it did not exist.

export interface TemplateOwner {
  metaTemplateId: string;
  /** Null where it is nobody's: shared. */
  accountId: string | null;
}

/** The account that is about to submit a template, or whose submission nobody could tell the end of. */
export type TemplateClaim = Pick<
  FactOf<typeof TemplateClaimed>['data'],
  'accountId' | 'claimedAt' | 'wasAbsent'
>;

/** A submission lasts no longer: until then the provider's answer to it may still come. */
export const SUBMISSION_MS_MAX = 15 * 60_000;
/** What the provider shows later than this after a claim did not come of it. */
const CLAIM_MS_MAX = 24 * 60 * 60_000;

const ageOf = ({ claimedAt }: TemplateClaim, now: number): number =>
  claimedAt === null ? Number.POSITIVE_INFINITY : now - Date.parse(claimedAt);

/** Whether the submission that the claim stands for may still be under way. */
export const isUnderWay = (claim: TemplateClaim | null, now: number): boolean =>
  claim !== null && ageOf(claim, now) < SUBMISSION_MS_MAX;

/**
 * Whose a template is that the provider shows for the first time, when no submission is under way. A
 * list proves nothing by itself: it is the claimant's only where the name was free before the claim, and
 * nobody could tell what came of the submission.
 */
export const ownerOfUnknown = (claim: TemplateClaim | null, now: number): string | null =>
  claim?.wasAbsent && ageOf(claim, now) < CLAIM_MS_MAX ? claim.accountId : null;

/** Whose a template is as far as it is known: while its submission is under way, the claimant's. */
export const ownerOf = (
  { owned, claim }: { owned: TemplateOwner | null; claim: TemplateClaim | null },
  metaTemplateId: string,
): string | null =>
  owned?.metaTemplateId === metaTemplateId ? owned.accountId : (claim?.accountId ?? null);

export const isVisibleTo = (accountId: string, template: { accountId: string | null }): boolean =>
  template.accountId === null || template.accountId === accountId;
