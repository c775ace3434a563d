import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../support/faults/random.ts';
import type { Caller } from '../../support/invariants/recorder.ts';
import { type Answer, orderShipped, type Tenant } from '../../support/waybill.ts';
import type { Cluster } from '../cluster.ts';

/**
 * Milliseconds in which a repetition of a send that broke off is answered with an end: 46 s where a
 * charge is open (docs/audit.md), and what freezes of MongoDB and of workers add to that.
 */
const REPEATED_WITHIN_MS = 90_000;
/** The same for a key whose repetitions are refused for any reason, while the faults go on. */
const ENDED_WITHIN_MS = 300_000;
const REPEAT_EVERY_MS = 500;
/** Keys that are repeated beside each other. */
const OPEN_KEYS_MAX = 30;
const RECIPIENTS_OF_BATCH = 5;
const CALLERS = 6;
const THINKING_MS_MAX = 250;
const FAILING = ['+15550199921', '+15550199927'];
const SEND = '/v1/notifications/send';

/** What there was to see of the service from outside. */
export interface Load {
  /** Requests that were answered. */
  answered(): number;
  /** Customers who have written, and the accounts to whom; by the provider's ids of their messages. */
  written: ReadonlyMap<string, { from: string; accountId: string }>;
  /** The longest time between two sends that were answered 200, in milliseconds. */
  longestGapMs(): number;
  keys(): number;
  problems: string[];
  /** Ends the requests, and waits for an end of each key. */
  stop(): Promise<void>;
}

/** Whether a key has come to its end: what is repeated under it from now on is the same answer. */
const isFinal = (status: number | undefined): boolean =>
  status !== undefined && ![409, 429, 500, 503].includes(status);

/**
 * Callers who send, repeat what broke off under its key, and look, at whichever api is up, and
 * customers who write. The callbacks of the provider go to whichever is up, too, until they are taken.
 */
export const startLoad = (cluster: Cluster, tenants: readonly Tenant[], seed: number): Load => {
  const problems: string[] = [];
  /** Answers that nobody may get, with how often they came. */
  const faulty = new Map<string, number>();
  const written = new Map<string, { from: string; accountId: string }>();
  const keyed = new Set<Promise<void>>();
  let isOver = false;
  let [turn, keys, answered, customers] = [0, 0, 0, 0];
  let [lastSentAt, longestGapMs] = [performance.now(), 0];

  const call: Caller = async (method, path, how) => {
    while (cluster.apis.length === 0) await pause(20);
    turn += 1;
    const api = cluster.apis[turn % cluster.apis.length]!;
    const webhookUrl = `${api.child.url}/api/provider/webhook`;
    cluster.simulator.configure({ webhookUrl });
    const answer = await api.call(method, path, how);
    answered += 1;
    const { status, body } = answer;
    if (status >= 500 && ![502, 503, 504].includes(status)) {
      const what = `${method} ${path} was answered ${status} ${JSON.stringify(body)}`;
      faulty.set(what, (faulty.get(what) ?? 0) + 1);
    }
    if (status === 200 && method === 'POST') {
      const now = performance.now();
      longestGapMs = Math.max(longestGapMs, now - lastSentAt);
      lastSentAt = now;
    }
    return answer;
  };

  /** Sends under a key until it has an end, and once more. */
  const sendKeyed = async ({ apiKey: token }: Tenant, key: string): Promise<void> => {
    const body = orderShipped();
    const headers = { 'idempotency-key': key };
    const send = (): Promise<Answer | undefined> =>
      call('POST', SEND, { token, body, headers }).catch(() => undefined);
    const begunAt = performance.now();
    let brokeOffAt = begunAt;
    let answer = await send();
    while (!isFinal(answer?.status)) {
      const now = performance.now();
      if (answer?.status !== 409) brokeOffAt = now;
      const isStuck = now - brokeOffAt > REPEATED_WITHIN_MS;
      if (isStuck || now - begunAt > ENDED_WITHIN_MS) {
        const [begun, broken] = [now - begunAt, now - brokeOffAt].map((ms) =>
          (ms / 1000).toFixed(0),
        );
        problems.push(
          `the key ${key} has no end ${begun} s after its first send, ${broken} s after the last one ` +
            `that broke off, but ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`,
        );
        return;
      }
      await pause(REPEAT_EVERY_MS);
      answer = await send();
    }
    // The checker compares the answers under each key.
    await send();
  };

  const write = async ({ phoneNumberId, accountId }: Tenant): Promise<void> => {
    customers += 1;
    const from = `9197${String(10_000_000 + customers)}`;
    // Noted only once the first try has ended; whether it was taken is known at the end.
    const { messageId } = await cluster.simulator.inbound(from, { phoneNumberId, text: 'Hello' });
    written.set(messageId, { from, accountId });
  };

  const request = async (tenant: Tenant, random: () => number): Promise<unknown> => {
    const { apiKey: token } = tenant;
    const contact = () => `+91981234${String(5_000 + Math.floor(random() * 200))}`;
    const dice = random();
    if (dice < 0.25) return write(tenant);
    if (dice < 0.45) {
      if (keyed.size >= OPEN_KEYS_MAX) return undefined;
      keys += 1;
      const sending = sendKeyed(tenant, `order-${keys}`).finally(() => keyed.delete(sending));
      keyed.add(sending);
      return undefined;
    }
    if (dice < 0.6) {
      const to = FAILING[Math.floor(random() * FAILING.length)];
      return call('POST', SEND, { token, body: orderShipped({ to }) });
    }
    if (dice < 0.65) {
      const { event, variables } = orderShipped();
      const to = () => ({ to: contact(), variables });
      const recipients = Array.from({ length: RECIPIENTS_OF_BATCH }, to);
      return call('POST', `${SEND}/batch`, { token, body: { event, recipients } });
    }
    if (dice < 0.75) return call('GET', dice < 0.7 ? '/v1/credits' : '/v1/messages', { token });
    return call('POST', SEND, { token, body: orderShipped({ to: contact() }) });
  };

  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const random = seeded(seed + caller);
    while (!isOver) {
      const tenant = tenants[Math.floor(random() * tenants.length)]!;
      // It fails where the process has ended meanwhile.
      await request(tenant, random).catch(() => undefined);
      await pause(random() * THINKING_MS_MAX);
    }
  });

  return {
    answered: () => answered,
    written,
    longestGapMs: () => longestGapMs,
    keys: () => keys,
    problems,
    async stop() {
      isOver = true;
      await Promise.all(callers);
      await Promise.all(keyed);
      for (const [what, times] of faulty) problems.push(`${times} × ${what}`);
    },
  };
};
