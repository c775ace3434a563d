import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Scenario } from '../../src/provider/simulator/scenarios.ts';
import { outcomeOf, scenarios } from '../../src/provider/simulator/scenarios.ts';
import { defaultSettings, defaultTimings, noChaos } from '../../src/provider/simulator/settings.ts';
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts';
import { fixedClock } from '../support/ambient.ts';
import { answered } from '../support/answered.ts';
import { tableUnder } from '../support/doc-tables.ts';
import { approveTemplate } from '../support/faults/tenant.ts';
import { useRealConnections } from '../support/network.ts';
import { until, untilTrue } from '../support/until.ts';
import {
  APP_SECRET,
  type Json,
  openTenant,
  orderShipped,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../support/waybill.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/simulator.md'), 'utf8');

const bare = (cell: string | undefined) => (cell ?? '').replaceAll('`', '');

const keyed = (prefix: string, values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));

const ORDINARY = '447700900123';

describe('docs/simulator.md @long', () => {
  useRealConnections();
  let simulator: Simulator;
  let baseUrl: string;
  const waybills: Waybill[] = [];

  beforeEach(async () => {
    const clock = fixedClock();
    simulator = createSimulator({ appSecret: APP_SECRET, clock });
    baseUrl = await simulator.start();
  });
  afterEach(async () => {
    await Promise.all(waybills.splice(0).map((waybill) => waybill.stop()));
    await simulator.stop();
  });

  const open = async ({ timeoutMs, sentMs = 2 }: { timeoutMs?: number; sentMs?: number }) => {
    const limit = timeoutMs === undefined ? {} : { providerTimeoutMs: timeoutMs };
    const waybill = await startWaybill({ clock: fixedClock(), providerUrl: baseUrl, ...limit });
    waybills.push(waybill);
    simulator.configure({
      webhookUrl: `${waybill.url}/api/provider/webhook`,
      timings: { sentMs, deliveredMs: sentMs + 4, readMs: sentMs + 8 },
    });
    const tenant = await openTenant(waybill, { number: false });
    const { phoneNumberId, wabaId } = tenant;
    approveTemplate(simulator, wabaId);
    const number = { phoneNumberId, wabaId, accessToken: 'a-token', messagesPerSecond: 10_000 };
    await answered(201, waybill.admin('POST', `/accounts/${tenant.accountId}/numbers`, number));
    return { waybill, tenant };
  };

  /** What the history says of a message in the end. */
  const statusOf = async (waybill: Waybill, { apiKey: token }: Tenant, reference: string) => {
    const path = `/v1/messages?clientReference=${reference}`;
    const { messages } = (await waybill.call('GET', path, { token })).body as Json;
    if (messages.length === 0) return 'none';
    const [{ status, errorCode }] = messages;
    return errorCode === null ? `${status}` : `${status} (${errorCode})`;
  };

  /** Whether each charge was refunded, in the order of the charges. */
  const refundsOf = async (waybill: Waybill, { accountId }: Tenant) => {
    const events = await waybill.events(`account-${accountId}`);
    const chargesOf = (wanted: string) =>
      events.filter(({ type }) => type === wanted).map(({ data }) => (data as Json).chargeId);
    const refunded = chargesOf('ChargeRefunded');
    return chargesOf('ChargeReserved').map((id) => refunded.includes(id));
  };

  const behaves = (
    title: string,
    isMeant: (scenario: Scenario) => boolean,
    times: { timeoutMs?: number; sentMs?: number } = {},
  ) =>
    it(title, async () => {
      const { waybill, tenant } = await open(times);
      const rows = Object.entries<Scenario>(scenarios)
        .filter(([name, { recipient }]) => recipient !== undefined || name === 'normal')
        .filter(([, scenario]) => isMeant(scenario))
        .map(([name, scenario]) => {
          const { answer, status, refunded } = outcomeOf(scenario);
          return [scenario.recipient ?? ORDINARY, name, answer, status, refunded] as const;
        });
      const answers: number[] = [];
      for (const [recipient] of rows) {
        const body = orderShipped({ to: `+${recipient}`, clientReference: recipient });
        const path = '/v1/notifications/send';
        const answer = await waybill.call('POST', path, { token: tenant.apiKey, body });
        answers.push(answer.status);
      }
      await until('the simulator is quiet', () => simulator.pending() === 0);
      let found: unknown[] = [];
      const look = async () => {
        await waybill.settled();
        const refunds = await refundsOf(waybill, tenant);
        const statuses = await Promise.all(
          rows.map(([recipient]) => statusOf(waybill, tenant, recipient)),
        );
        found = rows.map(([recipient, name], at) => {
          return [recipient, name, answers[at], statuses[at], refunds[at]];
        });
        return isDeepStrictEqual(found, rows);
      };
      await untilTrue('the outcomes', look).catch(() => undefined);
      expect(found).to.deep.equal(rows);
    });
  behaves('tells by `outcomeOf` what a caller sees', ({ ending }) => ending !== 'silence');
  // The updates of a message that goes out nevertheless come after the service has given up.
  const silence = { timeoutMs: 1500, sentMs: 3000 };
  behaves('… and without an answer', ({ ending }) => ending === 'silence', silence);

  it('lists every control call, each with a body that it takes', async () => {
    const control = async (method: string, path: string, body?: string) => {
      const answer = await fetch(`${baseUrl}${path}`, { method, ...(body && { body }) });
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    const send = async (): Promise<string> => {
      const answer = await fetch(`${baseUrl}/v25.0/1002/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer a-token' },
        body: '{"messaging_product":"whatsapp","to":"+447700900123","text":{"body":"Hi"}}',
      });
      return ((await answer.json()) as Json).messages[0].id;
    };
    const { body: known } = await control('GET', '/_simulator/nothing');
    const rows = tableUnder(page, 'Control calls').map(([call, body]) => {
      const [method = '', path = ''] = bare(call).split(' ');
      return { method, path, verb: path.split('/')[2], body: bare(body) };
    });
    const verbsOf = (wanted: string) =>
      new Set(rows.filter(({ method }) => method === wanted).map(({ verb }) => verb));
    expect([...verbsOf('GET')]).to.have.members(known.reads);
    expect([...verbsOf('POST')]).to.have.members(known.writes);
    for (const { method, path, body } of rows) {
      const filled = body.includes('wamid.…') ? body.replace('wamid.…', await send()) : body;
      expect(await control(method, path, filled), path).to.have.property('status', 200);
    }
  });

  it('lists every setting with its default', () => {
    const defaults = {
      ...defaultSettings,
      ...keyed('timings', defaultTimings),
      ...keyed('chaos', noChaos),
    };
    const rows = tableUnder(page, 'Settings').map(([name, value]) => [bare(name), bare(value)]);
    const expected = Object.entries(defaults).map(([name, value]) => {
      return [name, value === null ? 'none' : JSON.stringify(value)];
    });
    expect(rows).to.have.deep.members([['appSecret', ''], ...expected]);
  });
});
