import { ProviderUnreachable, type Sender, type Subscription } from '../provider.ts';
import { asArray, asId, asRecord, type Json } from '../shape.ts';
import type { Reply } from './client.ts';
import { bodyOf, type Manage } from './manage.ts';
import { readRefusal } from './refusal.ts';

/** More apps than a business account has. */
const APPS_MAX = '100';

/** The provider's words of a refusal; undefined for a success. Throws without an answer of the provider. */
const problemOf = (reply: Reply): string | undefined => {
  if (reply.kind !== 'refused') {
    bodyOf(reply);
    return undefined;
  }
  // Without a code it is the answer of something in between, such as an HTML page.
  if (reply.refusal.code === null) throw new ProviderUnreachable(reply.refusal.message);
  return reply.refusal.message;
};

/** The id of the app that the token belongs to; null when the provider does not tell. */
const ownAppOf = async (manage: Manage, sender: Sender): Promise<string | null> => {
  const read = async (path: string, query: Record<string, string>): Promise<Json> => {
    const reply = await manage.get(sender, path, query);
    return reply.kind === 'refused' ? {} : bodyOf(reply);
  };
  const id = asId((await read('app', { fields: 'id' })).id);
  if (id !== null) return id;
  const token = await read('debug_token', { input_token: sender.accessToken });
  return asId(asRecord(token.data).app_id);
};

/** Whether the token's app is in the list. While its id is unknown it is not. */
const isListed = async (manage: Manage, sender: Sender, list: Json): Promise<boolean> => {
  const apps = asArray(list.data)
    .map((row) => asId(asRecord(asRecord(row).whatsapp_business_api_data).id))
    .filter((id) => id !== null);
  if (apps.length === 0) return false;
  const own = await ownAppOf(manage, sender);
  return own !== null && apps.includes(own);
};

/** Subscribes the app of the token to the business account of the sender, unless it is subscribed. */
export const subscribe = async (manage: Manage, sender: Sender): Promise<Subscription> => {
  const path = `${encodeURIComponent(sender.wabaId)}/subscribed_apps`;
  const listed = await manage.get(sender, path, { limit: APPS_MAX });
  const unread = problemOf(listed);
  if (unread !== undefined) return { subscribed: null, problem: unread };
  if (await isListed(manage, sender, bodyOf(listed))) return { subscribed: true, problem: null };
  const reply = await manage.post(sender, path, {});
  const problem = problemOf(reply);
  if (problem !== undefined) return { subscribed: false, problem };
  const body = bodyOf(reply);
  if (body.success === true) return { subscribed: true, problem: null };
  return { subscribed: false, problem: readRefusal(200, body, sender.accessToken).message };
};
