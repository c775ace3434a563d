/** The section of the runbooks for each thing that can be red. */
export const runbooks = {
  service: 'errors',
  log: 'log-server-down',
  views: 'read-models-down',
  keys: 'key-lost',
  lookups: 'read-models-late',
  projections: 'projection-halted',
  partitions: 'read-models-late',
  reactors: 'work-fails',
  erasures: 'work-fails',
  clock: 'clock-wrong',
  provider: 'provider-down',
  callbacks: 'callbacks-missing',
  backups: 'backup-late',
  certificates: 'certificate-near-its-end',
  seals: 'seals-late',
  duties: 'read-models-late',
  failures: 'provider-refuses',
  deadLetters: 'dead-letters',
  ledger: 'ledger-in-doubt',
  silent: 'callbacks-missing',
} as const;

export type Red = keyof typeof runbooks;
