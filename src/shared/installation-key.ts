// The key of an installation, from which all other keys derive. It lies wrapped under WAYBILL_SECRET among
// the data keys (keys/installation-key.ts), so that the secret can change while the key stays.

/** The key, or one that was added later for what can be sealed and hashed again. */
export interface Generation {
  /** `v1` for the first one, such as `v2-1f09b3c4` for later ones; without a dot. */
  name: string;
  key: Uint8Array;
  /** When it begins to seal, in milliseconds since 1970: all instances have read it by then. */
  from: number;
}

export interface InstallationKey {
  /** The key of the founding. This and the next one throw StoreUnavailable until it has been read. */
  first(): Uint8Array;
  /** The generation that seals now. */
  newest(): Generation;
  /** Throws StoreUnavailable for one that is not known: another process may have made it just now. */
  named(name: string): Generation;
  /** From the first one to one with this name. */
  upTo(name: string): readonly Generation[];
}

export const FIRST_GENERATION = 'v1';

/** Throws where it has no generation of the name. */
export const generationsUpTo = (
  generations: readonly Generation[],
  name: string,
): readonly Generation[] | undefined => {
  const at = generations.findIndex((one) => one.name === name);
  return at < 0 ? undefined : generations.slice(0, at + 1);
};

/** A key that is known from the beginning and has one generation. */
export const fixedKey = (key: Uint8Array): InstallationKey => {
  const generation = { name: FIRST_GENERATION, key, from: 0 };
  const upTo = (name: string) => {
    const found = generationsUpTo([generation], name);
    if (!found) throw new Error(`sealed under the unknown key ${name}`);
    return found;
  };
  return {
    first: () => key,
    newest: () => generation,
    named: (name) => upTo(name).at(-1)!,
    upTo,
  };
};
