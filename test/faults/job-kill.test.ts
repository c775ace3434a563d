import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { request } from 'undici';
import { killChildren } from '../support/faults/child.ts';
import { openCrashes } from '../support/faults/crash.ts';
import { isSendOf } from '../support/faults/gate.ts';
import { FORM_END, FORM_TYPE, formHead, partOf } from '../support/form.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { until, untilTrue } from '../support/until.ts';
import { type Json, orderShipped, type Tenant } from '../support/waybill.ts';

const ROWS = 120;
const DAY_MS = 86_400_000;

describe('a process killed while it has a job @long', () => {
  useRealConnections();
  const crashes = inSuite(openCrashes);
  afterEach(killChildren);

  const { variables } = orderShipped();
  const names = Object.keys(variables as Json);
  const columns = { to: 'to', variables: Object.fromEntries(names.map((name) => [name, name])) };
  const make = async ({ apiKey: token }: Tenant, more: Json = {}): Promise<string> => {
    const body = {
      event: 'order_shipped',
      columns,
      rows: Array.from({ length: ROWS }, (_, at) => ({
        to: `+919812345${100 + at}`,
        ...variables,
      })),
      ...more,
    };
    const { status, body: made } = await crashes.call('POST', '/v1/jobs', { token, body });
    expect(status, JSON.stringify(made)).to.equal(201);
    return made.id;
  };
  const verb = ({ apiKey: token }: Tenant, id: string, name: string) =>
    crashes.call('POST', `/v1/jobs/${id}/${name}`, { token });
  const job = async ({ apiKey: token }: Tenant, id: string): Promise<Json> =>
    (await crashes.call('GET', `/v1/jobs/${id}`, { token })).body;
  const untilIs = async (tenant: Tenant, id: string, state: string): Promise<Json> => {
    let known: Json = {};
    await untilTrue(`the job is ${state}`, async () => {
      known = await job(tenant, id);
      return known.state === state;
    });
    return known;
  };
  const callsOf = (tenant: Tenant) => crashes.sendsOf(tenant).map(({ to }) => to);
  /** No row went out twice, and each has an end: those of which it is not known are refused. */
  const mustAddUp = (tenant: Tenant, { counts }: Json): void => {
    const sent = counts.sent + counts.delivered + counts.read;
    expect(counts.waiting).to.equal(0);
    expect(sent + counts.failed + counts.refused).to.equal(ROWS);
    const calls = callsOf(tenant);
    expect(new Set(calls).size, 'no row went out twice').to.equal(calls.length);
    expect(calls.length).to.be.within(sent, sent + counts.refused);
  };
  const begin = async () => {
    const first = await crashes.start();
    const tenant = await crashes.tenant();
    return { first, tenant };
  };

  /** Uploads rows, and keeps the end of the form back until `leaving` is aborted. */
  const upload = (url: string, token: string, leaving?: AbortController) => {
    const value = JSON.stringify({ event: 'order_shipped', columns });
    const row = (at: number) => `+919812345${100 + at},A,B,https://c.example`;
    const rows = Array.from({ length: ROWS }, (_, at) => row(at));
    const form = async function* () {
      yield partOf({ name: 'spec', value });
      yield formHead('text/csv');
      yield Buffer.from(`${[`to,${names.join(',')}`, ...rows].join('\n')}\n`);
      if (leaving) await once(leaving.signal, 'abort');
      yield Buffer.from('\r\n');
      yield FORM_END;
    };
    const headers = { authorization: `Bearer ${token}`, 'content-type': FORM_TYPE };
    return request(`${url}/api/v1/jobs`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'autumn' },
      body: Readable.from(form()),
      ...(leaving && { signal: leaving.signal }),
    });
  };

  it('in the middle of the file: it is unusable, and made once more under its key @series', async () => {
    const { first, tenant } = await begin();
    const { apiKey: token } = tenant;
    const leaving = new AbortController();
    upload(first.url, token, leaving).catch(() => undefined);
    const listed = async () =>
      (await crashes.call('GET', '/v1/jobs', { token })).body.jobs as Json[];
    await untilTrue('it is checked', async () => (await listed())[0]?.state === 'checking');
    await first.kill();
    leaving.abort();
    const second = await crashes.start();
    const [known] = await listed();
    const over = await untilIs(tenant, known!.id, 'unusable');
    expect(over.reason).to.include('upload the file again');
    expect((await verb(tenant, known!.id, 'start')).status).to.equal(409);
    const ids = [];
    for (let time = 0; time < 2; time += 1) {
      const { statusCode, body } = await upload(second.url, token);
      expect(statusCode).to.equal(201);
      ids.push(((await body.json()) as Json).id);
      await untilIs(tenant, ids[0], 'ready');
    }
    expect(ids).to.deep.equal([`${known!.id}_2`, `${known!.id}_2`]);
    expect((await listed()).map(({ state }) => state)).to.deep.equal(['ready', 'unusable']);
    expect(callsOf(tenant)).to.deep.equal([]);
  });

  it('while it is paused: it goes on where it was, and names nobody 30 days after its end @series', async () => {
    const { first, tenant } = await begin();
    const id = await make(tenant, { perSecond: 200 });
    await untilIs(tenant, id, 'ready');
    await verb(tenant, id, 'start');
    await until('some are sent', () => callsOf(tenant).length > 3);
    await verb(tenant, id, 'pause');
    await first.kill();
    const second = await crashes.start();
    expect((await job(tenant, id)).state).to.equal('paused');
    await verb(tenant, id, 'resume');
    mustAddUp(tenant, await untilIs(tenant, id, 'done'));
    const result = async ({ url }: { url: string }): Promise<string> => {
      const headers = { authorization: `Bearer ${tenant.apiKey}` };
      return (await request(`${url}/api/v1/jobs/${id}/result`, { headers })).body.text();
    };
    expect(await result(second)).to.include('+919812345100');
    await second.stop();
    const later = await crashes.start({ clockOffsetMs: 31 * DAY_MS });
    await untilTrue('its file is destroyed', async () => {
      return (await verb(tenant, id, 'retry')).status === 410;
    });
    expect(await result(later))
      .to.match(/^1,(sent|refused),,/m)
      .and.not.to.include('+91');
  });

  for (const [what, where, clockOffsetMs, tag] of [
    ['before a send', 'before', undefined, ' @series'],
    ['after a send', 'after', undefined, ' @series'],
    // The claims of keys of callers are gone by then.
    ['after a send, and stopped for more than a day', 'after', DAY_MS + 3_600_000, ' @series'],
  ] as const) {
    it(`row 78: ${what}: sends no row twice, and loses none${tag}`, async () => {
      const { first, tenant } = await begin();
      const id = await make(tenant);
      await untilIs(tenant, id, 'ready');
      const held = crashes.gate.hold(where, isSendOf(tenant));
      await verb(tenant, id, 'start');
      await held.arrived();
      await first.kill();
      held.release();
      const second = await crashes.start({ ...(clockOffsetMs && { clockOffsetMs }) });
      const done = await untilIs(tenant, id, 'done');
      mustAddUp(tenant, done);
      expect(done.counts.refused, 'some were under way').to.be.above(0);
      await second.stop();
      expect(await crashes.inspect(clockOffsetMs ?? 0)).to.deep.equal([]);
    });
  }
});
