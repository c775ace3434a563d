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

interface Installation {
  installationId: string;
  secretCheck: string;
  /** Of the log. */
  format: number;
}

interface InstallationCommand {
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
    const isSame = state.secretCheck === installation.secretCheck;
    return type === 'Found' || isSame ? [] : [SecretReplaced.of(installation)];
  },
};

/** One log has one installation. */
const ID = 'waybill';

/** The log was written under another secret than this process has. */
export class WrongSecret extends Error {
  constructor() {
    super(
      'WAYBILL_SECRET is not the secret that this log was written with: set the earlier one again. ' +
        'To change it, set the earlier one as WAYBILL_SECRET_PREVIOUS. If that is lost for good, start once ' +
        'with WAYBILL_SECRET_LOST=yes: no API key is known then, and no access token can be opened. ' +
        'Nothing was changed',
    );
    this.name = 'WrongSecret';
  }
}

interface SecretProofs {
  /** A keyed hash of the installation's id. */
  checkOf(installationId: string): string;
  /** Throws when the text was sealed under another secret. */
  open(sealed: Sealed, context: string): string;
}

/** Events of an older log that are searched for a sealed token: numbers are linked early. */
const LOOKED_AT_MAX = 20_000;

interface SealedToken {
  sealed: Sealed;
  phoneNumberId: string;
}

/** The first sealed access token of the log; undefined when none is near its start. */
const findSealed = async (
  store: Pick<EventReader, 'readAll'>,
  eventsMax: number,
): Promise<SealedToken | undefined> => {
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

/** What the log says of the secrets of this process. */
export interface Judged {
  /**
   * The one that the log was written with: 0 for the present one, 1 for the previous one; null for a
   * new log, and where that secret is lost.
   */
  secret: number | null;
  /** The one that the tokens of the log are sealed under directly, as programs did that knew no key beside it. */
  sealedUnder(): Promise<number | null>;
}

/**
 * Finds the installation of the log, and throws WrongSecret when the log was written under another
 * secret. A log without one, a new log or one of an older program, gets one; the secret must then
 * open a token that the log holds.
 */
export const checkInstallation = async (deps: {
  store: EventStore;
  /** Of the present secret. */
  proofs: SecretProofs;
  /** Of the secret before it, while that is being changed. */
  previous?: SecretProofs | undefined;
  clock: Clock;
  ids: Ids;
  /** The earlier secret is lost: this one replaces it. */
  secretLost?: boolean;
  /** Events of an older log that are searched. */
  eventsMax?: number;
  /** What must be done before the log names the secret. */
  prepare?: (judged: Judged) => Promise<void>;
}): Promise<Installation> => {
  const { store, proofs, previous, clock, ids } = deps;
  const { secretLost = false, eventsMax = LOOKED_AT_MAX, prepare } = deps;
  const writer = createWriter({ store, clock, ids });
  const say = async (type: InstallationCommand['type'], installationId: string) => {
    const installation = { installationId, secretCheck: proofs.checkOf(installationId) };
    const context = { requestId: ids.uuid(), cause: 'start' };
    const command = { type, installation };
    const { state } = await writer.execute(installationDecider, ID, command, context);
    return state!;
  };
  const all = previous ? [proofs, previous] : [proofs];
  let search: ReturnType<typeof findSealed> | undefined;
  const findToken = () => {
    search ??= findSealed(store, eventsMax);
    return search;
  };
  const sealedUnder = async () => {
    const found = await findToken();
    const at = all.findIndex((one) => {
      try {
        return found !== undefined && one.open(found.sealed, tokenContext(found.phoneNumberId));
      } catch {
        return false;
      }
    });
    return at < 0 ? null : at;
  };

  const { state } = await writer.load(installationDecider, ID);
  // The file of an embedded log says its format itself, and is not opened.
  if (state && state.format !== LOG_FORMAT) throw new OtherFormat(null, state.format);
  const secretOf = async (): Promise<number | null> => {
    if (state) {
      const { installationId, secretCheck } = state;
      const at = all.findIndex((one) => one.checkOf(installationId) === secretCheck);
      return at < 0 ? null : at;
    }
    if (secretLost) return null;
    return (await findToken()) ? sealedUnder() : 0;
  };
  const secret = await secretOf();
  if (secret === null && !secretLost) throw new WrongSecret();
  const isNew = !state && (await store.head()) === START;
  await prepare?.({ secret: isNew ? null : secret, sealedUnder });
  const founded = state ?? (await say('Found', ids.uuid()));
  const isOurs = founded.secretCheck === proofs.checkOf(founded.installationId);
  if (isOurs) return founded;
  // Another process has founded the log at the same moment.
  if (!state && !secretLost) throw new WrongSecret();
  return say('ReplaceSecret', founded.installationId);
};
