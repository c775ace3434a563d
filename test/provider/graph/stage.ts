import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import type { Provider } from '../../../src/provider/provider.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useStubbedConnections } from '../../support/network.ts';

/** Where the client of `useGraphProvider` looks for the provider. */
export const GRAPH = 'https://graph.example';

/** The client of the provider, a new one for each test; what it calls is stubbed. */
export const useGraphProvider = (
  options: Partial<Parameters<typeof createGraphProvider>[0]> = {},
): Provider => {
  useStubbedConnections();
  const terms = { baseUrl: GRAPH, version: 'v25.0', timeoutMs: 60_000 };
  return inEachTest(async () => createGraphProvider({ ...terms, ...options }));
};
