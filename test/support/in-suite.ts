interface Opened {
  close(): unknown;
}

/** The object stays the same; what it has is that of what was opened last. */
const become = <T extends Opened>(self: T, opened: T): void => {
  Object.defineProperties(self, Object.getOwnPropertyDescriptors(opened));
};

/** Opened before the tests of the suite, and closed after them. */
export const inSuite = <T extends Opened>(open: () => Promise<T>): T => {
  const self = {} as T;
  before(async () => become(self, await open()));
  after(() => self.close());
  return self;
};

/** Opened anew for each test of the suite. */
export const inEachTest = <T extends Opened>(open: () => Promise<T>): T => {
  const self = {} as T;
  beforeEach(async () => become(self, await open()));
  afterEach(() => self.close());
  return self;
};
