import { Agent, buildConnector } from 'undici';

/** Within `run`, nock lets a connection be: it makes its own ones there. */
interface Nock {
  __MSW_INTERNAL_CONNECTION_CONTEXT?: { run(work: () => void): void };
}

/**
 * Connections to what a test itself has started. They go past nock, which would parse each request,
 * build another one of it and look for a stub: as much work as the service has with it.
 */
export const createLoopbackAgent = (options: Agent.Options = {}): Agent => {
  const dial = buildConnector({});
  return new Agent({
    connections: 256,
    ...options,
    connect(to, callback) {
      const past = (globalThis as Nock).__MSW_INTERNAL_CONNECTION_CONTEXT;
      if (past) past.run(() => dial(to, callback));
      else dial(to, callback);
    },
  });
};
