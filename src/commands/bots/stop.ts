/** A run cannot go on: its graph is broken there, or a bound is met. Ends it, not the process. */
export class RunStop extends Error {
  readonly reason: 'failed' | 'bounds';
  constructor(reason: 'failed' | 'bounds', message: string) {
    super(message);
    this.name = 'RunStop';
    this.reason = reason;
  }
}
