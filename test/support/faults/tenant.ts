import type { Simulator } from '../../../src/provider/simulator/simulator.ts';
import type { Client, Tenant } from '../waybill.ts';

export interface TenantOptions {
  credits?: number;
  /** In a wallet's currency, instead of credits; the plan is made for it. */
  wallet?: string;
  limits?: Record<string, number | boolean | null>;
  refundFailedDeliveries?: boolean;
  chargeService?: boolean;
  messagesPerSecond?: number;
  /** Whether the provider has the template of `order_shipped`, approved. */
  template?: boolean;
}

let tenants = 0;
/** A log on a server outlives a run, and a number is linked once. */
const run = process.env.EVENTSTORE_URL ? String(Date.now()).slice(-9) : '000000000';

const planFor = async (
  admin: Client['admin'],
  { wallet, refundFailedDeliveries = true, chargeService = false }: TenantOptions,
): Promise<string | undefined> => {
  if (wallet === undefined && refundFailedDeliveries && !chargeService) return undefined;
  const plan = await admin('POST', '/plans', {
    name: `Plan ${tenants}`,
    billing: wallet === undefined ? 'credits' : 'wallet',
    currency: 'USD',
    markupPercent: '20',
    creditValue: '0.01',
    refundFailedDeliveries,
    chargeService,
  });
  return plan.id;
};

/** An account with money, a key, and a number and template that the simulated provider knows. */
export const openTenant = async (
  admin: Client['admin'],
  simulator: Simulator,
  options: TenantOptions = {},
): Promise<Tenant> => {
  tenants += 1;
  const phoneNumberId = `1${run}${20_000 + tenants}`;
  const wabaId = `2${run}${20_000 + tenants}`;
  simulator.setNumber({ phoneNumberId, wabaId });
  if (options.template !== false) approveTemplate(simulator, wabaId);
  const planId = await planFor(admin, options);
  const organisation = await admin('POST', '/organisations', { name: `Organisation ${tenants}` });
  const account = await admin('POST', `/organisations/${organisation.id}/accounts`, {
    name: `Account ${tenants}`,
    ...(planId && { planId }),
  });
  const of = `/accounts/${account.id}`;
  const { credits = 1000, wallet, limits } = options;
  if (wallet !== undefined) await admin('POST', `${of}/wallet/top-up`, { amount: wallet });
  else if (credits > 0) await admin('POST', `${of}/credits/grant`, { amount: credits });
  if (limits) await admin('PATCH', `${of}/limits`, limits);
  await admin('POST', `${of}/numbers`, {
    phoneNumberId,
    wabaId,
    accessToken: accessTokenOf(phoneNumberId),
    messagesPerSecond: options.messagesPerSecond ?? 10_000,
  });
  const key = await admin('POST', `${of}/keys`, { name: 'test', rateLimit: 1_000_000 });
  return {
    organisationId: organisation.id,
    accountId: account.id,
    apiKey: key.key,
    phoneNumberId,
    wabaId,
  };
};

export const accessTokenOf = (phoneNumberId: string): string => `secret-token-${phoneNumberId}`;

/** The provider has approved `order_shipped`, with its three variables. */
export const approveTemplate = (simulator: Simulator, wabaId: string): void => {
  simulator.setTemplate(wabaId, {
    name: 'order_shipped',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your order {{1}}, number {{2}}: {{3}} . Thank you.' }],
  });
};
