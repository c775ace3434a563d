import { asText, type Json } from '../shape.ts';
import { envelopeOf, OBJECT } from '../webhook/reader.ts';
import type { Hooks } from './hooks.ts';
import type { Reviews } from './reviews.ts';
import { numberPayload } from './statuses.ts';
import { numberOf, type SimulatedNumber, type SimulatedTemplate, type World } from './world.ts';

/** The notices that the provider sends of its own accord, by their field, and what each says. */
export const notices = {
  message_template_status_update: 'A template is paused; `event` names another state',
  message_template_quality_update: 'The quality of a template falls from GREEN to RED',
  template_category_update: 'A template becomes MARKETING; `new_category` names another category',
  phone_number_quality_update: 'The quality of the number becomes RED; `event=UNFLAGGED` ends that',
  phone_number_name_update: 'The name of the number is approved',
  account_update: 'The business account is restricted; `event` names something else',
  business_capability_update: 'The number may write to 2,000 people in 24 hours',
  user_preferences: 'A customer stops marketing messages; `value=resume` ends that',
} as const;

type NoticeField = keyof typeof notices;

/** A notice to send: of which number, and where that matters of which template or customer. */
export interface NoticeRequest {
  phoneNumberId: string;
  field: string;
  /** A template's name; the first of the business account when absent. */
  template?: string;
  contact?: string;
  /** Fields of the notice, in place of those that it has by itself. */
  set?: Json;
}

const CUSTOMER = '919812345678';

interface About {
  number: SimulatedNumber;
  template(): SimulatedTemplate;
  customer: string;
  set: Json;
}

/** Sends notices of the provider, and changes what they say has changed. */
export const createNotices = (
  world: World,
  hooks: Pick<Hooks, 'post'>,
  { decide, notify }: Reviews,
) => {
  const seconds = () => Math.floor(world.clock.now() / 1000);

  const ofAccount = (field: NoticeField, { number: { wabaId }, set }: About, value: Json) => {
    const entry = { id: wabaId, time: seconds() };
    return hooks.post(envelopeOf({ object: OBJECT, entry, field }, { ...value, ...set }));
  };

  const senders: Readonly<Record<NoticeField, (about: About) => Promise<number | null>>> = {
    message_template_status_update({ template, set: { event, reason, ...more } }) {
      return decide(template(), asText(event) ?? 'PAUSED', asText(reason) ?? undefined, more);
    },
    message_template_quality_update({ template, set }) {
      const value = { previous_quality_score: 'GREEN', new_quality_score: 'RED' };
      return notify(template(), 'message_template_quality_update', { ...value, ...set });
    },
    template_category_update({ template, set }) {
      const changed = template();
      const previous_category = changed.category;
      changed.category = asText(set.new_category) ?? 'MARKETING';
      const value = { previous_category, new_category: changed.category };
      return notify(changed, 'template_category_update', { ...value, ...set });
    },
    phone_number_quality_update(about) {
      const { number, set } = about;
      const event = asText(set.event) ?? 'FLAGGED';
      if (event === 'FLAGGED') number.qualityRating = 'RED';
      if (event === 'UNFLAGGED') number.qualityRating = 'GREEN';
      return ofAccount('phone_number_quality_update', about, {
        display_phone_number: number.displayPhoneNumber.replaceAll(/\D/g, ''),
        event,
        max_daily_conversations_per_business: 'TIER_2K',
      });
    },
    phone_number_name_update(about) {
      const { number, set } = about;
      number.verifiedName = asText(set.requested_verified_name) ?? number.verifiedName;
      return ofAccount('phone_number_name_update', about, {
        display_phone_number: number.displayPhoneNumber.replaceAll(/\D/g, ''),
        decision: 'APPROVED',
        requested_verified_name: number.verifiedName,
        rejection_reason: null,
      });
    },
    account_update: (about) =>
      ofAccount('account_update', about, {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }],
      }),
    business_capability_update: (about) =>
      ofAccount('business_capability_update', about, {
        max_daily_conversations_per_business: 'TIER_2K',
        max_phone_numbers_per_business: 20,
      }),
    user_preferences({ number, customer: wa_id, set }) {
      const preference = {
        wa_id,
        detail: 'User requested to stop marketing messages',
        category: 'marketing_messages',
        value: 'stop',
        timestamp: seconds(),
      };
      const contacts = [{ wa_id, profile: { name: 'A customer' } }];
      const value = { contacts, user_preferences: [{ ...preference, ...set }] };
      return hooks.post(numberPayload(number, value, 'user_preferences'));
    },
  };

  /** Resolves with the service's HTTP status; null without an answer. */
  return async (request: NoticeRequest): Promise<number | null> => {
    const { phoneNumberId, field, template: name, contact, set = {} } = request;
    const send = Object.hasOwn(senders, field) && senders[field as NoticeField];
    if (!send) throw new Error(`there is no notice ${field}: ${Object.keys(notices).join(', ')}`);
    const number = numberOf(world, phoneNumberId);
    if (!number) throw new Error(`there is no number ${phoneNumberId}`);
    const template = (): SimulatedTemplate => {
      const own = [...world.templates.values()].filter(({ wabaId }) => wabaId === number.wabaId);
      const found = name === undefined ? own[0] : own.find((one) => one.name === name);
      if (found) return found;
      throw new Error(`the business account has no template ${name ?? 'yet'}`);
    };
    const customer = (contact ?? CUSTOMER).replaceAll(/\D/g, '');
    return send({ number, template, customer, set });
  };
};
