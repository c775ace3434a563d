import { LRUCache } from 'lru-cache';
import type { Provider, ProviderTemplate, Sender } from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups, TemplateRow } from '../core/lookups.ts';
import { templateDecider, templateIdOf } from './template.ts';
import { ownerOf, type TemplateOwner } from './template-owner.ts';

/** A name for which no approved template is known is read live at most this often. */
const READ_AGAIN_AFTER_MS = 60_000;

/** A template as the provider showed it, and the account whose own it is. */
export type SeenTemplate = ProviderTemplate & TemplateOwner;

export interface Mirror {
  /**
   * Reads all templates of the sender's business account, whosever they are, and brings the mirror up
   * to them.
   */
  refresh(sender: Sender, context: CommandContext): Promise<readonly SeenTemplate[]>;
  /**
   * Reads the templates of one name, at most once a minute; callers that come meanwhile wait for
   * the same read. Undefined when it was read too lately or the provider cannot be read.
   */
  readName(
    sender: Sender,
    name: string,
    context: CommandContext,
  ): Promise<readonly SeenTemplate[] | undefined>;
  /** Takes in what a read of one template showed. */
  note(wabaId: string, seen: ProviderTemplate, context: CommandContext): Promise<SeenTemplate>;
}

/** The local copy of what the provider has, kept by events. */
export const createMirror = (deps: {
  writer: Writer;
  provider: Provider;
  lookups: Pick<Lookups, 'templates' | 'allTemplates'>;
  clock: Clock;
  onUnreadable?: (error: unknown) => void;
}): Mirror => {
  const { writer, provider, lookups, clock } = deps;
  const lastReads = new LRUCache<string, number>({ max: 10_000 });
  const underWay = new Map<string, Promise<readonly SeenTemplate[] | undefined>>();

  const note: Mirror['note'] = async (wabaId, seen, context) => {
    const identity = { wabaId, name: seen.name, language: seen.language };
    const { metaTemplateId, category, status, statusReason, components } = seen;
    const row = { metaTemplateId, category, status, statusReason, components };
    const command = { type: 'NoteSeen' as const, identity, ...row, now: clock.now() };
    const { state } = await writer.execute(
      templateDecider,
      templateIdOf(identity),
      command,
      context,
    );
    return { ...seen, accountId: ownerOf(state, metaTemplateId) };
  };

  const bringUp = async (
    wabaId: string,
    known: readonly TemplateRow[],
    seen: readonly ProviderTemplate[],
    context: CommandContext,
  ) => {
    const gone = known.filter(
      (row) => !seen.some(({ name, language }) => name === row.name && language === row.language),
    );
    const noted = await Promise.all(seen.map((template) => note(wabaId, template, context)));
    await Promise.all(
      gone.map(({ name, language }) => {
        const identity = { wabaId, name, language };
        const command = { type: 'NoteRemoval' as const, identity };
        return writer.execute(templateDecider, templateIdOf(identity), command, context);
      }),
    );
    return noted;
  };

  const readNameNow = async (sender: Sender, name: string, context: CommandContext) => {
    try {
      const seen = await provider.listTemplates(sender, name);
      const known = await lookups.templates(sender.wabaId, name, { fresh: true });
      return await bringUp(sender.wabaId, known, seen, context);
    } catch (error) {
      deps.onUnreadable?.(error);
      return undefined;
    }
  };

  return {
    note,
    async refresh(sender, context) {
      const seen = await provider.listTemplates(sender);
      const known = await lookups.allTemplates(sender.wabaId);
      return bringUp(sender.wabaId, known, seen, context);
    },
    readName(sender, name, context) {
      const key = `${sender.wabaId}.${name}`;
      const running = underWay.get(key);
      if (running) return running;
      const last = lastReads.get(key);
      if (last !== undefined && clock.now() - last < READ_AGAIN_AFTER_MS) {
        return Promise.resolve(undefined);
      }
      lastReads.set(key, clock.now());
      const reading = readNameNow(sender, name, context).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };
};
