import type * as callers from '../../../clients/typescript/src/generated/reference.ts';
import type * as administration from '../generated/administration.ts';

// The types of the whole reference: of callers and of administrators.

export type paths = callers.paths & administration.paths;

type OfCallers = callers.components['schemas'];
type OfAdministration = administration.components['schemas'];

export interface components {
  schemas: OfCallers & Omit<OfAdministration, keyof OfCallers>;
}
