/**
 * Gives back what starting took and nothing needs any more; without it an idle process keeps it,
 * for it collects only when it allocates. Does nothing where node runs without `--expose-gc`.
 */
export const settleMemory = (): void => {
  void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
};
