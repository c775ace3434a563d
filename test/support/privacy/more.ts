import { edge, node } from '../../commands/bots/graphs.ts';
import { until, untilTrue } from '../until.ts';
import type { Json } from '../waybill.ts';
import type { Person } from './person.ts';
import type { Stage, Voice } from './stage.ts';

/** A bot that asks, keeps the answer, calls a URL with it, keeps its answer, and thanks. */
export const runBot = async (
  stage: Voice & Pick<Stage, 'callee'>,
  person: Person,
  user?: string,
) => {
  const { number, text } = person;
  const { api, callee, post, timestamp, freshWord } = stage;
  const keyword = freshWord();
  const told = text('told by a URL');
  callee.answer((response, { path, body }) => {
    // A failed forward shows what the URL said.
    if (body.includes(number) && !path.startsWith('/ask')) response.statusCode = 500;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ told, heard: text('told by a forward') }));
  });
  const url = `${callee.url}/ask?q={{vars.word}}`;
  const calls = { method: 'POST', url, timeoutMs: 5000, saveAs: 'told' };
  const { body: bot } = await api('POST', '/bots', {
    name: 'Asks',
    trigger: 'KEYWORD',
    triggerKeywords: [keyword],
    nodes: [
      node('ask', 'question', { text: 'Hi {{contact.name}}, your word?', saveAs: 'word' }),
      node('call', 'http_request', { ...calls, body: { phone: '{{contact.waId}}' } }),
      node('thank', 'message', { text: '{{vars.word}} and {{vars.told}}' }),
      node('again', 'question', { text: 'And?', saveAs: 'more' }),
      node('done', 'end'),
    ],
    edges: [
      'ask -default-> call',
      'call -success-> thank',
      'call -error-> thank',
      'thank -default-> again',
      'again -default-> done',
    ].map(edge),
  });
  const says = async (body: string) => {
    const from = user === undefined ? { from: number } : { from_user_id: user };
    const id = person.messageId('inbound');
    const contact = user === undefined ? { wa_id: number } : { user_id: user };
    await post({
      contacts: [{ ...contact, profile: { name: text('name') } }],
      messages: [{ id, ...from, timestamp: timestamp(), type: 'text', text: { body } }],
    });
  };
  const runs = async (): Promise<Json[]> => (await api('GET', `/bots/${bot.id}/runs`)).body.runs;
  const waits = (node: string, nth: number) =>
    untilTrue(`the run waits in ${node}`, async () => {
      const all = await runs();
      return all.length === nth && all[0].state === 'waiting' && all[0].nodeId === node;
    });
  // One run that ends, and one that still waits.
  await says(keyword);
  await waits('ask', 1);
  await says(text('word'));
  await waits('again', 1);
  await says(text('last word'));
  await untilTrue('the run ends', async () => (await runs())[0].state === 'ended');
  await says(keyword);
  await waits('ask', 2);
  await says(text('second word'));
  await waits('again', 2);
  const last = JSON.stringify(text('second word'));
  await until('the forwards', () => callee.calls.some(({ body }) => body.includes(last)));
  return bot.id as string;
};

/** The contact with a user id alone, then with a number, then with another user id. */
export const join = async ({ post, timestamp }: Voice, person: Person) => {
  const { number, userId, oldUserId, text } = person;
  const freshId = () => person.messageId('inbound');
  const contact = (ids: Json) => [{ ...ids, profile: { name: text('name') } }];
  const say = (ids: Json, shown: Json, body: string) =>
    post({
      contacts: contact(shown),
      messages: [{ id: freshId(), ...ids, timestamp: timestamp(), type: 'text', text: { body } }],
    });
  await say({ from_user_id: oldUserId }, { user_id: oldUserId }, text('before the number'));
  const system = { type: 'user_changed_user_id', user_id: userId, previous_user_id: oldUserId };
  await post({ messages: [{ id: freshId(), timestamp: timestamp(), type: 'system', system }] });
  await say({ from_user_id: userId }, { user_id: userId }, text('with the new id'));
  const both = { from: number, from_user_id: userId };
  await say(both, { wa_id: number, user_id: userId }, text('with the number'));
};

/** Items that nobody takes: of a number that is not linked, of a message of others, malformed. */
export const loseLetters = async (stage: Voice, person: Person) => {
  const { number, text } = person;
  const { post, change, timestamp, tenant } = stage;
  const contacts = [{ wa_id: number, profile: { name: text('lost name') } }];
  const message = (body: string) => ({
    id: person.messageId('inbound'),
    from: number,
    timestamp: timestamp(),
    type: 'text',
    text: { body },
  });
  const nowhere = { phoneNumberId: '999999999999999', wabaId: tenant.wabaId };
  await post({ contacts, messages: [message(text('lost text'))] }, nowhere);
  const foreign = {
    id: person.messageId('outbound', 'id of an unknown message'),
    status: 'read',
    timestamp: timestamp(),
  };
  await post({ statuses: [{ ...foreign, recipient_id: number, note: text('lost status') }] });
  const taken = { ...message(text('malformed')), timestamp: 'never' };
  await post({ contacts, messages: [taken] });
  await post({ contacts, messages: [{ from: number, note: text('without an id') }] });
  await change('strange_field', { from: number, note: text('strange field') });
};
