import { MongoClient } from 'mongodb';
import { testServers } from '../servers.ts';
import { databaseOf } from '../stores.ts';
import type { Json } from '../waybill.ts';
import { foundIn, type Needle } from './needles.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';
import { storedEvents } from './stored.ts';
import { walkDatabase, walkFiles } from './walk.ts';

// Everything that a service holds: its files, or its part of the servers.

/** Files that hold the log and the data keys, and what their write-ahead logs hold of them. */
const LOG_FILES = /^(events|keys)\./;
const KEY_COLLECTIONS = /\.keys/;

const walkEvents = async ({ waybill }: Stage, needles: readonly Needle[]): Promise<string[]> =>
  (await storedEvents(waybill)).flatMap((event) => {
    const names = foundIn(Buffer.from(JSON.stringify(event)), needles);
    return names.map((name) => `${event.type} at ${event.position}: ${name}`);
  });

/** Where the needles are in everything that is held; `log` leaves out the read models. */
export const walk = async (
  stage: Stage,
  needles: readonly Needle[],
  { only }: { only?: 'log' } = {},
): Promise<string[]> => {
  const { directory } = stage.waybill;
  const events = await walkEvents(stage, needles);
  const servers = testServers();
  if (!servers) {
    const files = walkFiles(directory, needles);
    const named = only ? files.filter((place) => LOG_FILES.test(place)) : files;
    return [...events, ...named];
  }
  const client = await new MongoClient(servers.mongoUrl).connect();
  try {
    const documents = await walkDatabase(client, databaseOf(directory), needles);
    const named = only ? documents.filter((place) => KEY_COLLECTIONS.test(place)) : documents;
    return [...events, ...named];
  } finally {
    await client.close();
  }
};

/** Where the needles are in the lines of the log of the process. */
export const walkLines = (lines: readonly Json[], needles: readonly Needle[]): string[] =>
  lines.flatMap((line) =>
    foundIn(Buffer.from(JSON.stringify(line)), needles).map((name) => `"${line.msg}": ${name}`),
  );

const LISTS = [
  '/messages',
  '/conversations',
  '/credits',
  '/bots',
  '/notifications/events',
  '/phones',
];

const pagesOf = async (get: (path: string) => Promise<Json>, path: string): Promise<Json[]> => {
  const pages: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await get(`${path}?limit=100${query}`);
    pages.push(page);
    cursor = page.nextCursor ?? null;
  }
  return pages;
};

/** All answers about messages, conversations, runs and dead letters, by their path. */
export const answersOf = async (
  { api, waybill, tenant }: Stage,
  persons: readonly Person[],
): Promise<Map<string, Json>> => {
  const answers = new Map<string, Json>();
  const get = async (path: string) =>
    (await api('GET', path, undefined, { statuses: [200, 404] })).body;
  const admin = async (path: string) => (await waybill.admin('GET', path)).body;
  for (const path of LISTS) answers.set(path, await pagesOf(get, path).catch(() => get(path)));
  for (const messageId of persons.flatMap((person) => person.messageIds())) {
    const id = encodeURIComponent(messageId);
    answers.set(`timeline of a message ${messageId}`, await get(`/messages/${id}/timeline`));
    // It repeats the id of the request.
    const { metaMessageId: _, ...status } = await get(`/notifications/status/${id}`);
    answers.set(`status of a message ${messageId}`, status);
    answers.set(`message ${messageId}`, await admin(`/messages/${id}`));
  }
  for (const { id } of (await get('/bots')) as Json[]) {
    const path = `/bots/${id}/runs`;
    const runs = await pagesOf(get, path);
    answers.set(path, runs);
    for (const run of runs.flatMap((page) => page.runs)) {
      answers.set(`run ${run.id}`, await get(`${path}/${run.id}`));
    }
  }
  const letters = await pagesOf(admin, '/dead-letters');
  answers.set('/dead-letters', letters);
  for (const { id } of letters.flatMap((page) => page.deadLetters)) {
    answers.set(`letter ${id}`, await admin(`/dead-letters/${id}`));
  }
  const of = `/accounts/${tenant.accountId}`;
  for (const path of [`${of}/events`, `${of}/ledger`, `${of}/balance`, '/erasures']) {
    answers.set(path, await admin(path));
  }
  return answers;
};

/** Where the needles are in answers. */
export const walkAnswers = (answers: ReadonlyMap<string, Json>, needles: readonly Needle[]) =>
  [...answers].flatMap(([path, body]) =>
    foundIn(Buffer.from(JSON.stringify(body)), needles).map((name) => `GET ${path}: ${name}`),
  );
