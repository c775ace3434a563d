import nock from 'nock';

/** Importing nock anywhere puts it before all connections; it stands aside for these tests. */
export const useRealConnections = (): void => {
  let wasActive = false;
  before(() => {
    wasActive = nock.isActive();
    nock.restore();
  });
  after(() => {
    if (wasActive) nock.activate();
  });
};

/** The same for a piece of work outside such tests, as in a hook of a whole file. */
export const withRealConnections = async <T>(work: () => Promise<T>): Promise<T> => {
  const wasActive = nock.isActive();
  nock.restore();
  try {
    return await work();
  } finally {
    if (wasActive) nock.activate();
  }
};

/** Connections go to nock alone; at the end of each test all that was expected has happened. */
export const useStubbedConnections = (): void => {
  let wasActive = false;
  before(() => {
    wasActive = nock.isActive();
    if (!wasActive) nock.activate();
    // Another file of the same process may have left some.
    nock.cleanAll();
  });
  beforeEach(() => nock.disableNetConnect());
  afterEach(() => {
    const left = nock.pendingMocks();
    nock.cleanAll();
    nock.enableNetConnect();
    if (left.length > 0) throw new Error(`never asked for: ${left.join(', ')}`);
  });
  after(() => {
    if (!wasActive) nock.restore();
  });
};
