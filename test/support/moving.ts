import { expect } from 'chai';
import { edge } from '../commands/bots/graphs.ts';
import { type Callee, startCallee } from './callee.ts';
import { accessTokenOf } from './faults/tenant.ts';
import type { World } from './faults/world.ts';
import { customerWrites, makeBot } from './surface.ts';
import type { Answer, Json, Tenant } from './waybill.ts';

/** Accounts that hand one number to each other, each with a URL of its own that notes its calls. */
export interface Moving {
  /** The number that moves; linked to the first from the start. */
  place: Pick<Tenant, 'phoneNumberId' | 'wabaId'>;
  tenants: readonly Tenant[];
  /** The URL of each tenant. */
  callees: readonly Callee[];
  link(tenant: Tenant): Promise<void>;
  unlink(): Promise<void>;
  /** From one to another. */
  move(to: Tenant): Promise<void>;
  /** A customer writes to the number. */
  write(change?: Json): Promise<string>;
  call(tenant: Tenant, method: string, path: string, body?: Json): Promise<Answer>;
  /** Reads something that must be there. */
  read(tenant: Tenant, path: string): Promise<Json>;
  bot(tenant: Tenant, nodes: readonly Json[], edges?: readonly string[]): Promise<Json>;
  /** A text from the number, which needs an open window. */
  freeText(tenant: Tenant, to?: string): Promise<Answer>;
  close(): Promise<void>;
}

export const openMoving = async (world: World, count = 2): Promise<Moving> => {
  const tenants: Tenant[] = [];
  const callees: Callee[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const tenant = await world.tenant();
    tenants.push(tenant);
    const callee = await startCallee();
    callee.answer((response, { body }) => {
      world.outsideCalls.push({ accountId: tenant.accountId, body });
      response.end('{}');
    });
    callees.push(callee);
  }
  const { phoneNumberId, wabaId } = tenants[0]!;

  const call: Moving['call'] = ({ apiKey: token }, method, path, body) =>
    world.call(method, `/v1${path}`, { token, ...(body !== undefined && { body }) });
  const link: Moving['link'] = async (tenant) => {
    const accessToken = accessTokenOf(phoneNumberId);
    const number = { phoneNumberId, wabaId, accessToken, messagesPerSecond: 10_000 };
    await world.admin('POST', `/accounts/${tenant.accountId}/numbers`, number);
    const webhookUrl = `${callees[tenants.indexOf(tenant)]!.url}/inbound`;
    const set = await call(tenant, 'PATCH', `/phones/${phoneNumberId}/webhook`, { webhookUrl });
    expect(set.status, JSON.stringify(set.body)).to.equal(200);
  };
  const unlink = () => world.admin('DELETE', `/numbers/${phoneNumberId}`);
  const first = tenants[0]!;
  const webhookUrl = `${callees[0]!.url}/inbound`;
  await call(first, 'PATCH', `/phones/${phoneNumberId}/webhook`, { webhookUrl });

  return {
    place: { phoneNumberId, wabaId },
    tenants,
    callees,
    link,
    unlink,
    async move(to) {
      await unlink();
      await link(to);
    },
    write: (change = {}) => customerWrites(world.waybill, { phoneNumberId, wabaId }, change),
    call,
    async read(tenant, path) {
      const { status, body } = await call(tenant, 'GET', path);
      expect(status, `${path}: ${JSON.stringify(body)}`).to.equal(200);
      return body;
    },
    bot: (tenant, nodes, edges = []) => makeBot(world, tenant, nodes, edges.map(edge)),
    freeText: (tenant, to = '919812345678') =>
      call(tenant, 'POST', '/messages/send', {
        to,
        type: 'text',
        text: { body: 'Hello' },
        phoneNumberId,
      }),
    close: async () => {
      await Promise.all(callees.map((callee) => callee.close()));
    },
  };
};
