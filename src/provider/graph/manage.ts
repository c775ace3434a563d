import { ProviderRefused, ProviderUnreachable, type Sender } from '../provider.ts';
import type { Json } from '../shape.ts';
import type { Client, Reply } from './client.ts';

/** Calls other than sends. They have a throttle key and a rate of their own. */
export interface Manage {
  get(sender: Sender, path: string, query: Record<string, string>): Promise<Reply>;
  remove(sender: Sender, path: string, query: Record<string, string>): Promise<Reply>;
  post(sender: Sender, path: string, body: object, options?: { once?: boolean }): Promise<Reply>;
}

const CALLS_PER_SECOND = 50;

export const createManage = (client: Client, version: string): Manage => {
  const throttleKeyOf = ({ wabaId }: Sender) => ({
    key: `manage ${wabaId}`,
    perSecond: CALLS_PER_SECOND,
  });
  const call =
    (method: 'GET' | 'DELETE'): Manage['get'] =>
    (sender, path, query) =>
      client.call(throttleKeyOf(sender), {
        method,
        path: `/${version}/${path}?${new URLSearchParams(query)}`,
        token: sender.accessToken,
      });
  return {
    get: call('GET'),
    remove: call('DELETE'),
    post: (sender, path, body, { once = false } = {}) =>
      client.call(throttleKeyOf(sender), {
        method: 'POST',
        path: `/${version}/${path}`,
        token: sender.accessToken,
        body: JSON.stringify(body),
        once,
      }),
  };
};

export const unreachable = ({ kind, reason }: Extract<Reply, { reason: string }>) =>
  new ProviderUnreachable(
    kind === 'unreachable'
      ? `The provider could not be reached (${reason})`
      : `The provider gave no whole answer (${reason})`,
  );

/** The body of a successful call; throws an error of the port otherwise. */
export const bodyOf = (reply: Reply): Json => {
  if (reply.kind === 'ok') return reply.body;
  throw reply.kind === 'refused' ? new ProviderRefused(reply.refusal) : unreachable(reply);
};
