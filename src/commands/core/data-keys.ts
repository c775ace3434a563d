import { DataKeysFounded } from '../../events/installation.ts';
import type { EventStore } from '../../events/store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import { FIRST_GENERATION } from '../../shared/installation-key.ts';
import type { Decider } from './decider.ts';
import { createWriter } from './execute.ts';

// The log names the store of data keys that it goes with. Without this, a start with a missing or a
// wrong file of keys would look like an erasure of all contacts. It also names the newest generation of
// the installation's key: a backup of the keys from before it would leave tokens and hashes unreadable.

interface NamedKeys {
  keysId: string;
  generation: string;
}

type KeysCommand =
  /** `instead`: the id that the log names now; undefined when it names none. */
  | { type: 'Found'; keysId: string; instead: string | undefined }
  | { type: 'NameGeneration'; generation: string };

type KeysFact = ReturnType<typeof DataKeysFounded.of>;

const dataKeysDecider: Decider<NamedKeys | undefined, KeysCommand, KeysFact> = {
  category: 'installation',
  initial: undefined,
  evolve: (_, { data: { keysId, generation = FIRST_GENERATION } }) => ({ keysId, generation }),
  decide(command, known) {
    if (command.type === 'NameGeneration') {
      const { generation } = command;
      const isNew = known !== undefined && known.generation !== generation;
      return isNew ? [DataKeysFounded.of({ keysId: known.keysId, generation })] : [];
    }
    const { keysId, instead } = command;
    return known?.keysId === instead && keysId !== instead ? [DataKeysFounded.of({ keysId })] : [];
  },
};

/** One log has one store of keys. */
const ID = 'keys';

/** The data keys are not those that the log was written with. */
export class MissingKeys extends Error {
  constructor(place: string) {
    super(
      `The data keys of this log are missing: ${place} holds none, or those of another log. Put a backup ` +
        'of them there (waybill restore --keys, see docs/running.md). If they are lost for good, start ' +
        'once with WAYBILL_KEYS_LOST=yes: all contents of contacts until now then show as erased. ' +
        'Nothing was changed',
    );
    this.name = 'MissingKeys';
  }
}

/** The data keys are those of the log, but older than a key of the installation that it names. */
export class OldKeys extends Error {
  constructor(place: string, generation: string) {
    super(
      `The data keys in ${place} are older than this log: they lack the key ${generation}, which ` +
        '`waybill secret rotate --deep` made. Put a newer backup of them there (waybill restore --keys, see ' +
        'docs/running.md). If there is none, start once with WAYBILL_KEYS_LOST=yes: the access tokens, API ' +
        'keys and secrets of webhooks that are under it must be made again',
    );
    this.name = 'OldKeys';
  }
}

/** The id that a store of keys has from its first use. */
export interface KeysIdentity {
  /** Where the keys are, for messages. */
  place: string;
  find(): Promise<string | undefined>;
  /** Gives the store an id where it has none. Resolves to the id that it has then. */
  found(): Promise<string>;
}

interface Deps {
  store: EventStore;
  identity: KeysIdentity;
  clock: Clock;
  ids: Ids;
  /** The keys of the log are lost: these replace them. */
  keysLost?: boolean;
}

/** Throws MissingKeys where the log names other keys. Resolves to what it names, and what is here. */
export const demandDataKeys = async ({ store, identity, clock, ids, keysLost = false }: Deps) => {
  const writer = createWriter({ store, clock, ids });
  const { state } = await writer.load(dataKeysDecider, ID);
  const named = state?.keysId;
  const here = await identity.find();
  const areOurs = named !== undefined && here === named;
  if (named !== undefined && !areOurs && !keysLost) throw new MissingKeys(identity.place);
  return { named, here, areOurs, generation: areOurs ? state?.generation : undefined };
};

/** Names the newest generation of the installation's key in the log, unless that does so already. */
export const nameGeneration = async (
  { store, clock, ids }: Pick<Deps, 'store' | 'clock' | 'ids'>,
  generation: string,
): Promise<void> => {
  const writer = createWriter({ store, clock, ids });
  const context = { requestId: ids.uuid(), cause: 'generation' };
  await writer.execute(dataKeysDecider, ID, { type: 'NameGeneration', generation }, context);
};

/**
 * Throws MissingKeys unless these are the keys of the log. A log without keys, a new one or one of an
 * older program, takes them.
 */
export const checkDataKeys = async (deps: Deps): Promise<void> => {
  const { store, identity, clock, ids } = deps;
  const { named, here, areOurs } = await demandDataKeys(deps);
  if (areOurs) return;
  const keysId = here ?? (await identity.found());
  const command = { type: 'Found' as const, keysId, instead: named };
  const context = { requestId: ids.uuid(), cause: 'start' };
  const writer = createWriter({ store, clock, ids });
  const { state } = await writer.execute(dataKeysDecider, ID, command, context);
  // Another process has founded others at the same moment.
  if (state?.keysId !== keysId) throw new MissingKeys(identity.place);
};
