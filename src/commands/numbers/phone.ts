import type { FactOf } from '../../events/define.ts';
import {
  type DirectSendBar,
  PhoneDirectSendBarred,
  type PhoneFact,
  PhoneLinked,
  PhoneNoticed,
  type PhoneProfile,
  PhoneProfileRead,
  PhoneSubscriptionRead,
  PhoneTokenSet,
  PhoneUnlinked,
  PhoneWebhookSet,
  type Sealed,
} from '../../events/phone.ts';
import { SETTINGS_KEY } from '../../events/settings.ts';
import type { Subscription } from '../../provider/provider.ts';
import { isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

type PhoneTerms = FactOf<typeof PhoneLinked>['data'];
export type PhoneNotice = FactOf<typeof PhoneNoticed>['data'];

/** Remembered ids of notices: far more than arrive while the provider may repeat one. */
const NOTICES_KEPT = 100;
/** Remembered accounts of a number; the provider reports on a message for a month at most. */
const HOLDERS_KEPT = 20;

interface PhoneState {
  accountId: string | null;
  /** Count of links so far; it distinguishes two links of one account. */
  links: number;
  /** The accounts that have had the number, the latest last. */
  holders: readonly string[];
  profile: PhoneProfile | null;
  subscription: Subscription;
  /** The nonce of the sealed access token, which names it. */
  token: string | null;
  directSendBar: DirectSendBar | null;
  webhookUrl: string | null;
  /** Ids of the latest notices of the provider, oldest first. */
  noticed: readonly string[];
}

export type PhoneCommand =
  | { type: 'Link'; terms: PhoneTerms }
  | { type: 'SetToken'; phoneNumberId: string; accessToken: Sealed | null }
  /** The same token under a newer key; changes nothing where the number has another one by now. */
  | { type: 'SealToken'; phoneNumberId: string; accessToken: Sealed; instead: string }
  /** Changes the given fields of the profile. */
  | { type: 'NoteProfile'; phoneNumberId: string; profile: Partial<PhoneProfile> }
  | ({ type: 'NoteSubscription'; phoneNumberId: string } & Subscription)
  /** For a day, unless the same is known already. */
  | { type: 'BarDirectSend'; phoneNumberId: string; state: DirectSendBar['state']; now: number }
  /** Stores a notice of the provider once; `profile` has the fields that the notice names. */
  | { type: 'Notice'; phoneNumberId: string; notice: PhoneNotice; profile: Partial<PhoneProfile> }
  | {
      type: 'SetWebhook';
      phoneNumberId: string;
      /** The calling account; the number of another account counts as unknown. */
      accountId: string;
      webhookUrl: string | null;
    }
  | { type: 'Unlink'; phoneNumberId: string };

/** How long a refusal of messages without a template is remembered. */
const BARRED_MS = 24 * 60 * 60_000;

/** Whether a refusal of messages without a template still holds. */
export const isBarred = ({ until }: DirectSendBar, now: number): boolean => now < Date.parse(until);

const unknownSubscription: Subscription = { subscribed: null, problem: null };

/** A number belongs to one account at a time. */
export const phoneDecider: Decider<PhoneState, PhoneCommand, PhoneFact> = {
  category: 'phone',
  initial: {
    accountId: null,
    links: 0,
    holders: [],
    profile: null,
    subscription: unknownSubscription,
    token: null,
    directSendBar: null,
    webhookUrl: null,
    noticed: [],
  },
  evolve(state, fact) {
    switch (fact.type) {
      case 'PhoneLinked': {
        const { accountId, profile, accessToken } = fact.data;
        const others = state.holders.filter((holder) => holder !== accountId);
        return {
          ...state,
          accountId,
          links: state.links + 1,
          holders: [...others, accountId].slice(-HOLDERS_KEPT),
          profile,
          subscription: unknownSubscription,
          token: accessToken?.iv ?? null,
          directSendBar: null,
          webhookUrl: null,
        };
      }
      case 'PhoneTokenSet':
        return { ...state, token: fact.data.accessToken?.iv ?? null };
      case 'PhoneProfileRead':
        return { ...state, profile: fact.data.profile };
      case 'PhoneSubscriptionRead': {
        const { subscribed, problem } = fact.data;
        return { ...state, subscription: { subscribed, problem } };
      }
      case 'PhoneDirectSendBarred': {
        const { state: why, until } = fact.data;
        return { ...state, directSendBar: { state: why, until } };
      }
      case 'PhoneNoticed':
        return {
          ...state,
          noticed: [...state.noticed, fact.data.noticeId].slice(-NOTICES_KEPT),
        };
      case 'PhoneWebhookSet':
        return { ...state, webhookUrl: fact.data.webhookUrl };
      case 'PhoneUnlinked':
        return { ...state, accountId: null };
    }
  },
  decide(command, state) {
    if (command.type === 'Link') {
      if (state.accountId !== null) throw alreadyLinked();
      return [PhoneLinked.of(command.terms)];
    }
    if (state.accountId === null) {
      // It was unlinked while the provider refused.
      if (command.type === 'BarDirectSend') return [];
      throw unknownNumber();
    }
    const { phoneNumberId } = command;
    switch (command.type) {
      case 'SetToken':
        return [PhoneTokenSet.of(command)];
      case 'SealToken':
        return state.token === command.instead ? [PhoneTokenSet.of(command)] : [];
      case 'NoteProfile':
        return profileRead(phoneNumberId, command.profile, state);
      case 'NoteSubscription': {
        const { subscribed, problem } = state.subscription;
        const isSame = subscribed === command.subscribed && problem === command.problem;
        return isSame ? [] : [PhoneSubscriptionRead.of(command)];
      }
      case 'BarDirectSend': {
        const { state: why, now } = command;
        const known = state.directSendBar;
        if (known?.state === why && isBarred(known, now)) return [];
        const until = isoTime(now + BARRED_MS);
        return [PhoneDirectSendBarred.of({ phoneNumberId, state: why, until })];
      }
      case 'Notice': {
        const { notice } = command;
        if (state.noticed.includes(notice.noticeId)) return [];
        const read = profileRead(phoneNumberId, command.profile, state);
        return [PhoneNoticed.of(notice), ...read];
      }
      case 'SetWebhook': {
        if (command.accountId !== state.accountId) throw unknownNumber();
        return command.webhookUrl === state.webhookUrl ? [] : [PhoneWebhookSet.of(command)];
      }
      case 'Unlink':
        return [PhoneUnlinked.of({ phoneNumberId, accountId: state.accountId })];
    }
  },
  // Every inbound message loads its number, for the account and the URL.
  snapshot: {
    version: 10,
    every: 100,
    personal: {
      split({ webhookUrl, ...state }) {
        if (webhookUrl === null) return null;
        return { clear: { ...state, webhookUrl: null }, hidden: webhookUrl, under: SETTINGS_KEY };
      },
      join: (state, hidden) => ({ ...state, webhookUrl: hidden as string }),
      lasting: ({ webhookUrl: _, ...state }) => state,
    },
  },
};

const profileRead = (
  phoneNumberId: string,
  change: Partial<PhoneProfile>,
  state: PhoneState,
): PhoneFact[] => {
  const profile = { ...state.profile!, ...change };
  const same = JSON.stringify(profile) === JSON.stringify(state.profile);
  return same ? [] : [PhoneProfileRead.of({ phoneNumberId, profile })];
};

export const alreadyLinked = () => new AppError('number.linked', 'The number is linked already');

export const unknownNumber = () => new AppError('number.unknown', 'Phone number not found');
