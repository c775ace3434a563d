import { z } from 'zod';
import type { Care } from '../../commands/care/care.ts';
import { conversations } from '../../projections/conversations.ts';
import { type NoteDocument, notes } from '../../projections/notes.ts';
import { type PersonDocument, people } from '../../projections/people.ts';
import { readThread } from '../../projections/read-threads.ts';
import { AppError } from '../../shared/errors.ts';
import { actingFor } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { isOperatorRole, tenantRights } from '../edge/roles.ts';
import { pageOf, pageQuery, readPage, readPages, under } from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { mustFindConversation, mustFindThread } from './handoff.ts';
import { Actor, erased, iso, success } from './schemas.ts';

// What those who look after conversations tell each other: who has it, labels, notes.

const NOTE_LENGTH_MAX = 4000;
const LABELS_MAX = 20;
const PATH = '/v1/conversations/:conversationId';

const common = { access: 'key', tags: ['Messages'] } as const;
const change = { ...common, scope: 'conversations:write', free: true } as const;

const Note = z
  .object({
    id: z.string().describe('Id of the note.'),
    text: z.string().nullable().describe('What was noted; null once erased.'),
    erased,
    by: Actor.nullable().describe('Who noted it; null for the holder of a key.'),
    createdAt: iso.describe('Time of the note, ISO 8601.'),
  })
  .meta({ id: 'Note' });

const present = ({ id, text, by, createdAt }: NoteDocument) => ({
  id,
  text,
  ...(text === null && { erased: true as const }),
  by,
  createdAt,
});

const Assignee = z
  .object({
    id: z.string().describe('Id of the person.'),
    name: z.string().nullable().describe('Name of the person; null once erased.'),
  })
  .meta({ id: 'Assignee' });

/** Whether the person has signed in, and may write in conversations of the account. */
const mayTake = ({ state, role, accounts }: PersonDocument, accountId: string): boolean =>
  state === 'active' &&
  !isOperatorRole(role) &&
  tenantRights[role].scopes.includes('conversations:write') &&
  (accounts === null || accounts.includes(accountId));

/** Whoever gives conversations knows to whom, and no more of the people than their names. */
const assigneesRoute = defineRoute({
  ...common,
  scope: 'conversations:write',
  method: 'GET',
  path: '/v1/assignees',
  summary: 'List the people to whom a conversation can be given',
  description:
    'Names alone, the last invited first. A page may be shorter than `limit`, even empty: go on until `nextCursor` is null.',
  request: { query: z.object(pageQuery) },
  responses: { 200: pageOf('assignees', Assignee) },
  errors: [],
  reads: [people],
  async handle({ query }, { key: { accountId, organisationId }, models }) {
    const { rows, nextCursor } = await readPage(models, accountId, people, query, {
      organisationId,
    });
    const found = rows.filter((person) => mayTake(person, accountId));
    return { assignees: found.map(({ id, name }) => ({ id, name })), nextCursor };
  },
});

const assignRoute = ({ care }: { care: Care }) =>
  defineRoute({
    ...change,
    method: 'POST',
    path: `${PATH}/assign`,
    summary: 'Give a conversation to a person, or to nobody',
    description: 'A person of the organisation who may act for the account. Bots answer as before.',
    request: {
      body: z.object({
        personId: z.string().max(100).nullable().describe('Id of the person; null for nobody.'),
      }),
    },
    responses: { 200: z.object({ success }) },
    errors: ['resource.unknown'],
    reads: [conversations],
    async handle({ params, body }, { key, requestId, upToDate }) {
      const { accountId, organisationId } = key;
      const found = await mustFindThread(await upToDate(), accountId, params.conversationId);
      const { phoneNumberId, contactRef, assignedTo } = found;
      const conversation = { accountId, phoneNumberId, contactRef };
      const change = { ...body, shown: assignedTo || null };
      await care.assign(conversation, change, organisationId, actingFor({ key, requestId }));
      return { success: true as const };
    },
  });

const label = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(/^[^\n]*$/, 'must be one line');

const labelRoute = ({ care }: { care: Care }) =>
  defineRoute({
    ...change,
    method: 'POST',
    path: `${PATH}/labels`,
    summary: 'Set the labels of a conversation',
    description: 'These instead of all that it has. Upper and lower case are the same to a search.',
    request: {
      body: z.object({ labels: z.array(label).max(LABELS_MAX).describe('All of its labels.') }),
    },
    responses: { 200: z.object({ success }) },
    errors: ['resource.unknown', 'resource.erased'],
    reads: [conversations],
    async handle({ params, body }, { key, requestId, upToDate }) {
      const { accountId } = key;
      const found = await mustFindConversation(await upToDate(), accountId, params.conversationId);
      await care.label(found, [...new Set(body.labels)], actingFor({ key, requestId }));
      return { success: true as const };
    },
  });

const noteRoute = ({ care }: { care: Care }) =>
  defineRoute({
    ...change,
    method: 'POST',
    path: `${PATH}/notes`,
    names: true,
    summary: 'Note something of a conversation',
    description: 'The customer does not see it. It goes with the data of the customer.',
    request: {
      body: z.object({
        text: z.string().trim().min(1).max(NOTE_LENGTH_MAX).describe('What to note.'),
      }),
    },
    responses: { 201: Note },
    errors: ['resource.unknown', 'resource.erased'],
    reads: [conversations, notes],
    async handle({ params, body }, { key, requestId, upToDate }) {
      const { accountId } = key;
      const found = await mustFindConversation(await upToDate(), accountId, params.conversationId);
      const id = await care.note(found, body.text, actingFor({ key, requestId }));
      const made = await (await upToDate()).get(notes, id);
      if (!made) throw new AppError('resource.unknown', 'Note not found');
      return reply(201, present(made));
    },
  });

const notesRoute = defineRoute({
  ...common,
  scope: 'messages:read',
  names: true,
  method: 'GET',
  path: `${PATH}/notes`,
  summary: 'List the notes of a conversation, newest first',
  request: { query: z.object(pageQuery) },
  responses: { 200: pageOf('notes', Note) },
  errors: ['resource.unknown'],
  reads: [conversations, notes],
  async handle({ params, query }, { key: { accountId }, models }) {
    const thread = await readThread(models, params.conversationId);
    if (thread?.accountId !== accountId) {
      throw models.notFound(new AppError('resource.unknown', 'Conversation not found'));
    }
    const wheres = [thread, ...thread.absorbs].map(({ id }) => ({ conversationId: id }));
    const sources = under(notes, wheres);
    const { rows, nextCursor } = await readPages(models, accountId, query, sources);
    return { notes: rows.map(present), nextCursor };
  },
});

export const careRoutes = (deps: { care: Care }): readonly JsonRoute[] => [
  assigneesRoute,
  assignRoute(deps),
  labelRoute(deps),
  noteRoute(deps),
  notesRoute,
];
