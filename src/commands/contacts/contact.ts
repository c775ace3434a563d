import {
  type ContactFact,
  ContactIdsJoined,
  type ContactJoin,
  ContactMet,
} from '../../events/contact.ts';
import type { Decider } from '../core/decider.ts';

type Homes = NonNullable<ContactJoin['conversations']>;

export interface ContactState {
  /** Numbers at which the user id, as a contact of its own, has a conversation. */
  met: readonly string[];
  /** The contact that the user id belongs to; null while it is one of its own. */
  joined: ContactJoin | null;
}

type ContactCommand =
  /** Notes a conversation at a number, unless the user id belongs to another contact. */
  | { type: 'Meet'; accountId: string; userRef: string; phoneNumberId: string }
  /**
   * Gives the user id to a contact, unless a better sign has given it to one before. Throws NewNumber
   * where `homes` lacks a number.
   */
  | ({ type: 'Join'; homes: Homes } & Omit<ContactJoin, 'conversations'>);

/** The user id has a conversation at a number that the command does not know yet. */
export class NewNumber extends Error {
  constructor() {
    super('the user id has a conversation at a new number');
    this.name = 'NewNumber';
  }
}

/** Numbers of one contact whose conversations are joined; more of them stay apart. */
const NUMBERS_MAX = 200;

const evolve = (state: ContactState, fact: ContactFact): ContactState => {
  switch (fact.type) {
    case 'ContactMet':
      return { ...state, met: [...state.met, fact.data.phoneNumberId] };
    case 'ContactIdsJoined':
      return { ...state, joined: fact.data };
  }
};

const join = (
  { type: _, homes, ...pair }: Extract<ContactCommand, { type: 'Join' }>,
  { met, joined }: ContactState,
): ContactFact[] => {
  if (pair.contactRef === pair.userRef) return [];
  if (joined && (joined.by === 'seen' || pair.by === 'changed')) return [];
  // The conversations have moved with the first join.
  const numbers = joined ? [] : met;
  const conversations = numbers.map((number) => {
    const home = homes.find(({ phoneNumberId }) => phoneNumberId === number);
    if (!home) throw new NewNumber();
    return home;
  });
  const moved = conversations.length === 0 ? {} : { conversations };
  return [ContactIdsJoined.of({ ...pair, ...moved })];
};

/** To whom a user id belongs, in one account. */
export const contactDecider: Decider<ContactState, ContactCommand, ContactFact> = {
  category: 'contact',
  initial: { met: [], joined: null },
  evolve,
  decide(command, state) {
    switch (command.type) {
      case 'Meet': {
        const { accountId, userRef, phoneNumberId } = command;
        const isKnown = state.joined !== null || state.met.includes(phoneNumberId);
        if (isKnown || state.met.length >= NUMBERS_MAX) return [];
        return [ContactMet.of({ accountId, userRef, phoneNumberId })];
      }
      case 'Join':
        return join(command, state);
    }
  },
};
