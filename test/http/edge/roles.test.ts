import { expect } from 'chai';
import { operatorRoles, type PersonRole, tenantRoles } from '../../../src/events/person.ts';
import { answered } from '../../support/answered.ts';
import { aPerson } from '../../support/people.ts';
import { declaredRoutes, filledPath } from '../../support/routes.ts';
import { conversationOf, customerWrites, useTenant } from '../../support/surface.ts';
import { type Json, openTenant } from '../../support/waybill.ts';

type TenantRole = (typeof tenantRoles)[number];

// Said here once more, by scope: a route with a new scope, or a new role, is not in it, and red.
const EVERYONE: readonly TenantRole[] = tenantRoles;
const WHO: Readonly<Record<string, readonly TenantRole[]>> = {
  '': EVERYONE,
  'messages:read': EVERYONE,
  'templates:read': EVERYONE,
  'phones:read': EVERYONE,
  'messages:send': ['owner', 'manager', 'developer', 'agent'],
  'notifications:send': ['owner', 'manager', 'developer', 'agent'],
  'media:read': ['owner', 'manager', 'agent'],
  'media:write': ['owner', 'manager', 'agent'],
  'templates:write': ['owner', 'manager', 'developer'],
  'webhooks:read': ['owner', 'manager', 'developer'],
  'webhooks:write': ['owner', 'manager', 'developer'],
  'phones:write': ['owner', 'manager'],
  'bots:read': ['owner', 'manager'],
  'bots:write': ['owner', 'manager'],
  'credits:read': ['owner', 'manager'],
  'account:write': ['owner', 'manager'],
  'conversations:write': ['owner', 'manager', 'agent'],
  people: ['owner', 'manager'],
  keys: ['owner', 'developer'],
};

/** Roles that see no contents. */
const BLIND: readonly PersonRole[] = ['developer', 'viewer', 'support'];

/** What a route answers to a role before its handler: nothing, or a code. */
const isRefusal = ({ status, body }: { status: number; body: Json }) =>
  [401, 403].includes(status) &&
  ['INSUFFICIENT_SCOPE', 'READ_ONLY', 'CONTENTS_HIDDEN', 'SESSION_ENDED'].includes(body.code);

describe('Roles @long', () => {
  const on = useTenant({ once: true });
  const cookies = {} as Record<PersonRole, string>;

  before(async () => {
    const { organisationId } = on.tenant;
    for (const role of tenantRoles) {
      cookies[role] = (await aPerson(on.waybill, { role, organisationId })).cookie;
    }
    for (const role of operatorRoles) cookies[role] = (await aPerson(on.waybill, { role })).cookie;
  });

  const call = (role: PersonRole, method: string, path: string) =>
    on.waybill.call(method, path, {
      cookie: cookies[role],
      ...(method !== 'GET' && { body: {} }),
    });

  const productRoutes = () => declaredRoutes().filter(({ path }) => path.startsWith('/v1/'));
  const adminRoutes = () => declaredRoutes().filter(({ path }) => path.startsWith('/admin/'));

  for (const role of tenantRoles) {
    it(`let ${role} call the routes of the table, and no others`, async () => {
      for (const { method, path, scope = '', download } of productRoutes()) {
        const scopes = [scope].flat();
        expect(WHO, `who may call ${method} ${path}`).to.include.keys(...scopes);
        const isFile = download === 'file' || download === 'json';
        const hasScope = scopes.some((one) => WHO[one]!.includes(role));
        const may = hasScope && !(isFile && BLIND.includes(role));
        const answer = await call(role, method, filledPath(path, {}));
        expect(isRefusal(answer), `${role}: ${method} ${path}: ${answer.status}`).to.equal(!may);
      }
    });
  }

  for (const role of operatorRoles) {
    it(`let ${role} of the operators call what is for him`, async () => {
      for (const { method, path, access, download } of adminRoutes()) {
        const reads = method === 'GET' || access === 'auditor';
        const isFile = download === 'file' || download === 'json';
        const may =
          role === 'admin' ||
          (role === 'auditor' && reads) ||
          (role === 'support' && (reads || access === 'support') && !isFile);
        const answer = await call(role, method, filledPath(path, { id: on.tenant.accountId }));
        expect(isRefusal(answer), `${role}: ${method} ${path}: ${answer.status}`).to.equal(!may);
      }
    });
  }

  it('open nothing of the other side', async () => {
    for (const role of tenantRoles) {
      expect((await call(role, 'GET', '/admin/v1/accounts')).status, role).to.equal(401);
    }
    for (const role of operatorRoles) {
      expect((await call(role, 'GET', '/v1/messages')).status, role).to.equal(401);
    }
  });

  it('leave people to people: a key makes none', async () => {
    const { status, body } = await on.call('GET', '/v1/people');
    expect([status, body.code]).to.deep.equal([403, 'PERSON_REQUIRED']);
  });

  it('make no key that may do more than they', async () => {
    const make = (role: PersonRole, scopes?: readonly string[]) =>
      on.waybill.call('POST', '/v1/keys', {
        cookie: cookies[role],
        body: { name: role, ...(scopes && { scopes }) },
      });
    const whole = await make('owner');
    expect([whole.status, whole.body.scopes]).to.deep.equal([201, null]);
    const { body: own } = await make('developer');
    expect(own.scopes).to.include('webhooks:write').and.not.include('messages:read');
    for (const scope of ['messages:read', 'credits:read', 'bots:write']) {
      expect((await make('developer', [scope])).status, scope).to.equal(400);
    }
    const other = await openTenant(on.waybill, { number: false });
    const { body: list } = await on.waybill.admin('GET', `/accounts/${other.accountId}/keys`);
    await answered(404, call('owner', 'POST', `/v1/keys/${list.keys[0].id}/revoke`));
  });

  it('without contents read no text, no name and no number, on any route', async () => {
    const from = '919812345678';
    const written = { from, body: 'a very private matter', name: 'Zelda' };
    const id = await customerWrites(on.waybill, on.tenant, written);
    await on.waybill.settled();
    const conversationId = await conversationOf(on.waybill, on.tenant, from);
    const values = { id: on.tenant.accountId, messageId: id, conversationId };
    const { body } = await call('agent', 'GET', '/v1/conversations');
    expect(JSON.stringify(body)).to.contain('a very private matter').and.contain(from);
    // The provider's id of a message is base64 of its customer's number, among others.
    const wamid = `wamid.${Buffer.from(`\x1d\x18\x0c${from}\x15`, 'latin1').toString('base64')}`;
    await customerWrites(on.waybill, on.tenant, { from, id: wamid });
    await on.waybill.settled();
    const secrets = ['private', 'Zelda', from, wamid];
    for (const role of BLIND) {
      const routes = role === 'support' ? adminRoutes() : productRoutes();
      for (const { method, path } of routes) {
        if (method !== 'GET') continue;
        const query = path.endsWith('/find') ? '?q=Zelda' : '';
        const answer = await call(role, 'GET', filledPath(path, values) + query);
        const text = JSON.stringify(answer.body);
        for (const secret of secrets) {
          const isAsked = secret === 'Zelda' && query !== '';
          if (!isAsked) expect(text, `${role}: ${path}`).not.to.contain(secret);
        }
      }
    }
    const { body: history } = await call('viewer', 'GET', '/v1/messages?limit=1');
    const { metaMessageId } = history.messages[0];
    const { status } = await call('viewer', 'GET', `/v1/messages/${metaMessageId}/timeline`);
    expect(status, 'found by its pseudonym').to.equal(200);
    const { body: seen } = await call('viewer', 'GET', '/v1/conversations');
    const [{ contact, lastMessage }] = seen.conversations;
    expect(contact).to.deep.equal({ waId: '…5678', userId: null, name: null });
    expect(lastMessage.text).to.equal(null);
  });

  it('without contents find no customer by a part of a name or a number', async () => {
    const from = '4915112398765';
    await customerWrites(on.waybill, on.tenant, { from, name: 'Yolanda' });
    await on.waybill.settled();
    for (const part of ['12398', 'olan']) {
      const of = async (role: PersonRole) => ({
        search: await call(role, 'GET', `/v1/conversations?search=${part}`),
        find: await call(role, 'GET', `/v1/find?q=${part}`),
      });
      const { search, find } = await of('agent');
      expect([search.body.conversations.length, find.body.results.length]).to.deep.equal([1, 1]);
      for (const role of ['viewer', 'developer'] as const) {
        const blind = await of(role);
        const { status, body } = blind.search;
        expect([status, body.code]).to.deep.equal([403, 'CONTENTS_HIDDEN']);
        expect(blind.find.body.results).to.deep.equal([]);
      }
    }
  });
});
