import type { NumberRecord } from '../../commands/core/lookups.ts';
import { standardPlan } from '../../commands/pricing/pricing.ts';
import { defaultRateCard } from '../../commands/pricing/rate-card.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { PlanTerms, RateCard } from '../../events/pricing.ts';
import type { Meta } from '../../events/store.ts';
import { type AccountDocument, accounts } from '../../projections/accounts.ts';
import { administrators } from '../../projections/administrators.ts';
import type { Projection } from '../../projections/define.ts';
import { keys } from '../../projections/keys.ts';
import { numbers } from '../../projections/numbers.ts';
import { organisations } from '../../projections/organisations.ts';
import { people } from '../../projections/people.ts';
import { plans, ratecards } from '../../projections/plans.ts';
import { sessions } from '../../projections/sessions.ts';
import { type TemplateDocument, templateId, templates } from '../../projections/templates.ts';
import { type ChangesOf, defineLookup } from './lookup-cache.ts';

/** An event that changes a row of the local mirror of templates. */
export type TemplateEvent = Extract<
  KnownEvent,
  { type: keyof typeof templates.on & `Template${string}` }
>;

export const templateEventTypes: readonly string[] = Object.keys(templates.on).filter((type) =>
  type.startsWith('Template'),
);

const byLanguage = (one: TemplateDocument, other: TemplateDocument) =>
  one.language < other.language ? -1 : Number(one.language > other.language);

/**
 * The kept rows of one template name after an event of one of them, folded as the read model folds
 * it. The log may deliver events again that the rows contain already: after the last of these the
 * rows are what they were.
 */
export const withTemplateEvent = (
  rows: readonly TemplateDocument[],
  event: TemplateEvent,
): readonly TemplateDocument[] => {
  const id = templateId(event.data);
  const row = rows.find((one) => templateId(one) === id);
  const handler = templates.on[event.type] as NonNullable<(typeof templates.on)['TemplateRemoved']>;
  const after = handler.fold(row, event as Parameters<typeof handler.fold>[1], id, () => undefined);
  if (after === row || after === undefined) return rows;
  const others = rows.filter((one) => one !== row);
  return after === null ? others : [...others, after].toSorted(byLanguage);
};

// The look-ups whose answers are kept: what each loads, and which events change its answers.

/** Rows of one answer: numbers of an account, languages of a template, published cards. */
export const ROWS_MAX = 1000;

/** The field of an event's data that names what the event changes. */
const by =
  <Field extends string>(field: Field) =>
  (event: { data: Record<Field, string> }): string =>
    event.data[field];
const ownerOf = ({ meta }: { meta: Meta }) => meta.accountId ?? '';
const onNumberEvents = <Of>(
  of: (event: { data: { phoneNumberId: string }; meta: Meta }) => Of,
) => ({
  PhoneTokenSet: of,
  PhoneProfileRead: of,
  PhoneSubscriptionRead: of,
  PhoneDirectSendBarred: of,
  PhoneWebhookSet: of,
  PhoneLinked: of,
  PhoneUnlinked: of,
});
const templateOf = ({ data }: { data: { wabaId: string; name: string } }) => data;

const ofDocument = <Doc>(projection: Projection<Doc>, on: ChangesOf<string>, category?: string) =>
  defineLookup({
    name: projection.name,
    projection,
    ...(category && { stream: (id: string) => `${category}-${id}` }),
    load: (reader, id: string) => reader.get(projection, id),
    on,
  });

export const cachedLookups = {
  account: ofDocument(accounts, {
    AccountOpened: by('accountId'),
    PlanAssigned: by('accountId'),
    StrictSendingSet: by('accountId'),
    DirectSendSet: by('accountId'),
    SendingHoursSet: by('accountId'),
    RetentionSet: by('accountId'),
  }),
  organisation: ofDocument(
    organisations,
    {
      OrganisationCreated: by('organisationId'),
      OrganisationSuspended: by('organisationId'),
      OrganisationReinstated: by('organisationId'),
      FourEyesSet: by('organisationId'),
    },
    'organisation',
  ),
  key: ofDocument(
    keys,
    {
      ApiKeyCreated: by('keyId'),
      ApiKeyStateChanged: by('keyId'),
      ApiKeyRehashed: by('keyId'),
    },
    'apikey',
  ),
  administrator: ofDocument(
    administrators,
    {
      AdministratorCreated: by('administratorId'),
      AdministratorRevoked: by('administratorId'),
      AdministratorRehashed: by('administratorId'),
    },
    'administrator',
  ),
  person: ofDocument(
    people,
    {
      PersonInvited: by('personId'),
      InvitationIssued: by('personId'),
      PersonJoined: by('personId'),
      PersonMapped: by('personId'),
      PasswordSet: by('personId'),
      PasskeyAdded: by('personId'),
      PasskeyRemoved: by('personId'),
      PersonChanged: by('personId'),
      PersonSuspended: by('personId'),
      PersonReinstated: by('personId'),
      PersonErased: by('personId'),
    },
    'person',
  ),
  accountsOf: defineLookup({
    name: 'accounts of',
    projection: accounts,
    load: (reader, organisationId: string): Promise<readonly AccountDocument[]> =>
      reader.find(accounts, {
        where: { organisationId },
        order: { field: 'order', direction: 'ascending' },
        limit: ROWS_MAX,
        fields: ['id', 'name'],
      }),
    on: { AccountOpened: by('organisationId') },
  }),
  session: ofDocument(
    sessions,
    {
      SessionStarted: by('sessionId'),
      SessionEnded: by('sessionId'),
    },
    'session',
  ),
  plan: defineLookup({
    name: 'plan',
    projection: plans,
    async load(reader, planId: string): Promise<PlanTerms | undefined> {
      const published = await reader.get(plans, planId);
      return published ?? (planId === standardPlan.planId ? standardPlan : undefined);
    },
    on: { PlanPublished: by('planId') },
  }),
  rateCards: defineLookup({
    name: 'rate cards',
    id: (_: undefined) => '',
    projection: ratecards,
    async load(reader): Promise<readonly RateCard[]> {
      const published = await reader.find(ratecards, {
        where: {},
        order: { field: 'order', direction: 'ascending' },
        limit: ROWS_MAX,
      });
      return [defaultRateCard, ...published];
    },
    on: { RateCardPublished: () => undefined },
  }),
  number: defineLookup({
    name: 'number',
    projection: numbers,
    async load(reader, phoneNumberId: string): Promise<NumberRecord | undefined> {
      const number = await reader.get(numbers, phoneNumberId);
      return number?.linked ? number : undefined;
    },
    on: onNumberEvents(by('phoneNumberId')),
  }),
  numbers: defineLookup({
    name: 'numbers of',
    projection: numbers,
    load: (reader, accountId: string): Promise<readonly NumberRecord[]> =>
      reader.find(numbers, {
        where: { accountId, linked: true },
        order: { field: 'order', direction: 'ascending' },
        limit: ROWS_MAX,
      }),
    on: onNumberEvents(ownerOf),
  }),
  templates: defineLookup({
    name: 'templates of',
    id: ({ wabaId, name }: { wabaId: string; name: string }) => `${wabaId} ${name}`,
    projection: templates,
    load: (reader, { wabaId, name }): Promise<readonly TemplateDocument[]> =>
      reader.find(templates, {
        where: { wabaId, name },
        order: { field: 'language', direction: 'ascending' },
        limit: ROWS_MAX,
      }),
    on: Object.fromEntries(templateEventTypes.map((type) => [type, templateOf])),
    fold: (rows, event) => withTemplateEvent(rows, event as TemplateEvent),
  }),
};
