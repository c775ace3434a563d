import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

export const BotTrigger = z.enum(['KEYWORD', 'ANY_MESSAGE', 'BUTTON_REPLY', 'LIST_REPLY', 'OPTIN']);
export type BotTrigger = z.output<typeof BotTrigger>;

export const BotMatchType = z.enum(['EXACT', 'CONTAINS', 'STARTS_WITH']);
export type BotMatchType = z.output<typeof BotMatchType>;

/** The bot editor's nodes and edges, stored verbatim. */
const verbatim = z.array(z.record(z.string(), z.unknown()));

/** The definition of a bot by its owner (contract 2.5). */
export const BotDefinition = z.object({
  name: z.string(),
  description: z.string().nullable(),
  /** Null: every number of the account. */
  phoneNumberId: z.string().nullable(),
  trigger: BotTrigger,
  triggerKeywords: z.array(z.string()),
  triggerMatchType: BotMatchType,
  isActive: z.boolean(),
  nodes: verbatim,
  edges: verbatim,
});
export type BotDefinition = z.output<typeof BotDefinition>;

const secretFields = ['url', 'headers', 'body'];

/** The places in the nodes of a field that can hold secrets of the systems that they call. */
const secretsIn = (field: string, nodes: readonly Record<string, unknown>[] = []) =>
  nodes.flatMap(({ type, data }, at) => {
    if (type !== 'http_request' || typeof data !== 'object' || data === null) return [];
    const names = secretFields.filter((name) => Object.hasOwn(data, name));
    return names.map((name) => [field, 'nodes', at, 'data', name]);
  });

/**
 * A bot was created, changed or deleted. The event holds the whole definition, so a run stores only
 * the revision at which it began.
 */
export const BotChanged = defineEvent(
  'BotChanged',
  z.object({
    botId: z.string(),
    accountId: z.string(),
    change: z.enum(['created', 'updated', 'deleted']),
    /** After the change; null when deleted. */
    bot: BotDefinition.nullable(),
  }),
  // Version 1 has them in clear.
  [(v1) => v1],
  undefined,
  { paths: ({ bot }) => secretsIn('bot', bot?.nodes), unopened: {} },
);

/** A graph that is edited beside the live one, which it changes when it is published. */
export const BotDrafted = defineEvent(
  'BotDrafted',
  z.object({
    botId: z.string(),
    accountId: z.string(),
    /** Null once it was published or thrown away. */
    draft: z
      .object({
        /** The live version that it was begun from. */
        basis: z.int().min(1),
        nodes: verbatim,
        edges: verbatim,
      })
      .nullable(),
  }),
  [],
  undefined,
  { paths: ({ draft }) => secretsIn('draft', draft?.nodes), unopened: {} },
);
export type BotDraft = NonNullable<FactOf<typeof BotDrafted>['data']['draft']>;

export const botEvents = [BotChanged, BotDrafted] as const;
export type BotFact = FactOf<typeof BotChanged>;
export type BotDraftFact = FactOf<typeof BotDrafted>;
