import type { NewEvent } from '../../../src/events/store.ts';

type DiesAt = (event: NewEvent) => boolean;
