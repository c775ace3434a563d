import type { Command } from 'commander';
import { type Call, route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import type { Row } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import type { Column } from '../output/table.ts';
import type { Verb } from '../program/noun.ts';

// The verbs that most nouns have.

/** `show <id>` of a collection, such as `/accounts`. */
export const showVerb =
  (collection: string, description: string, factsOf?: (thing: Row) => Facts): Verb =>
  (noun, act) =>
    noun
      .command('show')
      .description(description)
      .argument('<id>')
      .action(
        act(async ({ api, out }, id: string) =>
          out.one(await api.get(collection + route`/${id}`), factsOf),
        ),
      );

interface PostOptions {
  argument?: string;
  /** The sentence for an answer that has nothing to show. */
  done?: (id: string) => string;
}

/** A verb that the API has under the same name: `POST <collection>/<id>/<verb>`. */
export const postVerb =
  (
    collection: string,
    verb: string,
    description: string,
    { argument = '<id>', done }: PostOptions = {},
  ): Verb =>
  (noun, act) =>
    noun
      .command(verb)
      .description(description)
      .argument(argument)
      .action(
        act(async ({ api, out }, id: string) => {
          const answer = await api.send('POST', collection + route`/${id}/${verb}`);
          if (done) out.done(answer, done(id));
          else out.one(answer);
        }),
      );

interface Listing<Options> {
  /** Of the verb; `list` when absent. */
  name?: string;
  description: string;
  /** Path of the list; `owner` is the argument before the options, where there is one. */
  from: string | ((options: Options, owner: string) => string);
  /** Field of the answer that holds the rows; none where the answer is the rows. */
  field?: string;
  /** Adds an argument, or the options that select rows. */
  selection?: (list: Command) => unknown;
  query?: (options: Options) => Call['query'];
  columns: readonly Column[];
  /** False where the API answers with all rows at once. */
  pages?: boolean;
}

/** `list`, or another verb that lists, a page at a time. */
export const listVerb =
  <Options = unknown>(listing: Listing<Options>): Verb =>
  (noun, act) => {
    const { description, from, field, selection, query, columns, pages = true } = listing;
    const list = noun.command(listing.name ?? 'list').description(description);
    selection?.(list);
    if (pages) withPages(list);
    list.action(
      act(async ({ api, out }, ...args: unknown[]) => {
        // A noun that does something itself, as `send` does, takes options of its verbs.
        const options = list.optsWithGlobals<Options & PageOptions>();
        const path = typeof from === 'string' ? from : from(options, String(args[0]));
        const rows = { from: path, field, query: query?.(options) };
        out.list(await readRows(api, rows, options), columns);
      }),
    );
  };
