import type { FactOf } from '../../events/define.ts';
import type { NoticedTemplate, TemplateClaimed } from '../../events/template.ts';

// Several accounts may have numbers of one business account, which has one set of templates at the
// provider. They share the templates of the catalog, and those that no account submitted here. A
// template that an account wrote is its own, even under a name of the catalog: no other account sees it.

export interface TemplateOwner {
  metaTemplateId: string;
  /** Null for a shared template. */
  accountId: string | null;
}

/** An account that is about to submit a template, or whose submission has an unknown outcome. */
export type TemplateClaim = Pick<
  FactOf<typeof TemplateClaimed>['data'],
  'accountId' | 'claimedAt' | 'wasAbsent'
> & {
  /** What was noticed of a template that the submission may have made, before its answer. */
  early?: NoticedTemplate;
};

/** A submission takes at most this long. */
export const SUBMISSION_MS_MAX = 15 * 60_000;
/** A template that appears later than this after a claim is not from its submission. */
const CLAIM_MS_MAX = 24 * 60 * 60_000;

const ageOf = ({ claimedAt }: TemplateClaim, now: number): number =>
  claimedAt === null ? Number.POSITIVE_INFINITY : now - Date.parse(claimedAt);

/** Whether the submission of the claim may still be running. */
export const isUnderWay = (claim: TemplateClaim | null, now: number): boolean =>
  claim !== null && ageOf(claim, now) < SUBMISSION_MS_MAX;

/**
 * The owner of a template that the provider shows for the first time while no submission runs: the
 * claimant, if the name was free before the claim and the outcome of the submission is unknown.
 */
export const ownerOfUnknown = (claim: TemplateClaim | null, now: number): string | null =>
  claim?.wasAbsent && ageOf(claim, now) < CLAIM_MS_MAX ? claim.accountId : null;

/** The owner of a template as far as it is known; the claimant while its submission runs. */
export const ownerOf = (
  { owned, claim }: { owned: TemplateOwner | null; claim: TemplateClaim | null },
  metaTemplateId: string,
): string | null =>
  owned?.metaTemplateId === metaTemplateId ? owned.accountId : (claim?.accountId ?? null);

export const isVisibleTo = (accountId: string, template: { accountId: string | null }): boolean =>
  template.accountId === null || template.accountId === accountId;
