import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../invariants/recorder.ts';
import { ADMIN_TOKEN, orderShipped, type Tenant } from '../waybill.ts';

/** A word of every request that no log line may hold. */
export const CONTENT = 'https://shop.example/t/1';

/** What the numbers of ordinary contacts begin with; each of them is erased now and then. */
export const CONTACT_PREFIX = '91981234567';

const RECIPIENTS_OF_BATCH = 5;
/**
 * With these recipients something goes wrong, in this order: refused, an HTML page, no id, half an
 * answer, connections reset without and with the message going out, and three that fail later.
 */
const TROUBLED = ['01', '08', '09', '10', '13', '14', '21', '27', '28'];

/** What all of them begin with. */
export const TROUBLED_PREFIX = '155501999';

const contact = (random: () => number): string => `+${CONTACT_PREFIX}${Math.floor(random() * 10)}`;

const recipient = (random: () => number): { to: string } => {
  if (random() >= 0.15) return { to: contact(random) };
  return { to: `+${TROUBLED_PREFIX}${TROUBLED[Math.floor(random() * TROUBLED.length)]}` };
};

const recipients = (random: () => number) =>
  Array.from({ length: RECIPIENTS_OF_BATCH }, () => {
    const { to, variables } = orderShipped(recipient(random));
    return { to, variables };
  });

/** One request of a busy caller's day. Throws when there is nobody to answer any more. */
const request = async (call: Caller, tenant: Tenant, random: () => number): Promise<void> => {
  const { apiKey: token } = tenant;
  const path = '/v1/notifications/send';
  const dice = random();
  if (dice < 0.1) {
    const body = { event: 'order_shipped', recipients: recipients(random) };
    await call('POST', `${path}/batch`, { token, body });
  } else if (dice < 0.2) {
    const headers = { 'idempotency-key': `order-${Math.floor(random() * 40)}` };
    await call('POST', path, { token, body: orderShipped(), headers });
  } else if (dice < 0.25) {
    await call('GET', '/v1/credits', { token });
  } else if (dice < 0.3) {
    // A caller who does not wait for the answer.
    const signal = AbortSignal.timeout(Math.ceil(random() * 20));
    const gone = call('POST', path, { token, body: orderShipped(), signal });
    await gone.catch((error: Error) => {
      if (!signal.aborted) throw error;
    });
  } else if (dice < 0.32) {
    const body = { contact: contact(random) };
    await call('POST', '/admin/v1/erasures', { token: ADMIN_TOKEN, body });
  } else if (dice < 0.36) {
    const body = { to: contact(random), type: 'text', text: { body: CONTENT } };
    await call('POST', '/v1/messages/send', { token, body });
  } else {
    await call('POST', path, { token, body: orderShipped(recipient(random)) });
  }
};

/** So many callers send what comes to their minds until nobody answers, or `stop` is called. */
export const startLoad = (
  call: Caller,
  tenants: readonly Tenant[],
  { callers, randomOf }: { callers: number; randomOf: (caller: number) => () => number },
): { stop(): Promise<void> } => {
  let isOver = false;
  const running = Array.from({ length: callers }, async (_, caller) => {
    const random = randomOf(caller);
    while (!isOver) {
      const tenant = tenants[Math.floor(random() * tenants.length)]!;
      try {
        await request(call, tenant, random);
      } catch {
        // The process is gone, or going.
        await pause(2);
      }
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
};
