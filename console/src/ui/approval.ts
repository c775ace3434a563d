const WAITS = 'Not done yet: it waits for another administrator, see Approvals';

/** What became of a request: where an organisation asks for two people, it waits for the other one. */
export const outcomeWords = ({ data }: { data?: object | undefined }, done: string): string =>
  data && 'approval' in data ? WAITS : done;
