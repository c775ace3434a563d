import type { KnownEvent } from '../../events/index.ts';
import {
  type InstallationFact,
  InstallationFounded,
  SecretReplaced,
} from '../../events/installation.ts';
import { logPages } from '../../events/paging.ts';
import type { Sealed } from '../../events/phone.ts';
import {
  type EventReader,
  type EventStore,
  LOG_FORMAT,
  OtherFormat,
  START,
} from '../../events/store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import { tokenContext } from '../sending/outgoing.ts';
import type { Decider } from './decider.ts';
import { createWriter } from './execute.ts';

export interface Installation {
  installationId: string;
  secretCheck: string;
  /** Of the log. */
  format: number;
}

export interface InstallationCommand {
  /** `Found` changes nothing in a log that names its installation. */
  type: 'Found' | 'ReplaceSecret';
  installation: Omit<Installation, 'format'>;
}

/** The installation that a log belongs to. The first process founds it. */
export const installationDecider: Decider<
  Installation | null,
  InstallationCommand,
  InstallationFact
> = {
  category: 'installation',
  initial: null,
  evolve: (state, { data }) => ({ format: LOG_FORMAT, ...state, ...data }),
  decide({ type, installation }, state) {
    if (!state) return [InstallationFounded.of({ ...installation, format: LOG_FORMAT })];
    return type === 'Found' ? [] : [SecretReplaced.of(installation)];
  },
};

/** One log has one installation. */
const ID = 'waybill';

/** The log was written under another secret than this process has. */
export class WrongSecret extends Error {
  constructor() {
    super(
      'WAYBILL_SECRET is not the secret that this log was written with: set the earlier one again. ' +
        'Under another one no API key is known and no access token can be opened. If it is lost for ' +
        'good, start once with WAYBILL_SECRET_LOST=yes. Nothing was changed',
    );
    this.name = 'WrongSecret';
  }
}

export interface SecretProofs {
  /** A keyed hash of the installation's id. */
  checkOf(installationId: string): string;
  /** Throws when the text was sealed under another secret. */
  open(sealed: Sealed, context: string): string;
}

/** Events of an older log that are searched for a sealed token: numbers are linked early. */
const LOOKED_AT_MAX = 20_000;

/** The first sealed access token of the log; undefined when none is near its start. */
const findSealed = async (
  store: Pick<EventReader, 'readAll'>,
  eventsMax: number,
): Promise<{ sealed: Sealed; phoneNumberId: string } | undefined> => {
  let left = eventsMax;
  for await (const { events } of logPages(store, START)) {
    for (const event of events as readonly KnownEvent[]) {
      left -= 1;
      if (left < 0) return undefined;
      if (event.type !== 'PhoneLinked' && event.type !== 'PhoneTokenSet') continue;
      const { accessToken, phoneNumberId } = event.data;
      if (accessToken) return { sealed: accessToken, phoneNumberId };
    }
  }
  return undefined;
};

/**
 * Finds the installation of the log, and throws WrongSecret when the log was written under another
 * secret. A log without one, a new log or one of an older program, gets one; the secret must then
 * open a token that the log holds.
 */
export const checkInstallation = async (deps: {
  store: EventStore;
  proofs: SecretProofs;
  clock: Clock;
  ids: Ids;
  /** The earlier secret is lost: this one replaces it. */
  secretLost?: boolean;
  /** Events of an older log that are searched. */
  eventsMax?: number;
}): Promise<Installation> => {
  const { store, proofs, clock, ids, secretLost = false, eventsMax = LOOKED_AT_MAX } = deps;
  const writer = createWriter({ store, clock, ids });
  const say = async (type: InstallationCommand['type'], installationId: string) => {
    const installation = { installationId, secretCheck: proofs.checkOf(installationId) };
    const context = { requestId: ids.uuid(), cause: 'start' };
    const command = { type, installation };
    const { state } = await writer.execute(installationDecider, ID, command, context);
    return state!;
  };
  const isOurs = ({ installationId, secretCheck }: Installation) =>
    secretCheck === proofs.checkOf(installationId);

  const known = await writer.load(installationDecider, ID);
  if (known.state && known.state.format !== LOG_FORMAT) {
    throw new OtherFormat('the log', known.state.format);
  }
  if (!known.state && !secretLost) {
    const found = await findSealed(store, eventsMax);
    try {
      if (found) proofs.open(found.sealed, tokenContext(found.phoneNumberId));
    } catch {
      throw new WrongSecret();
    }
  }
  const founded = known.state ?? (await say('Found', ids.uuid()));
  if (isOurs(founded)) return founded;
  if (!secretLost) throw new WrongSecret();
  return say('ReplaceSecret', founded.installationId);
};
