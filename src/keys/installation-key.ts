import { createSecretKey, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { decrypt, encrypt, NONCE_BYTES } from '../shared/aes.ts';
import type { Clock, Ids } from '../shared/clock.ts';
import {
  FIRST_GENERATION,
  type Generation,
  generationsUpTo,
  type InstallationKey,
} from '../shared/installation-key.ts';
import { deriveKey } from '../shared/secrets.ts';
import { type KeyReader, type KeyStore, KeysUnavailable } from './key-store.ts';

// The key of the installation lies among the data keys, as the keys of a subject that is no contact. What
// a contact's month is, is a version here: a change writes the next version, of which rivals get the
// same, and then destroys the earlier ones. Backups, copies and both stores know it without more.

const NAME = 'installation-key';
/** Changes of the secret, and of the key, in the life of an installation. */
const VERSIONS_MAX = 500;
const VERSIONS = Array.from({ length: VERSIONS_MAX }, (_, index) =>
  String(index + 1).padStart(4, '0'),
);
const KEY_BYTES = 32;
const NAME_BYTES = 4;

const Generations = z.array(z.object({ name: z.string(), key: z.base64(), from: z.int() })).min(1);

const wrapKeyOf = (secret: Uint8Array) => createSecretKey(deriveKey(secret, 'installation-key/v1'));

const wrap = (secret: Uint8Array, version: string, generations: readonly Generation[]) => {
  const content = generations.map(({ name, key, from }) => ({
    name,
    key: Buffer.from(key).toString('base64'),
    from,
  }));
  const under = { nonce: randomBytes(NONCE_BYTES), context: `${NAME} ${version}` };
  return encrypt(wrapKeyOf(secret), under, Buffer.from(JSON.stringify(content)));
};

/** Undefined for what was wrapped under another secret. */
const unwrap = (
  secret: Uint8Array,
  version: string,
  wrapped: Uint8Array,
): readonly Generation[] | undefined => {
  let text: string;
  try {
    text = decrypt(wrapKeyOf(secret), `${NAME} ${version}`, Buffer.from(wrapped)).toString();
  } catch {
    return undefined;
  }
  return Generations.parse(JSON.parse(text)).map(({ key, ...of }) => ({
    ...of,
    key: Buffer.from(key, 'base64'),
  }));
};

/** What a store holds of the key. */
type Kept =
  | { state: 'none' }
  /** It is wrapped under none of the secrets. */
  | { state: 'locked'; version: string }
  /** `under`: the index of the secret that opens it. */
  | { state: 'open'; version: string; under: number; generations: readonly Generation[] };

/** Reads the newest version that one of the secrets opens. */
const readInstallationKey = async (
  keys: Pick<KeyReader, 'keys' | 'subjects'>,
  secrets: readonly Uint8Array[],
): Promise<Kept> => {
  const [subject] = await keys.subjects([NAME]);
  if (!subject) return { state: 'none' };
  const { ref } = subject;
  const found = await keys.keys(VERSIONS.map((month) => ({ ref, month })));
  const newestFirst = found.sort((one, other) => (one.month < other.month ? 1 : -1));
  const [newest] = newestFirst;
  if (!newest) return { state: 'none' };
  for (const { month: version, wrapped } of newestFirst) {
    for (const [under, secret] of secrets.entries()) {
      const generations = unwrap(secret, version, wrapped);
      if (generations) return { state: 'open', version, under, generations };
    }
  }
  return { state: 'locked', version: newest.month };
};

/** The key is wrapped under another secret than those that are set. */
export class LockedKey extends Error {
  constructor() {
    super(
      'The key of this installation, which lies among the data keys, is wrapped under an earlier ' +
        'WAYBILL_SECRET: the data keys were put back from a backup that is older than the last change of ' +
        'the secret. Set WAYBILL_SECRET_PREVIOUS to the secret of that time, or put a newer backup there. ' +
        'Nothing was changed',
    );
    this.name = 'LockedKey';
  }
}

/** What finds, wraps and extends the key. */
interface KeyCustody {
  keys: Pick<KeyStore, 'keys' | 'subjects' | 'ensure' | 'destroyMonths' | 'clean'>;
  /** The present one, and while it is being changed the previous one. */
  secrets: readonly Uint8Array[];
  ids: Pick<Ids, 'uuid'>;
}

/** Writes the next version; what a rival has written instead is seen by the next reading. */
const writeNext = async (
  { keys, secrets, ids }: KeyCustody,
  after: string | undefined,
  generations: readonly Generation[],
): Promise<void> => {
  const version = VERSIONS[after === undefined ? 0 : VERSIONS.indexOf(after) + 1];
  if (version === undefined) throw new Error(`the key was wrapped anew ${VERSIONS_MAX} times`);
  const subject = { hash: NAME, ref: ids.uuid(), accountId: NAME };
  await keys.ensure([subject], version, () => wrap(secrets[0]!, version, generations));
};

/** Rivals write a version at most a few times during one call. */
const ATTEMPTS_MAX = 5;

/**
 * The generations of the key, wrapped under the present secret from now on. `make` gives the key of a
 * store that holds none; `isLost`: so it does where no secret opens what is there.
 */
export const settleInstallationKey = async (
  custody: KeyCustody,
  { make, isLost }: { make: () => Uint8Array | Promise<Uint8Array>; isLost: boolean },
): Promise<readonly Generation[]> => {
  const { keys, secrets } = custody;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const kept = await readInstallationKey(keys, secrets);
    if (kept.state === 'open' && kept.under === 0) return kept.generations;
    if (kept.state === 'open') await writeNext(custody, kept.version, kept.generations);
    else if (kept.state === 'locked' && !isLost) throw new LockedKey();
    else {
      const version = kept.state === 'locked' ? kept.version : undefined;
      const first = { name: FIRST_GENERATION, key: await make(), from: 0 };
      await writeNext(custody, version, [first]);
    }
  }
  throw new KeysUnavailable('others change the key of the installation');
};

/** Destroys all versions but the newest, which earlier secrets open. */
export const destroyEarlierVersions = async ({ keys, secrets }: KeyCustody): Promise<void> => {
  const kept = await readInstallationKey(keys, secrets);
  if (kept.state !== 'open') return;
  const before = VERSIONS[VERSIONS.indexOf(kept.version) - 1];
  if (before === undefined || (await keys.destroyMonths(NAME, before)) === 0) return;
  await keys.clean();
};

export const newKey = (): Uint8Array => randomBytes(KEY_BYTES);

/** How long all instances have to read a new generation before it seals. */
export const SPREAD_MS = 15_000;

/** The key of a running process. */
export interface LiveKey extends InstallationKey {
  /** Takes what was read at the start. */
  set(generations: readonly Generation[]): void;
  /** Reads what other processes have added. */
  refresh(): Promise<void>;
  /** Adds a generation for what can be sealed and hashed again. */
  extend(): Promise<Generation>;
}

export const createLiveKey = (custody: KeyCustody, clock: Clock, spreadMs = SPREAD_MS): LiveKey => {
  let known: readonly Generation[] | undefined;
  const all = (): readonly Generation[] => {
    if (!known) throw new KeysUnavailable('the key of the installation is not read yet');
    return known;
  };
  const read = async () => {
    const kept = await readInstallationKey(custody.keys, custody.secrets);
    // Of an instance that still has the old secret, only a start reads it.
    if (kept.state === 'open' && known && kept.generations.length > known.length) {
      known = kept.generations;
    }
  };
  let reading: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const upTo = (name: string): readonly Generation[] => {
    const found = generationsUpTo(all(), name);
    if (found) return found;
    void refresh().catch(() => undefined);
    throw new KeysUnavailable(`the key ${name} is not read yet`);
  };
  return {
    first: () => all()[0]!.key,
    newest: () => all().findLast(({ from }) => from <= clock.now())!,
    named: (name) => upTo(name).at(-1)!,
    upTo,
    set(generations) {
      known = generations;
    },
    refresh,
    async extend() {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        const kept = await readInstallationKey(custody.keys, custody.secrets);
        if (kept.state !== 'open') throw new LockedKey();
        const { generations, version } = kept;
        // Not the name of one that was lost with newer data keys: the log holds what is under that.
        const name = `v${generations.length + 1}-${randomBytes(NAME_BYTES).toString('hex')}`;
        const made = { name, key: newKey(), from: clock.now() + spreadMs };
        await writeNext(custody, version, [...generations, made]);
        await read();
        const written = all().find((one) => one.name === name);
        if (!written) continue;
        await destroyEarlierVersions(custody);
        return written;
      }
      throw new KeysUnavailable('others change the key of the installation');
    },
  };
};
