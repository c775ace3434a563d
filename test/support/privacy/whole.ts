import { untilTrue } from '../until.ts';
import type { Json } from '../waybill.ts';
import { join, loseLetters, runBot } from './more.ts';
import type { Person } from './person.ts';
import { reply, type Stage, sendTemplates, upload, write } from './stage.ts';

/** Everything that a contact can do and be sent. Resolves once the read models show it. */
export const live = async (stage: Stage, person: Person): Promise<void> => {
  await sendTemplates(stage, person);
  const [received = ''] = await write(stage, person);
  await reply(stage, person);
  await upload(stage, person, received);
  await runBot(stage, person);
  await join(stage, person);
  await loseLetters(stage, person);
  await lookAround(stage, person);
  await stage.waybill.settled();
};

/** Requests that name the contact in their path or query. */
const lookAround = async ({ api, waybill }: Stage, { number, userId }: Person) => {
  for (const contact of [number, `+${number}`, userId]) {
    const query = new URLSearchParams({ contact });
    await api('GET', `/messages?${query}`, undefined, { statuses: [200, 400, 404] });
    await api('GET', `/conversations?${query}`, undefined, { statuses: [200, 400, 404] });
    await waybill.admin('GET', `/messages?${query}`);
    await waybill.admin('GET', `/contacts/${encodeURIComponent(contact)}/export`);
  }
};

/** Fills every read model anew, and waits until the new ones serve. */
export const rebuildAll = async ({ waybill }: Stage): Promise<void> => {
  const list = async (): Promise<Json[]> =>
    (await waybill.admin('GET', '/projections')).body.projections;
  const before = await waybill.views.live();
  for (const { name } of await list()) await waybill.admin('POST', `/projections/${name}/rebuild`);
  await untilTrue('the new read models serve', async () => {
    const now = await waybill.views.live();
    return Object.keys(before).every((name) => now[name] !== before[name]);
  });
  await waybill.settled();
};

/** What the answers say of one person alone: those that name it. */
export const ownAnswers = async (stage: Stage, person: Person): Promise<Json> => {
  const { api, waybill } = stage;
  const contact = encodeURIComponent(person.number);
  const { messages } = (await api('GET', `/messages?contact=${contact}&limit=100`)).body;
  const { body: exported } = await waybill.admin('GET', `/contacts/${contact}/export`);
  return { messages, exported };
};
