import { Readable } from 'node:stream';
import { z } from 'zod';
import type { HeldSubject } from '../../commands/privacy/keys.ts';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { readCharge } from '../../events/completed.ts';
import { contactStream, parseContact } from '../../events/contact.ts';
import { conversationStream, expandSteps } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import { isThread } from '../../projections/absorbed-threads.ts';
import { accounts } from '../../projections/accounts.ts';
import { answers, placeOfAnswer } from '../../projections/answers.ts';
import { type BotRunDocument, botRuns } from '../../projections/bot-runs.ts';
import { contacts } from '../../projections/contacts.ts';
import { conversations } from '../../projections/conversations.ts';
import { deadletters } from '../../projections/dead-letters.ts';
import type { Projection } from '../../projections/define.ts';
import { newestPages } from '../../projections/engine/lists.ts';
import { media } from '../../projections/media.ts';
import { inboundKeyOf, messages } from '../../projections/messages.ts';
import { refunds } from '../../projections/refunds.ts';
import { refusals } from '../../projections/refusals.ts';
import { reservations } from '../../projections/reservations.ts';
import { scheduled } from '../../projections/scheduled.ts';
import type { Query } from '../../projections/views.ts';
import { reply } from '../edge/respond.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import type { ContactRefs } from '../v1/contact-filter.ts';
import { presentMessages } from '../v1/message-record.ts';
import { ADMINISTRATION } from './context.ts';
import { contact } from './erasures.ts';

/** Where everything about a contact is. */
export interface Source {
  /** The opened log. */
  store: Pick<EventReader, 'read'>;
  models: ReadModels;
  subjects: ContactRefs;
}

const PAGE = 100;
/** Conversations, runs, dead letters or files of one id of a contact; more of them are left out. */
const ROWS_MAX = 10_000;
/** Events of a conversation that are read for one run of a bot. */
const RUN_EVENTS_MAX = 1_000;

/** A document without what only the service needs. */
const shown = (document: object): Record<string, unknown> => {
  const inner = [
    'order',
    'sealedMonth',
    'laterMonths',
    'contactRef',
    'otherRef',
    'textRef',
    'searchText',
    'lane',
    'due',
  ];
  return Object.fromEntries(Object.entries(document).filter(([name]) => !inner.includes(name)));
};

const rowsOf = <Doc>({ models }: Source, projection: Projection<Doc>, ref: string) =>
  models.find(projection, {
    where: { contactRef: ref, sealedMonth: { gte: '' } },
    order: { field: 'sealedMonth', direction: 'ascending' },
    limit: ROWS_MAX,
  });

async function* messagesOf({ models, store }: Source, { accountId, ref }: HeldSubject) {
  const read = (query: Pick<Query, 'where' | 'order'>) =>
    models.page<object>(ADMINISTRATION, messages as Projection<never>, { ...query, limit: PAGE });
  for await (const rows of newestPages(read, { accountId, contactRef: ref })) {
    for (const { shown: message } of await presentMessages({ models, store }, rows as never))
      yield message;
  }
}

async function* conversationsOf(source: Source, { ref }: HeldSubject) {
  for (const thread of (await rowsOf(source, conversations, ref)).filter(isThread))
    yield shown(thread);
}

const variablesOf = async ({ store }: Source, run: BotRunDocument) => {
  const stream = conversationStream(run.conversationId);
  const read = await store.read(stream, { from: run.fromRevision, limit: RUN_EVENTS_MAX });
  const steps = (read as KnownEvent[])
    .flatMap<KnownEvent>(expandSteps)
    .flatMap((event) =>
      event.type === 'BotRunStepped' && event.data.runId === run.id ? [event.data] : [],
    );
  return Object.assign({}, ...steps.map(({ variables }) => variables));
};

async function* runsOf(source: Source, { ref }: HeldSubject) {
  for (const run of await rowsOf(source, botRuns, ref)) {
    yield { ...shown(run), variables: await variablesOf(source, run) };
  }
}

async function* deadLettersOf(source: Source, { ref }: HeldSubject) {
  for (const letter of await rowsOf(source, deadletters, ref)) {
    const [first] = await source.store.read(`deadletter-${letter.deadLetterId}`, { limit: 1 });
    const kept = first as KnownEvent | undefined;
    const raw = kept?.type === 'DeadLetterKept' ? kept.data.raw : null;
    yield { ...shown(letter), raw };
  }
}

/** Attempts without a message, and what was to be said. */
async function* attemptsOf({ models, store }: Source, { accountId, ref }: HeldSubject) {
  const read = (query: Pick<Query, 'where' | 'order'>) =>
    models.page(ADMINISTRATION, reservations, { ...query, limit: PAGE });
  for await (const rows of newestPages(read, { accountId, contactRef: ref })) {
    for (const { chargeId, createdAt: at, state, event } of rows) {
      const charge = await readCharge(store, { accountId, chargeId });
      yield { id: chargeId, at, state, event, said: charge?.data.said ?? null };
    }
  }
}

async function* refusalsOf(source: Source, { ref }: HeldSubject) {
  for (const one of await rowsOf(source, refusals, ref)) yield shown(one);
}

/** Sends that wait or have waited, with the body of each. */
async function* scheduledOf(source: Source, { accountId, ref }: HeldSubject) {
  for (const one of await rowsOf(source, scheduled, ref)) {
    const stream = `schedule-${inAccount(accountId, one.id)}`;
    const events = (await source.store.read(stream)) as KnownEvent[];
    const taken = events.findLast(
      ({ type }) => type === 'SendScheduled' || type === 'ScheduleChanged',
    );
    const request = taken && 'request' in taken.data ? taken.data.request : null;
    yield { ...shown(one), request };
  }
}

async function* filesOf(source: Source, { ref }: HeldSubject) {
  for (const file of await rowsOf(source, media, ref)) yield shown(file);
}

async function* forwardsOf(source: Source, { accountId, ref }: HeldSubject) {
  for (const { id } of await rowsOf(source, conversations, ref)) {
    for await (const page of streamPages(source.store, conversationStream(id))) {
      for (const { type, data, meta } of page as readonly KnownEvent[]) {
        if (type !== 'MessageForwarded') continue;
        const { messageRef, outcome, statusCode } = data;
        const message = await source.models.get(messages, inboundKeyOf(accountId, messageRef));
        const messageId = message?.recorded ? message.metaMessageId : null;
        yield { at: meta.at, messageId, outcome, statusCode };
      }
    }
  }
}

async function* joinsOf({ store }: Source, { accountId, ref }: HeldSubject) {
  for await (const page of streamPages(store, contactStream(accountId, ref))) {
    for (const { type, data, meta } of page as readonly KnownEvent[]) {
      if (type !== 'ContactIdsJoined') continue;
      yield { at: meta.at, userId: data.userId, contact: data.contact, by: data.by };
    }
  }
}

/** Of an answer that names several contacts, what it says of this one. */
const shownTo = async ({ subjects }: Source, { accountId, ref }: HeldSubject, body: unknown) => {
  const { results } = body as { results?: readonly { to: string }[] };
  if (!results) return body;
  const own: unknown[] = [];
  for (const result of results) {
    if ((await subjects.refOf(accountId, parseContact(result.to))) === ref) own.push(result);
  }
  return { results: own };
};

async function* answersOf(source: Source, subject: HeldSubject) {
  const read = (query: Pick<Query, 'where' | 'order'>) =>
    source.models.page(ADMINISTRATION, answers, { ...query, limit: PAGE });
  for await (const rows of newestPages(read, { contactRef: subject.ref })) {
    for (const row of rows) {
      const { stream, revision: from } = placeOfAnswer(row);
      const [event] = (await source.store.read(stream, { from, limit: 1 })) as KnownEvent[];
      if (event?.type !== 'RequestAnswered' || event.data.body === null) continue;
      const { status, body } = event.data;
      yield { at: event.meta.at, status, body: await shownTo(source, subject, body) };
    }
  }
}

/** All that is held of one id of a contact, by kind, as rows for a reader. */
const heldRows = {
  joins: joinsOf,
  messages: messagesOf,
  attempts: attemptsOf,
  refusals: refusalsOf,
  scheduled: scheduledOf,
  conversations: conversationsOf,
  runs: runsOf,
  files: filesOf,
  forwards: forwardsOf,
  deadLetters: deadLettersOf,
  answers: answersOf,
};

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
          attempts: rows('Attempts to send without a message, with what was to be said.'),
          refusals: rows('Sends that were refused before a charge, the last one to the contact.'),
          scheduled: rows('Sends that wait for their time, and those that did, with their bodies.'),
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
      reservations,
      refusals,
      refunds,
      scheduled,
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
