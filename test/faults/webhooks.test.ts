import { expect } from 'chai';
import { startCallee } from '../support/callee.ts';
import { openCrashes } from '../support/faults/crash.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { eraseContact } from '../support/privacy/erase.ts';
import { messagesPayload } from '../support/surface.ts';
import { until, untilTrue } from '../support/until.ts';
import { type Json, openTenant, type Tenant } from '../support/waybill.ts';
import { openWebhookStage } from '../support/webhook-stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The pauses before each further call, with their jitter. */
const STEPS_MS = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS]
  .concat([2, 5, 10, 14, 20].map((hours) => hours * HOUR_MS))
  .map((step) => step * 1.1);
const TOPICS = ['message.received'];
const FROM = '919812345678';

describe('a webhook that hangs @long', () => {
  useRealConnections();
  const stage = inSuite(() => openWebhookStage({ bounds: { webhookTimeoutMs: 1_500 } }));

  it('row 50: is cut off and recorded, and no other waits', async () => {
    stage.callee.answer((response, { path }) => {
      if (path !== '/hangs') response.end();
    });
    const { id } = await stage.create('/hangs', TOPICS);
    await stage.create('/ok', TOPICS);
    await stage.receive('Hi');
    await stage.bodies('/ok', 1);
    await untilTrue('its record', async () => (await stage.deliveries(id)).length > 0);
    const [record] = await stage.deliveries(id);
    expect(record).to.include({ state: 'waiting', statusCode: null, error: 'no answer in time' });
    await until('the connection is cut', () => stage.callee.open() <= 1);
  });
});

describe('webhooks that cannot be delivered @long', () => {
  useRealConnections();
  /** What the host of the moving webhook leads to now. */
  let addresses: readonly string[] = ['127.0.0.1'];
  const stage = inSuite(() => openWebhookStage({ resolve: async () => addresses }));
  beforeEach(() => {
    stage.callee.answer((response) => response.end());
    stage.callee.calls.length = 0;
  });

  /** How the callee answers calls to each path; 200 elsewhere. */
  const answer = (by: Record<string, (count: number) => number | Json>) => {
    stage.callee.answer((response, { path }) => {
      const count = stage.callsTo(path).length;
      const how = by[path]?.(count) ?? 200;
      if (typeof how === 'function') how(response);
      else response.writeHead(how).end();
    });
  };
  const remove = async (...ids: string[]) => {
    for (const id of ids) await stage.api('DELETE', `/${id}`);
  };
  const settled = (id: string, state: string) =>
    untilTrue(`a delivery that is ${state}`, async () =>
      (await stage.deliveries(id)).some((one) => one.state === state),
    );
  const textsAt = (path: string): string[] =>
    stage.callsTo(path).map(({ body }) => JSON.parse(body).data.text);

  it('row 50: fail, pour or lie about their length: cut off, recorded, and no other waits', async () => {
    const faults: Record<string, (response: Json) => void> = {
      '/fails': (response) => response.writeHead(500).end(),
      '/redirects': (response) => response.writeHead(302, { location: '/ok' }).end(),
      '/pours': (response) => {
        response.writeHead(200);
        const pour = setInterval(() => response.write('x'.repeat(1000)), 1);
        response.on('close', () => clearInterval(pour));
      },
      '/lies': (response) => {
        response.writeHead(200, { 'content-length': '10' });
        response.write('x');
        setTimeout(() => response.destroy(), 20);
      },
      '/breaks': (response) => response.destroy(),
    };
    answer(Object.fromEntries(Object.entries(faults).map(([path, how]) => [path, () => how])));
    const made: Record<string, string> = {};
    for (const path of [...Object.keys(faults), '/ok']) {
      made[path] = (await stage.create(path, TOPICS)).id;
    }
    await stage.receive('Hi');
    await stage.bodies('/ok', 1);
    const outcome = async (path: string) => {
      await untilTrue(`the record of ${path}`, async () => {
        return (await stage.deliveries(made[path]!)).length > 0;
      });
      const [{ state, statusCode, error }] = (await stage.deliveries(made[path]!)) as [Json];
      return { state, statusCode, error };
    };
    const waiting = { state: 'waiting', statusCode: null };
    expect(await outcome('/fails')).to.deep.equal({ ...waiting, statusCode: 500, error: null });
    expect(await outcome('/redirects')).to.deep.equal({ ...waiting, statusCode: 302, error: null });
    const error = 'the connection was closed';
    expect(await outcome('/breaks')).to.deep.equal({ ...waiting, error });
    // The status is the answer; what follows it is not waited for.
    for (const path of ['/pours', '/lies']) {
      expect(await outcome(path)).to.include({ state: 'delivered', statusCode: 200 });
    }
    await until('the connections are cut', () => stage.callee.open() <= 3);
    await remove(...Object.values(made));
  });

  it('row 51: moved to a private address: no connection is made, and the delivery waits', async () => {
    const url = `http://moving.example.com:${stage.callee.port}/moving`;
    const { id } = await stage.create('/moving', TOPICS, { url });
    addresses = ['10.0.0.1'];
    const before = stage.callee.connections();
    await stage.receive('Hi');
    await settled(id, 'waiting');
    const [{ error, statusCode }] = (await stage.deliveries(id)) as [Json];
    expect(statusCode).to.equal(null);
    expect(error).to.match(/private, loopback, link-local or metadata address|not a public one/);
    expect(stage.callee.connections()).to.equal(before);
    addresses = ['127.0.0.1'];
    stage.waybill.clock.advance(STEPS_MS[0]!);
    await stage.bodies('/moving', 1);
    await settled(id, 'delivered');
    await remove(id);
  });

  it('row 52: failed for five days: disabled, by an event; and nothing more until it is enabled', async () => {
    answer({ '/gone-dark': () => 503 });
    const { id } = await stage.create('/gone-dark', TOPICS);
    await stage.receive('first');
    for (const [count, step] of STEPS_MS.entries()) {
      await until(`call ${count + 1}`, () => stage.callsTo('/gone-dark').length === count + 1);
      await untilTrue('its record', async () => {
        return (await stage.deliveries(id))[0]?.attempts === count + 1;
      });
      stage.waybill.clock.advance(step);
    }
    await settled(id, 'failed');
    const ids = new Set(stage.callsTo('/gone-dark').map(({ headers }) => headers['webhook-id']));
    expect(stage.callsTo('/gone-dark')).to.have.length(9);
    expect(ids.size).to.equal(1);
    stage.waybill.clock.advance(3 * DAY_MS);
    await stage.receive('after five days');
    const hook = async () => (await stage.api('GET', `/${id}`)).body;
    await untilTrue('the end', async () => (await hook()).state === 'disabled');
    expect(await hook()).to.include({ disabledReason: 'failing' });
    const events = await stage.waybill.events(`webhook-${stage.tenant.accountId}.${id}`);
    expect(events.at(-1)).to.deep.include({ type: 'WebhookDisabled' });
    await stage.receive('nobody hears this');
    answer({});
    await stage.api('PATCH', `/${id}`, { state: 'active' });
    stage.waybill.clock.advance(STEPS_MS[0]!);
    await until('what waited', () => stage.callsTo('/gone-dark').length === 11);
    expect(textsAt('/gone-dark').at(-1)).to.equal('after five days');
    await remove(id);
  });

  it('row 53: answering Retry-After: a longer pause is kept to', async () => {
    const later = (response: Json) => response.writeHead(429, { 'retry-after': '120' }).end();
    answer({ '/later': () => later });
    const { id } = await stage.create('/later', TOPICS);
    await stage.receive('Hi');
    await settled(id, 'waiting');
    const [{ nextAttemptAt }] = (await stage.deliveries(id)) as [Json];
    expect(Date.parse(nextAttemptAt) - stage.waybill.clock.now()).to.equal(120_000);
    await remove(id);
  });

  it('row 54: failing once: later events of that contact wait behind it, those of others do not', async () => {
    answer({ '/order': (count) => (count === 1 ? 500 : 200) });
    const { id } = await stage.create('/order', TOPICS);
    await stage.receive('1');
    await until('the first call', () => stage.callsTo('/order').length === 1);
    await settled(id, 'waiting');
    await stage.receive('2');
    await stage.receive('of another', '919812345999');
    await until('the other', () => stage.callsTo('/order').length === 2);
    expect(textsAt('/order')).to.deep.equal(['1', 'of another']);
    stage.waybill.clock.advance(STEPS_MS[0]!);
    await until('both', () => stage.callsTo('/order').length === 4);
    expect(textsAt('/order')).to.deep.equal(['1', 'of another', '1', '2']);
    await remove(id);
  });

  it('row 55: waiting when the contact is erased: delivered without anything personal', async () => {
    const from = '919812340000';
    answer({ '/erased': (count) => (count === 1 ? 500 : 200) });
    const { id } = await stage.create('/erased', TOPICS);
    await stage.receive('my secret', from);
    await settled(id, 'waiting');
    await eraseContact(stage.waybill, from);
    stage.waybill.clock.advance(STEPS_MS[0]!);
    const [, after] = await stage.bodies('/erased', 2);
    expect(after.data).to.include({ erased: true, text: null, message: null, senderWaId: null });
    expect(JSON.stringify(after)).not.to.match(/my secret|919812340000/);
    const [first, second] = stage.callsTo('/erased').map(({ headers }) => headers['webhook-id']);
    expect(second).to.equal(first);
    await remove(id);
  });
});

describe('many webhooks @long', () => {
  useRealConnections();
  const stage = inSuite(openWebhookStage);

  /** Many messages at once, each of another customer. */
  const receiveMany = async (tenant: Tenant, count: number, name: string, contacts = count) => {
    const at = String(Math.floor(stage.waybill.clock.now() / 1000));
    for (let from = 0; from < count; from += 250) {
      const numbers = Array.from({ length: Math.min(250, count - from) }, (_, one) => from + one);
      const messages = numbers.map((one) => ({
        id: `wamid.${name}${one}`,
        from: `91981${2_000_000 + (one % contacts)}`,
        timestamp: at,
        type: 'text',
        text: { body: `${name} ${one}` },
      }));
      const senders = [...new Set(messages.map((one) => one.from))];
      const known = senders.map((wa_id) => ({ wa_id, profile: { name: 'Mia' } }));
      const payload = messagesPayload(tenant, { contacts: known, messages });
      expect((await stage.waybill.webhook(payload)).status).to.equal(200);
    }
  };

  it('row 56: one of 100 hangs: the others get all, in the time that they need @series', async () => {
    stage.callee.answer((response, { path }) => {
      if (path !== '/dead') response.end();
    });
    const tenants = [stage.tenant];
    while (tenants.length < 5) tenants.push(await openTenant(stage.waybill));
    const make = (tenant: Tenant, path: string) =>
      stage.api('POST', '', { url: `${stage.callee.url}${path}`, events: TOPICS }, tenant);
    for (const [place, tenant] of tenants.entries()) {
      for (let one = 0; one < 20; one += 1) {
        const path = place === 0 && one === 0 ? '/dead' : `/${place}/${one}`;
        expect((await make(tenant, path)).status).to.equal(201);
      }
    }
    for (const [place, tenant] of tenants.entries()) await receiveMany(tenant, 4, `m${place}.`);
    const others = () => stage.callee.calls.filter(({ path }) => path !== '/dead');
    await until('all others', () => others().length === 99 * 4);
    expect(stage.callsTo('/dead').length).to.equal(4);
  });

  it('row 59: more events than fit into memory: all arrive, those of a contact in order @series', async () => {
    const tenant = await openTenant(stage.waybill);
    const held: (() => void)[] = [];
    let isHeld = true;
    const texts: string[] = [];
    stage.callee.answer((response, { body }) => {
      texts.push(JSON.parse(body).data.text);
      if (isHeld) held.push(() => response.end());
      else response.end();
    });
    const body = { url: `${stage.callee.url}/slow`, events: TOPICS };
    const { id } = (await stage.api('POST', '', body, tenant)).body;
    await receiveMany(tenant, 300, 'a', 9);
    const deferred = async () => {
      const events = await stage.waybill.events(`webhook-${tenant.accountId}.${id}`);
      return events.filter(({ type }) => type === 'WebhookDeferred').length;
    };
    await untilTrue('the rest waits', async () => (await deferred()) === 100);
    expect(texts).to.have.length(8);
    isHeld = false;
    for (const release of held) release();
    await receiveMany(tenant, 18, 'b', 9);
    await until('all', () => texts.length >= 318);
    expect(new Set(texts).size).to.equal(318);
    // Messages that arrive together may change places before they are in the log.
    const logged = (await stage.waybill.log()).flatMap(({ type, data }) => {
      const { accountId, text } = data as { accountId?: string; text?: string };
      return type === 'MessageReceived' && accountId === tenant.accountId ? [text!] : [];
    });
    const ofContact = (all: readonly string[], contact: number) =>
      all.filter((text) => Number(text.slice(2)) % 9 === contact);
    for (let contact = 0; contact < 9; contact += 1) {
      expect(ofContact(texts, contact)).to.deep.equal(ofContact(logged, contact));
    }
    await untilTrue('nothing waits', async () => {
      const path = `/${id}/deliveries?state=waiting`;
      return (await stage.api('GET', path, undefined, tenant)).body.deliveries.length === 0;
    });
    // Once nothing waits, events go past the log again.
    await untilTrue('an event that is not put off', async () => {
      const [count, before] = [texts.length, await deferred()];
      await stage.receive('c', FROM, tenant);
      await until('it arrives', () => texts.length > count);
      return (await deferred()) === before;
    });
  });

  it('row 57: a replay of many events runs beside live ones, which do not wait for it', async () => {
    const tenant = await openTenant(stage.waybill);
    const OLD = 200;
    await receiveMany(tenant, OLD, 'old');
    let running = 0;
    let most = 0;
    const texts: string[] = [];
    const held: (() => void)[] = [];
    // All that the replay calls at one time is held until the live one has come.
    stage.callee.answer((response, call) => {
      if (call.path !== '/replay') return void response.end();
      texts.push(JSON.parse(call.body).data.text);
      running += 1;
      most = Math.max(most, running);
      held.push(() => {
        running -= 1;
        response.end();
      });
      if (texts.length > 20 && !texts.includes('live')) return;
      for (const release of held.splice(0)) setImmediate(release);
    });
    const body = { url: `${stage.callee.url}/replay`, events: TOPICS };
    const { id } = (await stage.api('POST', '', body, tenant)).body;
    const since = '2026-01-01T00:00:00Z';
    expect((await stage.api('POST', `/${id}/replay`, { since }, tenant)).status).to.equal(202);
    expect((await stage.api('POST', `/${id}/replay`, { since }, tenant)).status).to.equal(409);
    await until('the replay runs', () => texts.length > 20);
    await stage.receive('live', FROM, tenant);
    await until('the live one', () => texts.includes('live'));
    await until('all', () => texts.length > OLD);
    expect(new Set(texts).size).to.equal(OLD + 1);
    expect(most, 'calls at one time').to.be.at.most(8 + 8);
    await untilTrue('the end', async () => {
      return (await stage.api('GET', `/${id}`, undefined, tenant)).body.replay === null;
    });
  });
});

describe('a process killed between the call of a webhook and its record @long', () => {
  useRealConnections();
  const crashes = inSuite(openCrashes);
  const callee = inSuite(startCallee);

  it('row 58: the next one delivers it again under the same id, then the later ones @series', async () => {
    const env = { WAYBILL_FORWARD_ALLOW: '127.0.0.1' };
    const first = await crashes.start({ env });
    const tenant = await crashes.tenant();
    const body = { url: `${callee.url}/hook`, events: TOPICS };
    const token = tenant.apiKey;
    expect((await crashes.call('POST', '/v1/webhooks', { token, body })).status).to.equal(201);
    // It arrived, and its sender never learns of that.
    callee.answer(() => void first.process.kill('SIGKILL'));
    const write = (text: string) =>
      crashes.simulator.inbound(FROM, { phoneNumberId: tenant.phoneNumberId, text });
    await write('1');
    await first.ended;
    callee.answer((response) => response.end());
    await crashes.start({ env });
    await write('2');
    await until('all', () => callee.calls.length >= 3);
    const seen = callee.calls.map(({ headers, body: text }) => ({
      id: headers['webhook-id'],
      text: JSON.parse(text).data.text,
    }));
    expect(seen.map(({ text }) => text)).to.deep.equal(['1', '1', '2']);
    expect(seen[1]!.id).to.equal(seen[0]!.id);
  });
});
