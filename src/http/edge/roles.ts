import type { operatorRoles, PersonRole, tenantRoles } from '../../events/person.ts';

// What the roles of people may do. The frame checks it as it checks the scopes of keys; the table in
// docs/console.md is made of this one.

/** Scopes that a key may have. */
export const keyScopes = [
  'notifications:send',
  'messages:send',
  'messages:read',
  'conversations:write',
  'media:read',
  'media:write',
  'templates:read',
  'templates:write',
  'phones:read',
  'phones:write',
  'bots:read',
  'bots:write',
  'credits:read',
  'account:write',
  'webhooks:read',
  'webhooks:write',
  'gateway',
] as const;

/** Those that read contents: who sees none gives none of them to a key. */
export const readingScopes: readonly string[] = [
  'messages:read',
  'media:read',
  'bots:read',
  'gateway',
];

/** Scopes of people alone. */
const personScopes = ['keys', 'people'] as const;

export type Scope = (typeof keyScopes)[number] | (typeof personScopes)[number];

interface Rights {
  scopes: readonly Scope[];
  /** Whether it sees texts, names and whole numbers of customers. */
  seesContents: boolean;
}

export const allScopes: readonly Scope[] = [...keyScopes, ...personScopes];

const rights = (seesContents: boolean, scopes: readonly Scope[]): Rights => ({
  scopes,
  seesContents,
});

type TenantRole = (typeof tenantRoles)[number];

/** In the accounts of the person's organisation. */
export const tenantRights: Readonly<Record<TenantRole, Rights>> = {
  owner: rights(true, allScopes),
  manager: rights(
    true,
    allScopes.filter((scope) => scope !== 'keys' && scope !== 'gateway'),
  ),
  developer: rights(false, [
    'keys',
    'webhooks:read',
    'webhooks:write',
    'templates:read',
    'templates:write',
    'notifications:send',
    'messages:send',
    'messages:read',
    'phones:read',
  ]),
  agent: rights(true, [
    'messages:read',
    'messages:send',
    'conversations:write',
    'notifications:send',
    'media:read',
    'media:write',
    'templates:read',
    'phones:read',
  ]),
  viewer: rights(false, ['messages:read', 'templates:read', 'phones:read']),
};

type OperatorRole = (typeof operatorRoles)[number];

/** Methods beside GET: all of them, those of routes with one of these accesses. */
interface OperatorRights {
  writes: 'all' | readonly string[];
  seesContents: boolean;
}

export const operatorRights: Readonly<Record<OperatorRole, OperatorRights>> = {
  admin: { writes: 'all', seesContents: true },
  support: { writes: ['auditor', 'support'], seesContents: false },
  auditor: { writes: ['auditor'], seesContents: true },
};

export const isOperatorRole = (role: PersonRole): role is OperatorRole => role in operatorRights;
