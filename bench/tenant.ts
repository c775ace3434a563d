import { call, JSON_HEADERS, type Target } from './loads.ts';

export const ADMIN = {
  authorization: 'Bearer bench-administrator-token',
  ...JSON_HEADERS,
};

/** The standard plan without a limit of hang-ups, because callers hang up at the end of a round. */
const PLAN = {
  name: 'Bench',
  billing: 'credits',
  currency: 'USD',
  markupPercent: '20',
  creditValue: '0.01',
  disconnectRefundsPerDay: null,
  freeWritesMbPerDay: null,
};

/** An account without limits: much credit, a high rate of its number and of its key. */
export interface Tenant {
  accountId: string;
  planId: string;
  phoneNumberId: string;
  wabaId: string;
  /** Headers of its requests. */
  headers: Record<string, string>;
}

export const openTenant = async (
  url: string,
  index = 1,
  messagesPerSecond = 10_000,
): Promise<Tenant> => {
  const admin = <Body>(path: string, body: object) =>
    call<Body>(`${url}/api/admin/v1${path}`, ADMIN, { method: 'POST', body: JSON.stringify(body) });
  const phoneNumberId = `1${String(index).padStart(14, '0')}`;
  const wabaId = `2${String(index).padStart(14, '0')}`;
  const organisation = await admin<{ id: string }>('/organisations', { name: 'Bench' });
  const plan = await admin<{ id: string }>('/plans', PLAN);
  const account = await admin<{ id: string }>(`/organisations/${organisation.id}/accounts`, {
    name: 'Bench',
    planId: plan.id,
  });
  const of = `/accounts/${account.id}`;
  await admin(`${of}/credits/grant`, { amount: 1_000_000_000 });
  await admin(`${of}/numbers`, {
    phoneNumberId,
    wabaId,
    accessToken: 'token',
    messagesPerSecond,
  });
  const key = await admin<{ key: string }>(`${of}/keys`, { name: 'bench', rateLimit: 1_000_000 });
  const headers = { ...JSON_HEADERS, authorization: `Bearer ${key.key}` };
  await call(`${url}/api/v1/notifications/templates/submit`, headers, {
    method: 'POST',
    body: JSON.stringify({ events: ['order_shipped'] }),
  });
  return { accountId: account.id, planId: plan.id, phoneNumberId, wabaId, headers };
};

/** The sends of a tenant. */
export const sendsOf = (url: string, { headers }: Tenant, name = 'waybill'): Target => ({
  name,
  url: `${url}/api/v1/notifications/send`,
  headers,
});
