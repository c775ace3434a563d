import {
  orderShipped,
  providerAccepts,
  providerRefuses,
  type Tenant,
  type Waybill,
} from './waybill.ts';

/** Two months of an account of 100 credits: sends, one of them refused, and a revocation. */
export const fillMonths = async (waybill: Waybill, tenant: Tenant): Promise<void> => {
  const { accountId, apiKey } = tenant;
  const send = () =>
    waybill.call('POST', '/v1/notifications/send', { token: apiKey, body: orderShipped() });
  const move = (verb: string, body: object) =>
    waybill.admin('POST', `/accounts/${accountId}/credits/${verb}`, body);
  providerAccepts(tenant, 2);
  await send();
  await send();
  providerRefuses(tenant);
  await send();
  await move('revoke', { amount: 8, reason: '=SUM(A1), <b>"too many"</b>' });
  const { clock } = waybill;
  clock.advance(Date.parse('2026-12-01T00:00:00.000Z') - clock.now());
  providerAccepts(tenant);
  await send();
};
