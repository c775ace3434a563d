import { expect } from 'chai';
import { examplesOf } from '../../../openapi/examples.ts';
import { createValidator } from '../../../src/http/route/validation.ts';
import { parseJsonStrict } from '../../../src/shared/json.ts';
import { answered } from '../../support/answered.ts';
import { declaredRoutes } from '../../support/routes.ts';
import { accountEvents, countCharges, customerWrites, useTenant } from '../../support/surface.ts';
import { type Json, orderShipped, providerAccepts } from '../../support/waybill.ts';

const LONG = '12345678901234567';

/** Paths of all texts in a value. */
const textsIn = (value: Json, path: (string | number)[] = []): (string | number)[][] => {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, [...path, key]));
};

/** JSON text of a value with the long number at a path. */
const withLong = (value: Json, path: readonly (string | number)[]): string => {
  const copy = structuredClone(value);
  let place = copy;
  for (const key of path.slice(0, -1)) place = place[key];
  place[path.at(-1)!] = '@long@';
  return JSON.stringify(copy).replace('"@long@"', LONG);
};

const at = (value: Json, path: readonly (string | number)[]) =>
  path.reduce((found, key) => found?.[key], value);

/** What callers may fill as they like: a long number passes as the text of its digits. */
const UNTOUCHED = [
  'components',
  'interactive',
  'contacts',
  'nodes',
  'edges',
  'variables',
  'httpResponses',
  // Of a quote: the body of a send, which is validated as that.
  'request',
  // Of a job: cells.
  'rows',
];

describe('a JSON number of more digits than a double holds', () => {
  it('is refused for every text field, and never becomes another number', () => {
    let texts = 0;
    for (const route of declaredRoutes()) {
      const { request } = route;
      if (!request?.body) continue;
      const validate = createValidator({ body: request.body });
      for (const example of Object.values(examplesOf(route)?.requests ?? {})) {
        for (const path of textsIn(example)) {
          const what = `${route.method} ${route.path} ${path.join('.')}`;
          const body = parseJsonStrict(withLong(example, path));
          const given = { params: undefined, query: undefined, headers: undefined, body };
          texts += 1;
          const isColumn = path[0] === 'columns';
          if (!isColumn && path.some((key) => UNTOUCHED.includes(String(key)))) {
            expect(at(validate(given).body, path), what).to.equal(LONG);
          } else {
            expect(() => validate(given), what).to.throw('The request is invalid');
          }
        }
      }
    }
    expect(texts).to.be.greaterThan(50);
  });

  describe('over HTTP', () => {
    const on = useTenant({ templates: ['order_shipped'] });
    const post = (path: string, body: Json) =>
      on.waybill.call('POST', path, {
        token: on.tenant.apiKey,
        raw: JSON.stringify(body).replaceAll('"@long@"', LONG),
      });
    const send = (change: Json) => post('/v1/notifications/send', orderShipped(change));

    it('is 400 as a recipient, charges nothing, and the error says why', async () => {
      const { body } = await answered(400, send({ to: '@long@' }));
      const [words] = body.error.fieldErrors.to;
      expect(words).to.contain('must be a text in quotes, not a number');
      expect(await countCharges(on.waybill, on.tenant)).to.include({ reserved: 0 });
    });

    it('reaches the customer to its last digit as a variable', async () => {
      const { bodies } = providerAccepts(on.tenant);
      const variables = { orderId: '@long@', awbCode: 1e21, trackingLink: -7 };
      await answered(200, send({ variables }));
      const [{ parameters }] = bodies[0].template.components;
      const texts = parameters.map(({ text }: Json) => text);
      expect(texts).to.deep.equal([LONG, `1${'0'.repeat(21)}`, '-7']);
    });

    it('keeps its digits in content that passes through, and in the log', async () => {
      await customerWrites(on.waybill, on.tenant);
      const { bodies } = providerAccepts(on.tenant);
      const action = { buttons: [{ type: 'reply', reply: { id: '@long@', title: 'Yes' } }] };
      const interactive = { type: 'button', body: { text: 'Pick' }, action };
      const asked = { to: '919812345678', type: 'interactive', interactive };
      expect((await post('/v1/messages/send', asked)).status).to.equal(200);
      expect(bodies[0].interactive.action.buttons[0].reply.id).to.equal(LONG);
      const reserved = (await accountEvents(on.waybill, on.tenant)).at(-1);
      expect(reserved.data.said.content.interactive).to.deep.equal(bodies[0].interactive);
    });
  });
});
