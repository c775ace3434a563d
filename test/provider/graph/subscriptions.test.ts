import { expect } from 'chai';
import type { Reply } from '../../../src/provider/graph/client.ts';
import { subscribe } from '../../../src/provider/graph/numbers.ts';
import { ProviderUnreachable } from '../../../src/provider/provider.ts';
import { sender } from '../../support/provider.ts';

const ok = (body: object): Reply => ({ kind: 'ok', status: 200, body: body as never });
const refused = (code: number | null): Reply => ({
  kind: 'refused',
  refusal: { code, subcode: null, message: `no ${code}`, httpStatus: 400 },
});
const list = (...ids: string[]) =>
  ok({ data: ids.map((id) => ({ whatsapp_business_api_data: { id } })) });

/** Subscribes with these answers, by the last part of the path; a call without one is unreachable. */
const subscribeWith = async (answers: Record<string, Reply>) => {
  const calls: string[] = [];
  const answer = async (call: string) => {
    calls.push(call);
    return answers[call] ?? ({ kind: 'unreachable', reason: 'ECONNREFUSED' } as const);
  };
  const work = subscribe(
    {
      get: (_, path) => answer(path.split('/').at(-1)!),
      remove: (_, path) => answer(`DELETE ${path}`),
      post: (_, path) => answer(`POST ${path}`),
    },
    sender(),
  );
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { calls, error, result: error === null ? await work : null };
};
const POST = 'POST 200000000000002/subscribed_apps';
const success = ok({ success: true });
const one = { subscribed_apps: list('1') };
const untold = { app: refused(100), debug_token: refused(100) };
const yes = { subscribed: true, problem: null };

describe('the subscription of our app to a business account', () => {
  it('is read first, and is not made twice', async () => {
    const there = { subscribed_apps: list('1', '2'), app: ok({ id: '2' }) };
    const { calls, result } = await subscribeWith(there);
    expect(result).to.deep.equal(yes);
    expect(calls).to.deep.equal(['subscribed_apps', 'app']);
  });

  it('is made where no app, or only another one, has it', async () => {
    const empty = await subscribeWith({ subscribed_apps: list(), [POST]: success });
    expect(empty.result).to.deep.equal(yes);
    expect(empty.calls).to.deep.equal(['subscribed_apps', POST]);
    const other = await subscribeWith({ ...one, app: ok({ id: '2' }), [POST]: success });
    expect(other.calls).to.deep.equal(['subscribed_apps', 'app', POST]);
  });

  it('finds the app of the token by either call, and is made again where neither tells', async () => {
    const token = ok({ data: { app_id: '1' } });
    const debug = await subscribeWith({ ...one, ...untold, debug_token: token });
    expect(debug.result).to.deep.equal(yes);
    expect(debug.calls).to.deep.equal(['subscribed_apps', 'app', 'debug_token']);
    const neither = await subscribeWith({ ...one, ...untold, [POST]: success });
    expect(neither.calls.at(-1)).to.equal(POST);
  });

  it('is unknown or missing, with the words of the provider, where it refuses', async () => {
    const unread = await subscribeWith({ subscribed_apps: refused(190) });
    expect(unread.result).to.deep.equal({ subscribed: null, problem: 'no 190' });
    expect(unread.calls).to.deep.equal(['subscribed_apps']);
    const refusal = await subscribeWith({ subscribed_apps: list(), [POST]: refused(200) });
    expect(refusal.result).to.deep.equal({ subscribed: false, problem: 'no 200' });
    const vague = await subscribeWith({ subscribed_apps: list(), [POST]: ok({}) });
    expect(vague.result?.subscribed).to.equal(false);
    expect(vague.result?.problem).to.contain('HTTP 200');
  });

  it('fails as unreachable without an answer that has a code', async () => {
    for (const answers of [
      {},
      { subscribed_apps: refused(null) },
      one,
      { subscribed_apps: list() },
      { subscribed_apps: list(), [POST]: refused(null) },
    ]) {
      expect((await subscribeWith(answers)).error).to.be.instanceOf(ProviderUnreachable);
    }
  });
});
