import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import type { Mark } from '../../support/privacy/needles.ts';
import { createPerson } from '../../support/privacy/person.ts';
import { INBOUND_FILE, openStage, type Stage } from '../../support/privacy/stage.ts';
import { live } from '../../support/privacy/whole.ts';
import { declaredRoutes, filledPath } from '../../support/routes.ts';
import { type Way, waysOf } from '../../support/session.ts';
import { until, untilTrue } from '../../support/until.ts';
import {
  type Answer,
  credentialsOf,
  type Json,
  openTenant,
  orderShipped,
  type Tenant,
} from '../../support/waybill.ts';

// An account with everything that one can have, and a stranger who knows all of its ids.

// Those of people alone are tested by role.
const routes = declaredRoutes().filter(
  ({ path, access }) => path.startsWith('/v1/') && access !== 'person',
);
type Route = (typeof routes)[number];
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

/** What the account has, by the name of the parameter or the field that takes it. */
type Things = Record<string, string>;

/** Its row waits until then, so that no test depends on whether it was sent already. */
const jobOfOneRow = (sendAt: string | undefined) => ({
  sendAt,
  event: 'order_shipped',
  columns: { to: 'to', variables: { orderId: 'a', awbCode: 'b', trackingLink: 'c' } },
  rows: [{ to: '+919812345678', a: 'A-1', b: 'AWB1', c: 'https://shop.example/t/1' }],
});

/** Bodies that the owner's request succeeds with, where `{}` does not. */
const bodyOf = (route: Route, { phoneNumberId, messageId, sendAt }: Things): Json => {
  const bodies: Record<string, Json> = {
    'PATCH /v1/scheduled/:scheduleId': { sendAt },
    'POST /v1/conversations/:conversationId/assign': { personId: null },
    'POST /v1/conversations/:conversationId/labels': { labels: ['late'] },
    'POST /v1/conversations/:conversationId/notes': { text: 'Called back' },
    'POST /v1/jobs': jobOfOneRow(sendAt),
    'POST /v1/quick-replies': { name: 'Later', text: 'We are open until six.' },
    'PATCH /v1/quick-replies/:replyId': { text: 'We are open until seven.' },
    'PATCH /v1/phones/:phoneNumberId/webhook': { webhookUrl: null },
    'PATCH /v1/bots/:botId': { description: 'Changed' },
    'POST /v1/bots/:botId/simulate': { messages: [{ text: 'Hello' }] },
    'PUT /v1/bots/:botId/draft': { nodes: [], edges: [] },
    'POST /v1/bots/:botId/publish': { version: 1 },
    'PATCH /v1/webhooks/:webhookId': { description: 'Changed' },
    'POST /v1/webhooks/:webhookId/replay': { since: '2026-11-20T00:00:00Z' },
    'POST /v1/notifications/templates/submit': { phoneNumberId },
    'POST /v1/notifications/send': orderShipped({ phoneNumberId }),
    'POST /v1/notifications/send/batch': {
      event: 'order_shipped',
      phoneNumberId,
      recipients: [{ to: '+919812345678', variables: orderShipped().variables }],
    },
    'POST /v1/messages/send': {
      to: '+919812345678',
      type: 'text',
      phoneNumberId,
      text: { body: 'Hello' },
      contextMessageId: messageId,
    },
    'POST /v1/bots': { name: 'Theirs', phoneNumberId },
    'POST /v1/templates': {
      phoneNumberId,
      name: 'theirs',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hello' }],
    },
  };
  return bodies[nameOf(route)] ?? {};
};

describe('A stranger to an account, by key and by session @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const person = createPerson();
  let stage: Stage;
  let stranger: Tenant;
  let ways: readonly Way[];
  let things: Things;

  const thingsOf = async ({ api, tenant }: Stage): Promise<Things> => {
    const read = async (path: string) => (await api('GET', path)).body;
    const { messages } = await read('/messages?limit=100');
    const { conversations } = await read('/conversations');
    const [bot] = await read('/bots');
    const [webhook] = (await read('/webhooks')).webhooks;
    const [run] = (await read(`/bots/${bot.id}/runs`)).runs;
    const [delivery] = (await read(`/webhooks/${webhook.id}/deliveries`)).deliveries;
    const [template] = await read(`/templates?phoneNumberId=${tenant.phoneNumberId}`);
    const inbound = messages.find((one: Json) => one.direction === 'inbound' && one.text !== null);
    const charged = messages.find((one: Json) => one.chargeId !== null);
    const sendAt = new Date(Date.parse(charged.createdAt) + 86_400_000).toISOString();
    const later = orderShipped({ sendAt });
    const answer = await api('POST', '/notifications/send', later, { statuses: [202] });
    const { scheduled } = answer.body;
    const text = 'We are open until five.';
    const reply = (await api('POST', '/quick-replies', { name: 'Hours', text })).body;
    const job = (await api('POST', '/jobs', jobOfOneRow(sendAt))).body;
    return {
      scheduleId: scheduled.id,
      replyId: reply.id,
      jobId: job.id,
      sendAt,
      messageId: inbound.id,
      chargeId: charged.chargeId,
      conversationId: conversations[0].id,
      botId: bot.id,
      runId: run.id,
      webhookId: webhook.id,
      deliveryId: delivery.id,
      templateId: template.id,
      mediaId: INBOUND_FILE,
      phoneNumberId: tenant.phoneNumberId,
      contact: person.number,
      search: person.text('name'),
      clientReference: 'order send',
    };
  };

  before(async () => {
    // Counts are written down at once.
    const freeWrites = { bytesPerMb: 1024 * 1024, flushBytes: 1 };
    stage = await openStage({ directory: folder.path, bounds: { freeWrites } });
    const { waybill, callee, api } = stage;
    await api('POST', '/webhooks', { url: `${callee.url}/hook`, events: ['message.received'] });
    await live(stage, person);
    things = await thingsOf(stage);
    stranger = await openTenant(waybill);
    ways = await waysOf(waybill, stranger.apiKey);
  });
  after(async () => {
    await stage.close();
    folder.remove();
  });

  /** `:id` is what the path says it is. */
  const targetOf = ({ path }: Route): string => {
    const kinds = { media: 'mediaId', templates: 'templateId', charges: 'chargeId' } as const;
    const kind = kinds[/^\/v1\/(\w+)\/:id/.exec(path)?.[1] as keyof typeof kinds];
    const filled = filledPath(path, { ...things, ...(kind && { id: things[kind]! }) });
    return kind === 'templateId' ? `${filled}?phoneNumberId=${things.phoneNumberId}` : filled;
  };
  const call = (route: Route, way: Way, target = targetOf(route)): Promise<Answer> =>
    stage.waybill.call(route.method, target, {
      ...way,
      ...(!['GET', 'DELETE'].includes(route.method) && { body: bodyOf(route, things) }),
    });
  /** The answers to all ways, which are one answer. */
  const answerOf = async (route: Route, target?: string): Promise<Answer> => {
    const answers = [];
    for (const way of ways) answers.push(await call(route, way, target));
    const [byKey, bySession] = answers.map(({ status, body }) => ({ status, body }));
    expect(bySession, `${nameOf(route)} ${target}`).to.deep.equal(byKey);
    return answers[0]!;
  };
  /** What no answer to a stranger holds. */
  const marks = (): Mark[] => {
    const { accountId, organisationId, wabaId } = stage.tenant;
    const own: Things = { ...things, accountId, organisationId, wabaId };
    // The others are unique.
    const { clientReference, mediaId, templateId, deliveryId, ...unique } = own;
    return [...person.marks(), ...Object.entries(unique).map(([name, text]) => ({ name, text }))];
  };
  const foundOf = ({ body }: Answer, asked?: string): string[] => {
    const shown = JSON.stringify(body);
    const isShown = ({ text }: Mark) => shown.includes(JSON.stringify(text).slice(1, -1));
    return marks().flatMap((one) => (one.text !== asked && isShown(one) ? [one.name] : []));
  };
  const ownLog = async () =>
    (await stage.waybill.log()).filter(
      ({ type, meta }) => type !== 'FreeWritesCounted' && meta.accountId === stage.tenant.accountId,
    ).length;

  const named = routes.filter(({ path }) => path.includes(':'));
  const lists = routes.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  const verbs = routes.filter((one) => !named.includes(one) && !lists.includes(one));

  it('finds none of its things by their ids, and changes none: 404', async () => {
    const before = await ownLog();
    for (const route of named) {
      const answer = await answered(404, answerOf(route), nameOf(route));
      expect(foundOf(answer), nameOf(route)).to.deep.equal([]);
    }
    expect(await ownLog()).to.equal(before);
  });

  it('sees nothing of it in any list, whatever the query names', async () => {
    for (const route of lists) {
      const answer = await answerOf(route);
      expect(foundOf(answer), nameOf(route)).to.deep.equal([]);
      const query = Object.keys((route.request?.query as Json)?.shape ?? {});
      for (const name of query.filter((one) => things[one] !== undefined)) {
        const asked = things[name]!;
        const target = `${route.path}?${new URLSearchParams({ [name]: asked })}`;
        expect(foundOf(await answerOf(route, target), asked), target).to.deep.equal([]);
      }
    }
  });

  it('finds nothing under any of its ids, numbers and names', async () => {
    const find = routes.find(({ path }) => path === '/v1/find')!;
    for (const { text } of [...marks(), { text: 'order send' }]) {
      const { status, body } = await answerOf(find, `/v1/find?${new URLSearchParams({ q: text })}`);
      expect([status, body.results], text).to.deep.equal([200, []]);
    }
  });

  it('makes nothing with its number', async () => {
    const calls = () =>
      stage.provider.calls.filter(({ path }) => path.includes(things.phoneNumberId!)).length;
    const before = [await ownLog(), calls()];
    const ofNumbers = verbs.filter(({ path }) => !/console-links|quick-replies|jobs/.test(path));
    for (const route of ofNumbers) {
      const { status, body } = await answerOf(route);
      // A batch refuses each of its recipients.
      const isRefused = status >= 400 || body.results.every(({ success }: Json) => !success);
      expect([isRefused, status < 500], nameOf(route)).to.deep.equal([true, true]);
    }
    expect([await ownLog(), calls()]).to.deep.equal(before);
  });

  it('is told of its own events alone', async () => {
    const { waybill, api, tenant } = stage;
    const texts = ways.map(() => '');
    const leaving = new AbortController();
    const follow = async (way: Way, at: number) => {
      const { body } = await fetch(`${waybill.url}/api/v1/live`, {
        headers: credentialsOf(way),
        signal: leaving.signal,
      });
      const reading = async () => {
        for await (const part of body!.pipeThrough(new TextDecoderStream())) texts[at] += part;
      };
      // It ends by the signal.
      reading().catch(() => undefined);
    };
    await Promise.all(ways.map(follow));
    await api('POST', '/notifications/send', orderShipped());
    const body = orderShipped({ clientReference: 'mine' });
    await answered(200, waybill.call('POST', '/v1/notifications/send', { ...ways[0]!, body }));
    await until('both are told', () => texts.every((text) => text.includes('MessageSent')));
    leaving.abort();
    for (const text of texts) {
      expect(text).to.contain(stranger.accountId);
      expect(text).not.to.contain(tenant.accountId);
    }
  });

  it('is refused all of the administration: 401', async () => {
    const bySession = ways[1]!;
    for (const { method, path } of declaredRoutes().filter((one) =>
      one.path.startsWith('/admin'),
    )) {
      const target = filledPath(path, { ...things, id: stage.tenant.accountId });
      await answered(401, stage.waybill.call(method, target, bySession), `${method} ${path}`);
    }
  });

  it('row 69: asked by its owner, writes nothing that is neither paid nor counted, at any route', async () => {
    const { waybill, api, callee, tenant } = stage;
    const own = { token: tenant.apiKey };
    callee.answer((response) => void response.end());
    const from = (await waybill.log()).length;
    const waits = things.jobId;
    const { id: jobId } = (await api('POST', '/jobs', jobOfOneRow(things.sendAt))).body;
    things = { ...things, jobId };
    for (const route of routes.filter(({ method }) => method !== 'DELETE')) await call(route, own);
    const body = { url: `${callee.url}/new`, events: ['message.received'] };
    const { id: webhookId } = (await api('POST', '/webhooks', body)).body;
    const { id: botId } = (await api('POST', '/bots', { name: 'Short' })).body;
    const reply = { name: 'Short', text: 'Soon.' };
    const { id: replyId } = (await api('POST', '/quick-replies', reply)).body;
    const gone = { ...things, webhookId, botId, replyId };
    for (const { method, path } of routes.filter((one) => one.method === 'DELETE')) {
      await waybill.call(method, filledPath(path, gone), own);
    }
    // What waits is counted once it comes to nothing.
    const { jobs } = (await api('GET', '/jobs')).body;
    const isOpen = ({ id, endedAt }: Json) => id !== waits && endedAt === null;
    for (const { id } of jobs.filter(isOpen)) {
      await waybill.call('POST', `/v1/jobs/${id}/cancel`, own);
    }
    const [, session] = await waysOf(waybill, tenant.apiKey);
    const headers = { 'x-waybill-console': '1', ...credentialsOf(session!) };
    await waybill.call('POST', '/console/session/end', { headers });

    const account = async () => {
      const all = (await waybill.log()).slice(from) as unknown as Json[];
      const ofAccount = all.filter(({ data, meta }) => {
        return [data.accountId, meta.accountId].includes(tenant.accountId);
      });
      const counts = ofAccount.filter(({ type }) => type === 'FreeWritesCounted');
      const paid = ['ChargeReserved', 'MessageSent'];
      const goesOn = ['WebhookReplayEnded', 'WebhookDeliveriesDropped'];
      const free = ofAccount.filter(({ type, data, meta }) => {
        const isAsked = meta.cause === undefined || data.asked || goesOn.includes(type);
        return isAsked && !paid.includes(type);
      });
      const sizes = free.map(({ data }) => 400 + Buffer.byteLength(JSON.stringify(data)));
      const bytes = counts.map((count) => count.data.bytes as number);
      const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);
      // A form in the log may be shorter than what is read of it.
      const isCounted = free.length === counts.length && sumOf(bytes) > 0.99 * sumOf(sizes);
      const told = `${free.map(({ type }, at) => `${type} ${sizes[at]}`)} by ${bytes}`;
      return { types: new Set(free.map(({ type }) => type)), isCounted, told };
    };
    // Those that wait for their next call come before a resend.
    waybill.clock.advance(60_000);
    await untilTrue('what was asked for is over', async () => {
      const { types } = await account();
      return ['WebhookAttempted', 'WebhookReplayEnded'].every((type) => types.has(type));
    });
    let seen = await account();
    await untilTrue(
      () => `each write is counted: ${seen.told}`,
      async () => {
        seen = await account();
        return seen.isCounted;
      },
    );
    const { types } = seen;
    expect([...types]).to.include.members([
      'BotChanged',
      'TemplateClaimed',
      'PhoneWebhookSet',
      'WebhookTested',
      'WebhookDeferred',
      'WebhookDeleted',
      'SessionStarted',
      'SessionEnded',
    ]);
  });

  it('asked for what is there: its owner is served at the same addresses', async () => {
    const own = { token: stage.tenant.apiKey };
    // A thing goes after what belongs to it.
    const rankOf = ({ method, path }: Route) => (method === 'DELETE' ? 1000 - path.length : 0);
    const last = named.toSorted((a, b) => rankOf(a) - rankOf(b));
    for (const route of last) {
      const { status, body } = await call(route, own);
      expect(status, `${nameOf(route)} ${JSON.stringify(body)}`).not.to.be.oneOf([400, 404, 405]);
    }
  });
});
