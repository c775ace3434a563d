import { request } from 'undici';

const ADMIN = { authorization: 'Bearer bench-administrator-token' };

/** An account that nothing holds back: credit, pace and rate limit are out of the way. */
export const openTenant = async (url: string, index = 1): Promise<{ apiKey: string }> => {
  const call = async <Body>(path: string, headers: object, body: object): Promise<Body> => {
    const response = await request(`${url}/api${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.body.json()) as Body;
    if (response.statusCode >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const admin = <Body>(path: string, body: object) => call<Body>(`/admin/v1${path}`, ADMIN, body);
  const organisation = await admin<{ id: string }>('/organisations', { name: 'Bench' });
  const account = await admin<{ id: string }>(`/organisations/${organisation.id}/accounts`, {
    name: 'Bench',
  });
  const of = `/accounts/${account.id}`;
  await admin(`${of}/credits/grant`, { amount: 1_000_000_000 });
  await admin(`${of}/numbers`, {
    phoneNumberId: `10000000000000${index}`,
    wabaId: `20000000000000${index}`,
    accessToken: 'token',
    messagesPerSecond: 10_000,
  });
  const key = await admin<{ key: string }>(`${of}/keys`, { name: 'bench', rateLimit: 1_000_000 });
  const authorization = { authorization: `Bearer ${key.key}` };
  await call('/v1/notifications/templates/submit', authorization, { events: ['order_shipped'] });
  return { apiKey: key.key };
};
