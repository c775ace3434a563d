import { Readable } from 'node:stream';
import { z } from 'zod';
import type { HeldSubject } from '../../commands/privacy/keys.ts';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { accounts } from '../../projections/accounts.ts';
import { answers } from '../../projections/answers.ts';
import { botRuns } from '../../projections/bot-runs.ts';
import { contacts } from '../../projections/contacts.ts';
import { conversations } from '../../projections/conversations.ts';
import { deadletters } from '../../projections/dead-letters.ts';
import { media } from '../../projections/media.ts';
import { messages } from '../../projections/messages.ts';
import { refunds } from '../../projections/refunds.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { contact } from './erasures.ts';
import { heldRows, type Source } from './held-rows.ts';

/** The text of the export, a few rows at a time. */
async function* textOf(
  source: Source,
  asked: string,
  subjects: readonly HeldSubject[],
  signal: AbortSignal,
) {
  yield `{"contact":${JSON.stringify(asked)},"accounts":[`;
  let betweenAccounts = '';
  for (const [accountId, own] of Map.groupBy(subjects, (one) => one.accountId)) {
    yield `${betweenAccounts}{"accountId":${JSON.stringify(accountId)}`;
    betweenAccounts = ',';
    for (const [name, rows] of Object.entries(heldRows)) {
      yield `,"${name}":[`;
      let between = '';
      for (const subject of own) {
        for await (const row of rows(source, subject)) {
          signal.throwIfAborted();
          yield between + JSON.stringify(row);
          between = ',';
        }
      }
      yield ']';
    }
    yield '}';
  }
  yield ']}';
}

const rows = (what: string) => z.array(z.record(z.string(), z.unknown())).describe(what);

const Export = z
  .object({
    contact: z.string().describe('The contact as it was asked for.'),
    accounts: z
      .array(
        z.object({
          accountId: z.string().describe('Id of the account.'),
          joins: rows('Ids of the contact that belong together, and since when.'),
          messages: rows('Messages in both directions, as `/v1/messages` shows them.'),
          conversations: rows('Conversations, with the newest message of each.'),
          runs: rows('Runs of bots, with their variables.'),
          files: rows('Files that the contact sent.'),
          forwards: rows('Messages that went on to the URL of a number.'),
          deadLetters: rows('Items that could not be taken in, whole.'),
          answers: rows(
            'Stored answers of requests with an `Idempotency-Key`; of a batch the results of this contact.',
          ),
        }),
      )
      .describe('The accounts that hold something of the contact.'),
  })
  .meta({ id: 'ContactExport' });

/** All that is held of a contact. */
export const contactExportRoute = (
  deps: { privacy: Privacy } & Omit<Source, 'models'>,
): JsonRoute =>
  defineRoute({
    method: 'GET',
    path: '/admin/v1/contacts/:contact/export',
    access: 'administrator',
    tags: ['Privacy'],
    summary: 'Export all that is held of a contact',
    description:
      "By digits, `+` and digits, or the provider's id of a customer, with everything under its other ids. A contact of whom nothing is held has no accounts. A connection that ends before the closing bracket brought a part only.",
    answer: 'Everything of the contact, by account, as a stream.',
    request: {
      params: z.object({ contact }),
      query: z.object({
        accountId: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .describe('In this account alone; in all accounts when absent.'),
      }),
    },
    responses: { 200: Export },
    download: 'json',
    errors: ['resource.unknown'],
    reads: [
      accounts,
      contacts,
      messages,
      refunds,
      conversations,
      botRuns,
      media,
      deadletters,
      answers,
    ],
    async handle({ params, query: { accountId = null } }, { models, signal }) {
      if (accountId !== null) await deps.privacy.mustKnow(accountId);
      const subjects = await deps.privacy.findSubjects(params.contact, accountId);
      const source = { store: deps.store, subjects: deps.subjects, models };
      const text = textOf(source, params.contact, subjects, signal());
      return reply(200, Readable.from(text, { objectMode: false }) as never, {
        'Content-Type': 'application/json; charset=utf-8',
      });
    },
  });
