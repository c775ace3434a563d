import { registerHooks } from 'node:module';

// Loaded before the real program: what it opens as its log is then a part of the server's, so that
// it does not matter what else stands there, or is written meanwhile by others.

const THE_LOG = './events/eventstoredb/store.ts';

registerHooks({
  resolve(specifier, context, next) {
    const isOfProgram = specifier === THE_LOG && context.parentURL?.endsWith('/src/run.ts');
    return next(isOfProgram ? import.meta.resolve('./partstore.ts') : specifier, context);
  },
});
