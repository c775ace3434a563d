import { newerType } from '../../events/index.ts';
import {
  type Interest,
  isOfInterest,
  type Recorded,
  StoreUnavailable,
} from '../../events/store.ts';

/** Why a stream cannot be folded. An instance of the newer program that wrote the event can do it. */
export const unreadable = (event: Recorded, stream: string): Error => {
  const what = `event ${event.revision} of ${stream} cannot be read`;
  return newerType(event) === undefined
    ? new Error(what)
    : new StoreUnavailable(`${what}: a newer program wrote it`);
};

/**
 * The event. Throws where it is of interest and a newer program wrote it: a reactor of that program
 * handles it.
 */
export const known = <Event extends Recorded>(event: Event, interest: Interest): Event => {
  const type = newerType(event);
  if (type === undefined || !isOfInterest(interest, { type, revision: event.revision })) {
    return event;
  }
  throw new Error(`a newer program wrote ${type} in version ${event.version}: its worker goes on`);
};
