import { notified, notify } from './surface.ts';
import { providerRefuses, type Tenant, type Waybill } from './waybill.ts';

/** Two months of an account of 100 credits: sends, one of them refused, and a revocation. */
export const fillMonths = async (waybill: Waybill, tenant: Tenant): Promise<void> => {
  await notified(waybill, tenant);
  await notified(waybill, tenant);
  providerRefuses(tenant);
  await notify(waybill, tenant);
  const revoked = { amount: 8, reason: '=SUM(A1), <b>"too many"</b>' };
  await waybill.admin('POST', `/accounts/${tenant.accountId}/credits/revoke`, revoked);
  const { clock } = waybill;
  clock.advance(Date.parse('2026-12-01T00:00:00.000Z') - clock.now());
  await notified(waybill, tenant);
};
