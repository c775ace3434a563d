import type { UpToDate } from './read-models.ts';
import type { JsonRoute } from './route.ts';

/**
 * Gives the handler the read models that its route declares in `reads`: a GET has them before it
 * starts, any other method asks for them after its command.
 */
export const readYourWrites = (route: JsonRoute, upToDate: UpToDate): JsonRoute => {
  const { method, reads = [] } = route;
  const ask = () => upToDate(reads);
  return {
    ...route,
    async handle(input, context) {
      const given = method === 'GET' ? { models: await ask() } : { upToDate: ask };
      // A copy of the context would make its logger and its signal, which few handlers use.
      return route.handle(input, Object.assign(context, given));
    },
  };
};
