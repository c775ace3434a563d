import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { generated, snake } from '../../../clients/python/generate.ts';
import { describedRoutes } from '../../../openapi/document.ts';
import { operationIdOf } from '../../../openapi/names.ts';
import { openWorld, type World } from '../../support/faults/world.ts';
import { useRealConnections } from '../../support/network.ts';
import { SECRET, signedEvent } from '../support.ts';

const client = join(import.meta.dirname, '../../../clients/python');
const run = promisify(execFile);

/** Why this machine cannot run the client; undefined where it can. */
const reason = (): string | undefined => {
  const program = 'import sys; print(sys.version_info >= (3, 11))';
  try {
    const is311 = execFileSync('python3', ['-c', program], { encoding: 'utf8', stdio: 'pipe' });
    return is311.trim() === 'True' ? undefined : 'needs Python 3.11';
  } catch {
    return 'needs python3 on the path';
  }
};
const missing = reason();

/** What is printed after the samples of the README, which come first. */
const PROGRAM = `
import asyncio, tempfile, json, sys

from waybill_client import AsyncWaybill, NotFoundError, ValidationError

notification = {"to": "+919812345678", "event": "order_shipped", "variables": {"orderId": "A-1", "awbCode": "AWB1", "trackingLink": "https://shop.example/t/1"}}
first = waybill.send_notification(notification, idempotency_key="A-1")
again = waybill.send_notification(notification, idempotency_key="A-1")
batch = waybill.send_notification_batch({"event": "order_shipped", "recipients": [
    {"to": "+919812345679", "variables": notification["variables"]}]})
media = waybill.upload_media(b"%PDF-1.4 a bill", "application/pdf", filename='a "bill".pdf')
columns = {"to": "phone", "variables": {name: name for name in ("orderId", "awbCode", "trackingLink")}}
with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    file.write("phone,orderId,awbCode,trackingLink\\n+919812345680,A-1,AWB1,https://shop.example/t/1\\nnobody,A-2,AWB2,x\\n")
    file.flush()
    job = waybill.upload_job(file.name, {"event": "order_shipped", "columns": columns})
states = [(one["state"], one["plan"] and [one["plan"]["good"], one["plan"]["bad"]]) for one in waybill.watch_job(job["id"], every_seconds=0.02)]

async def later():
    client = AsyncWaybill(os.environ["WAYBILL_API_KEY"], os.environ["WAYBILL_URL"])
    credits, phones = await asyncio.gather(client.get_credits(), client.list_phones())
    return [credits["balance"], len(phones), [row["metaMessageId"] async for row in client.list_messages(limit=1)]]

def fails(call):
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]

print(json.dumps({
    "sent": sent, "again": [again["messageId"] == first["messageId"], again["isReplayed"]],
    "batch": batch["sent"], "job": states[-1], "media": media["id"], "later": asyncio.run(later()),
    "listed": [row["metaMessageId"] for row in waybill.list_messages(limit=2, direction="outbound")],
    "status": waybill.get_message_status(first["messageId"])["status"],
    "webhook": [receive(body.encode(), headers) for body, headers in json.loads(sys.argv[1])],
    "invalid": fails(lambda: waybill.send_notification({**notification, "to": "mia"})),
    "unknown": fails(lambda: waybill.get_bot("bot/x")),
}))
`;

describe('the Python client @long', () => {
  it('has the methods and types of the reference; `npm run openapi` writes them', () => {
    const file = readFileSync(join(client, 'waybill_client/generated.py'), 'utf8');
    expect(file === generated(), 'generated.py is old: run npm run openapi').to.equal(true);
  });

  it('has a method for each operation of an account, with and without asyncio', () => {
    const text = ['generated.py', 'client.py']
      .map((name) => readFileSync(join(client, 'waybill_client', name), 'utf8'))
      .join('\n');
    const methodsOf = (classes: readonly string[]) =>
      text
        .split(/^class /m)
        .filter((part) => classes.includes(/^\w+/.exec(part)?.[0] ?? ''))
        .flatMap((part) => [...part.matchAll(/^ {4}(?:async )?def (\w+)\(/gm)])
        .map(([, name]) => name!);
    const asked = describedRoutes().filter(({ path }) => path.startsWith('/v1/'));
    const names = asked.map((route) => snake(operationIdOf(route)));
    expect(methodsOf(['Operations', 'Calls'])).to.include.members(names);
    expect(methodsOf(['AsyncOperations', 'AsyncCalls'])).to.include.members(names);
  });

  describe(`as Python runs it${missing ? `, which ${missing}` : ''}`, () => {
    useRealConnections();
    let world: World;
    before(async function () {
      if (missing) return this.skip();
      world = await openWorld();
    });
    after(() => world?.close());

    it('retries, raises, lists and verifies by the same rules as the TypeScript client', async () => {
      const tests = ['-m', 'unittest', 'discover', 'tests'];
      const { stderr } = await run('python3', tests, { cwd: client });
      expect(stderr).to.match(/^OK$/m);
    });

    it('sends once under a key, lists, uploads and receives over a service, as its README shows', async () => {
      const readme = readFileSync(join(client, 'README.md'), 'utf8');
      const samples = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code!);
      expect(samples).to.have.length(3);
      const { apiKey } = await world.tenant({ credits: 10 });
      const env = {
        PATH: process.env.PATH,
        PYTHONPATH: client,
        PYTHONDONTWRITEBYTECODE: '1',
        WAYBILL_API_KEY: apiKey,
        WAYBILL_URL: `${world.waybill.url}/api`,
        WEBHOOK_SECRET: SECRET,
      };
      const { body, headers } = signedEvent();
      const webhooks = JSON.stringify([body, '{}'].map((one) => [one, headers]));
      const program = `${samples.join('\n')}\n${PROGRAM}`;
      const { stdout } = await run('python3', ['-c', program, webhooks], { env, timeout: 120_000 });
      const told = JSON.parse(stdout.trim().split('\n').at(-1)!);
      expect(told.sent.billing).to.include({ category: 'UTILITY', creditsRemaining: 9 });
      expect(told).to.deep.include({ again: [true, true], batch: 1, webhook: [204, 400] });
      expect(told.later.slice(0, 2)).to.deep.equal([7, 1]);
      expect(told.later[2]).to.deep.equal(told.listed).and.have.length(3);
      expect(told.media).to.be.a('string');
      expect(told.job).to.deep.equal(['ready', [1, 1]]);
      expect(told.status).to.be.a('string');
      expect(told.invalid).to.deep.equal([
        'ValidationError',
        'to: must have at least 5 characters, such as +919812345678. Correct the named fields; the reference at /docs shows an example.',
      ]);
      expect(told.unknown[0]).to.equal('NotFoundError');
    });
  });
});
