let ending: Promise<void> | undefined;

/**
 * Resolves once this turn of the event loop has taken in whatever was ready for it. Answers that
 * wait for it leave together: one written between two requests wakes a caller who is asleep, which
 * costs more than to make the answer.
 */
export const endOfTurn = (): Promise<void> => {
  ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  });
  return ending;
};
