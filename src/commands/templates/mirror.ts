import { LRUCache } from 'lru-cache';
import type { Provider, ProviderTemplate, Sender } from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups, TemplateRow } from '../core/lookups.ts';
import { templateDecider, templateIdOf } from './template.ts';
import { ownerOf, type TemplateOwner } from './template-owner.ts';

/** Reads the templates of a name without an approved one at most this often. */
const READ_AGAIN_AFTER_MS = 60_000;

/** A template of the provider, the account that owns it, and the announced change of its category. */
export type SeenTemplate = ProviderTemplate & TemplateOwner & Pick<TemplateRow, 'changingTo'>;

export interface Mirror {
  /** Reads all templates of the sender's business account, of every owner, and stores them. */
  refresh(sender: Sender, context: CommandContext): Promise<readonly SeenTemplate[]>;
  /**
   * Reads the templates of one name, at most once a minute; concurrent callers share one read.
   * Undefined after a read in the last minute, or when the provider cannot be read.
   */
  readName(
    sender: Sender,
    name: string,
    context: CommandContext,
  ): Promise<readonly SeenTemplate[] | undefined>;
  /** Stores one template that the provider has shown. */
  note(wabaId: string, seen: ProviderTemplate, context: CommandContext): Promise<SeenTemplate>;
  /** Removes one template that the provider has removed. */
  forget(row: TemplateRow, context: CommandContext): Promise<void>;
}

interface Deps {
  writer: Writer;
  provider: Provider;
  lookups: Pick<Lookups, 'templates' | 'allTemplates'>;
  clock: Clock;
  onUnreadable?: (error: unknown) => void;
}

/** The row as the stream of its template holds it. */
const basisOf = (row: TemplateRow | undefined) => {
  if (!row) return null;
  const { metaTemplateId, category, status, statusReason, changingTo = null } = row;
  return { metaTemplateId, category, status, statusReason, changingTo };
};

type Basis = ReturnType<typeof basisOf>;

const noteSeen = async (
  { writer, clock }: Deps,
  wabaId: string,
  seen: ProviderTemplate,
  context: CommandContext,
  basis?: Basis,
): Promise<SeenTemplate> => {
  const { name, language, ...row } = seen;
  const identity = { wabaId, name, language };
  const command = { type: 'NoteSeen' as const, identity, ...row, now: clock.now(), basis };
  const id = templateIdOf(identity);
  const { state } = await writer.execute(templateDecider, id, command, context);
  const { row: stored } = state;
  const changingTo = stored?.changingTo;
  const accountId = ownerOf(state, seen.metaTemplateId);
  // The read may be older than what is stored, which sends are charged by.
  const isSame = stored?.metaTemplateId === seen.metaTemplateId;
  const category = isSame ? stored.category : seen.category;
  return { ...seen, category, accountId, ...(changingTo && { changingTo }) };
};

const noteRemoval = (
  { writer }: Deps,
  { wabaId, name, language, metaTemplateId }: TemplateRow,
  context: CommandContext,
  basis?: Basis,
) => {
  const identity = { wabaId, name, language };
  const command = { type: 'NoteRemoval' as const, identity, metaTemplateId, basis };
  return writer.execute(templateDecider, templateIdOf(identity), command, context);
};

/**
 * Stores what the provider shows now, and removes the known templates that it no longer shows. `known` is
 * from before the read of the provider: a template that is new since then is not gone.
 */
const bringUp = async (
  deps: Deps,
  wabaId: string,
  known: readonly TemplateRow[],
  seen: readonly ProviderTemplate[],
  context: CommandContext,
): Promise<readonly SeenTemplate[]> => {
  const idOf = ({ name, language }: ProviderTemplate | TemplateRow) => `${name}.${language}`;
  const rows = new Map(known.map((row) => [idOf(row), row]));
  const shown = new Set(seen.map(idOf));
  const gone = known.filter((row) => !shown.has(idOf(row)));
  const noted = await Promise.all(
    seen.map((one) => noteSeen(deps, wabaId, one, context, basisOf(rows.get(idOf(one))))),
  );
  await Promise.all(gone.map((row) => noteRemoval(deps, row, context, basisOf(row))));
  return noted;
};

/** The local copy of the provider's templates, stored as events. */
export const createMirror = (deps: Deps): Mirror => {
  const { provider, lookups, clock } = deps;
  const lastReads = new LRUCache<string, number>({ max: 10_000 });
  const underWay = new Map<string, Promise<readonly SeenTemplate[] | undefined>>();

  const readNameNow = async (sender: Sender, name: string, context: CommandContext) => {
    try {
      const known = await lookups.templates(sender.wabaId, name, { fresh: true });
      const seen = await provider.listTemplates(sender, name);
      return await bringUp(deps, sender.wabaId, known, seen, context);
    } catch (error) {
      deps.onUnreadable?.(error);
      return undefined;
    }
  };

  return {
    note: (wabaId, seen, context) => noteSeen(deps, wabaId, seen, context),
    async forget(row, context) {
      await noteRemoval(deps, row, context);
    },
    async refresh(sender, context) {
      const known = await lookups.allTemplates(sender.wabaId);
      const seen = await provider.listTemplates(sender);
      return bringUp(deps, sender.wabaId, known, seen, context);
    },
    async readName(sender, name, context) {
      const key = `${sender.wabaId}.${name}`;
      const running = underWay.get(key);
      if (running) return running;
      const last = lastReads.get(key);
      if (last !== undefined && clock.now() - last < READ_AGAIN_AFTER_MS) return undefined;
      lastReads.set(key, clock.now());
      const reading = readNameNow(sender, name, context).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };
};
