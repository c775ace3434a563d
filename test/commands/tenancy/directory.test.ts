import { deadLetterDecider } from '../../../src/commands/inbound/dead-letters.ts';
import {
  type PlanDraft,
  planDecider,
  rateCardDecider,
} from '../../../src/commands/pricing/plan.ts';
import {
  type ApiKeyTerms,
  administratorDecider,
  apiKeyDecider,
} from '../../../src/commands/tenancy/credentials.ts';
import { organisationDecider } from '../../../src/commands/tenancy/tenancy.ts';
import { DeadLetterKept, DeadLetterRetried } from '../../../src/events/dead-letter.ts';
import {
  AdministratorCreated,
  AdministratorRevoked,
  ApiKeyCreated,
  ApiKeyStateChanged,
  ApiKeyUsed,
  OrganisationCreated,
  OrganisationReinstated,
  OrganisationSuspended,
} from '../../../src/events/directory.ts';
import { PlanPublished, planBounds, RateCardPublished } from '../../../src/events/pricing.ts';
import { spec } from '../../support/spec.ts';

describe('organisation', () => {
  const given = spec(organisationDecider);
  const organisationId = 'org_1';
  const created = OrganisationCreated.of({ organisationId, name: 'Shops' });
  const suspended = OrganisationSuspended.of({ organisationId, reason: 'unpaid' });
  const suspend = { type: 'Suspend' as const, organisationId, reason: 'unpaid' };
  const reinstate = { type: 'Reinstate' as const, organisationId, reason: null };

  it('is created once', () => {
    const command = { type: 'Create' as const, organisationId, name: 'Shops' };
    given().when(command).thenHappened(created);
    given(created).when(command).thenRefused('resource.conflict');
  });
  it('is suspended and reinstated; twice is no error and no second event', () => {
    given(created).when(suspend).thenHappened(suspended);
    given(created, suspended).when(suspend).thenNothing();
    const reinstated = OrganisationReinstated.of({ organisationId, reason: null });
    given(created, suspended).when(reinstate).thenHappened(reinstated);
    given(created).when(reinstate).thenNothing();
  });
  it('must exist to be suspended', () => given().when(suspend).thenRefused('resource.unknown'));
});

describe('API key', () => {
  const given = spec(apiKeyDecider);
  const keyId = 'key_abcdefgh';
  const terms: ApiKeyTerms = {
    keyId,
    accountId: 'acc_0a',
    organisationId: 'org_1',
    name: 'shop server',
    prefix: 'wb_live_abcdefgh',
    secretHash: 'ff',
    allowedOrigins: null,
    rateLimit: 120,
    expiresAt: null,
    scopes: null,
  };
  const created = ApiKeyCreated.of(terms);
  const givenCreated = given(created);
  type State = 'active' | 'inactive' | 'revoked';
  const to = (state: State) => ({ type: 'SetState', keyId, state }) as const;
  const changed = (state: State) => ApiKeyStateChanged.of({ keyId, state });

  it('is created once', () => {
    given().when({ type: 'Create', terms }).thenHappened(created);
    givenCreated.when({ type: 'Create', terms }).thenRefused('resource.conflict');
  });
  it('is switched off and on', () => {
    givenCreated.when(to('inactive')).thenHappened(changed('inactive'));
    given(created, changed('inactive')).when(to('active')).thenHappened(changed('active'));
    givenCreated.when(to('active')).thenNothing();
  });
  it('stays revoked', () => {
    const givenRevoked = given(created, changed('revoked'));
    givenCreated.when(to('revoked')).thenHappened(changed('revoked'));
    givenRevoked.when(to('active')).thenRefused('key.revoked');
    givenRevoked.when(to('revoked')).thenNothing();
  });
  it('records only a later use', () => {
    const at = (usedAt: string) => ({ type: 'NoteUse' as const, keyId, usedAt });
    const used = ApiKeyUsed.of({ keyId, usedAt: '2026-11-21T12:00:00.000Z' });
    given(created).when(at('2026-11-21T12:00:00.000Z')).thenHappened(used);
    given(created, used).when(at('2026-11-21T11:00:00.000Z')).thenNothing();
    given().when(at('2026-11-21T11:00:00.000Z')).thenRefused('resource.unknown');
  });
});

describe('administrator', () => {
  const given = spec(administratorDecider);
  const administratorId = 'adm_abcdefgh';
  const terms = {
    administratorId,
    name: 'Ana',
    email: 'ana@example.org',
    role: 'auditor' as const,
    prefix: 'wb_adm_abcdefgh',
    secretHash: 'ff',
  };
  const created = AdministratorCreated.of(terms);
  const revoked = AdministratorRevoked.of({ administratorId });
  const revoke = { type: 'Revoke' as const, administratorId };

  it('is created once and revoked once', () => {
    given().when({ type: 'Create', terms }).thenHappened(created);
    given(created).when({ type: 'Create', terms }).thenRefused('resource.conflict');
    given(created).when(revoke).thenHappened(revoked);
    given(created, revoked).when(revoke).thenNothing();
    given().when(revoke).thenRefused('resource.unknown');
  });
});

describe('plan', () => {
  const given = spec(planDecider);
  const draft: PlanDraft = {
    planId: 'gold',
    name: 'Gold',
    billing: 'credits',
    currency: 'USD',
    markup: 100_000,
    creditValue: 10_000,
    refundFailedDeliveries: true,
    ...planBounds,
    chargeService: false,
  };
  const first = PlanPublished.of({ ...draft, planVersion: 1 });
  const givenFirst = given(first);
  const revise = (change: Partial<PlanDraft> = {}) =>
    ({ type: 'Revise', draft: { ...draft, ...change } }) as const;

  it('is published once, and every change is a new version', () => {
    given().when({ type: 'Publish', draft }).thenHappened(first);
    givenFirst.when({ type: 'Publish', draft }).thenRefused('resource.conflict');
    for (const change of [{ markup: 0 }, { chargeService: true }]) {
      givenFirst.when(revise(change)).thenHappened('PlanPublished', { ...change, planVersion: 2 });
    }
    givenFirst.when(revise()).thenNothing();
    given().when(revise()).thenRefused('resource.unknown');
  });
  it('keeps its unit, in which balances are held', () => {
    for (const change of [{ currency: 'EUR' }, { billing: 'wallet', creditValue: null } as const]) {
      givenFirst.when(revise(change)).thenRefused('resource.conflict');
    }
  });
});

describe('rate card', () => {
  const card = {
    rateCardId: 'card_1',
    currency: 'USD',
    effectiveFrom: '2027-01-01T00:00:00.000Z',
    rates: { Other: { MARKETING: 60_400, UTILITY: 7700, AUTHENTICATION: 7700 } },
  };
  it('is published once and never changes', () => {
    const given = spec(rateCardDecider);
    given().when(card).thenHappened(RateCardPublished.of(card));
    given(RateCardPublished.of(card)).when(card).thenRefused('resource.conflict');
  });
});

describe('dead letter', () => {
  const given = spec(deadLetterDecider);
  const letter = {
    deadLetterId: 'dl_1',
    accountId: 'acc_1',
    contactRefs: ['ref'],
    rawLength: 2,
    field: 'messages',
    wabaId: null,
    phoneNumberId: null,
    reason: 'not understood',
    raw: '{}',
  };
  const kept = DeadLetterKept.of(letter);
  const resolved = { deadLetterId: 'dl_1', resolved: true, reason: null };
  const retry = { type: 'NoteRetry' as const, ...resolved };
  const retried = DeadLetterRetried.of(resolved);
  it('is kept once, and retried until it is resolved', () => {
    given().when({ type: 'Keep', letter }).thenHappened(kept);
    given(kept).when({ type: 'Keep', letter }).thenNothing();
    given(kept).when(retry).thenHappened(retried);
    given(kept, retried).when(retry).thenNothing();
    given().when(retry).thenRefused('resource.unknown');
  });
});
