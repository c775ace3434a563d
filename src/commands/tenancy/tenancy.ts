import { createAccounts } from './accounts.ts';
import { createAdministrators } from './administrator.ts';
import { createApiKeys } from './api-key.ts';
import { createOrganisations } from './organisation.ts';
import { createSessionCommands, type SessionCommandsDeps } from './session.ts';

type Deps = Parameters<typeof createAccounts>[0] &
  Parameters<typeof createAdministrators>[0] &
  Parameters<typeof createApiKeys>[0] &
  SessionCommandsDeps;

/** Who may use the service: organisations, their accounts and keys, and administrators. */
export const createTenancy = (deps: Deps) => ({
  ...createOrganisations(deps),
  ...createAccounts(deps),
  ...createApiKeys(deps),
  ...createAdministrators(deps),
  ...createSessionCommands(deps),
});

export type Tenancy = ReturnType<typeof createTenancy>;
