import { type Reactor, reactTo } from '../../src/commands/core/reactor.ts';
import type { KnownEvent } from '../../src/events/index.ts';

/** What a reactor does for an event that is for all accounts of this process, which does not stop. */
export const react = (reactor: Pick<Reactor, 'on'>, event: KnownEvent) =>
  reactTo(reactor, event, { signal: new AbortController().signal, isFor: () => true });
