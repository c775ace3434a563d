import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { describedRoutes } from '../../openapi/document.ts';
import { templateOf } from '../../openapi/names.ts';
import { type PersonRole, tenantRoles } from '../../src/events/person.ts';
import { requireWrite } from '../../src/http/edge/admission.ts';
import { keyScopes, operatorRights, tenantRights } from '../../src/http/edge/roles.ts';
import { isOfContents } from '../../src/http/route/contents.ts';
import type { JsonRoute } from '../../src/http/route/route.ts';

import type { Json } from '../support/waybill.ts';

// What the console shows a role is what the service lets it do: each page is held against the routes that
// its sources call, for every role, and for keys of one scope.

const source = join(import.meta.dirname, '../../console/src');
// By computed paths: these files are checked with the console's own types.
const load: (path: string) => Json = createRequire(import.meta.url);
const { navigation } = load(join(source, 'navigation.ts'));
const { isOpenTo } = load(join(source, 'layout/nav.ts'));
const { hasScope, mayAct, seesContents } = load(join(source, 'session/rights.ts'));

interface PageOfConsole {
  path: string;
  /** The source of its component, and the component's name. */
  file: string;
  name: string;
}

const pages: readonly PageOfConsole[] = readdirSync(join(source, 'parts')).flatMap((part) => {
  const at = join(source, 'parts', part);
  const [head = '', ...routes] = readFileSync(join(at, 'routes.tsx'), 'utf8').split(
    'createRoute({',
  );
  const lazy = /import\('\.\/([^']+)'\), '(\w+)'/;
  const own = /import \{ ()(\w+) \} from '\.\/([^']+\.tsx)'/;
  return routes.map((text) => {
    const path = /path: '([^']+)'/.exec(text)![1]!;
    const [, file, name, eager] = lazy.exec(text) ?? lazy.exec(head) ?? own.exec(head)!;
    return { path, file: join(at, file || eager!), name: name! };
  });
});

const IMPORT = /import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g;
const DECLARATION = /^(?:export )?(?:const|let|function|interface|type) (\w+)/m;

/** The declarations of a file by name, and where the names that it imports are declared. */
const readSource = (file: string) => {
  const text = readFileSync(file, 'utf8');
  const own = text.split(/\n(?=(?:export )?(?:const|let|function|interface|type) \w)/).slice(1);
  const declared = new Map(own.map((one) => [DECLARATION.exec(one)![1]!, one]));
  const imported = new Map(
    [...text.matchAll(IMPORT)].flatMap(([, names, path]) =>
      names!
        .split(',')
        .map((name) => [name.replace('type ', '').trim(), join(dirname(file), path!)] as const),
    ),
  );
  return { declared, imported };
};

const sources = new Map<string, ReturnType<typeof readSource>>();

/** What a page is made of: the declarations of all parts that its component leads to. */
const textsOf = ({ file, name }: PageOfConsole): readonly string[] => {
  const found = new Map<string, string>();
  const queue: (readonly [string, string])[] = [[file, name]];
  for (const [at, wanted] of queue) {
    if (found.has(`${at} ${wanted}`) || !at.includes('/parts/')) continue;
    const { declared, imported } = sources.get(at) ?? readSource(at);
    sources.set(at, { declared, imported });
    const text = declared.get(wanted);
    if (text === undefined) continue;
    found.set(`${at} ${wanted}`, text);
    for (const [word] of text.matchAll(/\w+/g)) {
      if (declared.has(word)) queue.push([at, word]);
      if (imported.has(word)) queue.push([imported.get(word)!, word]);
    }
  }
  return [...found.values()];
};

const CALL = /\bapi\s*\.\s*(GET|POST|PUT|PATCH|DELETE)\(\s*(?:'([^']+)'|`([^`]+)`|(\w+)\[)/g;

/** A file that is opened by its address. */
const HREF = /`\/api(\/(?:admin\/)?v1\/[^`?]+)/g;

/** The paths of a call: one, some that differ in a word, or those of a record. */
const pathsIn = (
  texts: readonly string[],
  [, , plain, template, record]: RegExpExecArray,
): readonly string[] => {
  if (plain !== undefined) return [plain];
  if (template !== undefined) return [template];
  const literal = new RegExp(`const ${record} = \\{([\\s\\S]*?)\\} as const`).exec(
    texts.join('\n'),
  )?.[1];
  return [...(literal ?? '').matchAll(/'(\/[^']+)'/g)].map(([, path]) => path!);
};

/** What a path may be, where words of it are computed. */
const formOf = (path: string): RegExp => {
  const pieces = path.split(/\$\{[\w.]+\}/).map((piece) => piece.replaceAll(/[{}.]/g, '\\$&'));
  return new RegExp(`^${pieces.join('[^/]+')}$`);
};

const routes = describedRoutes();

const mustFind = (method: string, path: string): readonly JsonRoute[] => {
  const form = formOf(path);
  const own = routes.filter(
    (route) => route.method === method && form.test(templateOf(route.path)),
  );
  expect(own, `${method} ${path}`).not.to.deep.equal([]);
  return own;
};

/** The routes that the sources of a page call. */
const calledBy = (page: PageOfConsole): readonly JsonRoute[] => {
  const texts = textsOf(page);
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(CALL)].flatMap((call) => {
      const paths = pathsIn(texts, call as unknown as RegExpExecArray);
      expect(paths, call[0]).not.to.deep.equal([]);
      return paths.flatMap((path) => mustFind(call[1]!, path));
    }),
    ...[...text.matchAll(HREF)].flatMap(([, path]) => mustFind('GET', path!)),
  ]);
  return [...new Set(found)];
};

/** What the components of a page ask for before they show something. */
const askedBy = (page: PageOfConsole, hook: RegExp): readonly string[] => [
  ...new Set(textsOf(page).flatMap((text) => [...text.matchAll(hook)].map(([, of]) => of ?? ''))),
];

const common = { id: 'one', expiresAt: '' };
const personWith = (role: (typeof tenantRoles)[number]): Json => ({
  ...common,
  kind: 'key',
  scopes: tenantRights[role].scopes,
  person: { role, seesContents: tenantRights[role].seesContents },
});
/** Every role, keys with every scope, and keys of one. */
const tenants: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(tenantRoles.map((role) => [role, personWith(role)])),
  'a key': { ...common, kind: 'key', scopes: null },
  ...Object.fromEntries(
    keyScopes.map((scope) => [`a key for ${scope}`, { ...common, kind: 'key', scopes: [scope] }]),
  ),
};
const operators = Object.fromEntries(
  Object.keys(operatorRights).map((role) => [role, { ...common, kind: 'administrator', role }]),
);

const scopesOf = ({ scope }: JsonRoute): readonly string[] => [scope ?? []].flat();

/** Whether the service lets the holder of the session call a route of tenants. */
const isAllowed = (route: JsonRoute, { scopes, person }: Json): boolean => {
  const needs = scopesOf(route);
  if (route.access === 'person' && !person) return false;
  if (isOfContents(route) && person?.seesContents === false) return false;
  return scopes === null || needs.length === 0 || needs.some((one) => scopes.includes(one));
};

const isForTenants = ({ path }: JsonRoute) => path.startsWith('/v1/');
const isForOperators = ({ path }: JsonRoute) => path.startsWith('/admin/');
const changes = ({ method }: JsonRoute) => method !== 'GET';

describe('What the console shows', () => {
  for (const page of pages) {
    describe(`on ${page.path}`, () => {
      const called = calledBy(page);
      const isOpen = (session: Json): boolean => isOpenTo(navigation, session, page.path);
      const scopes = askedBy(page, /\buseScope\('([^']+)'\)/g);
      const accesses = askedBy(page, /\buseMayWrite\((?:'(\w+)')?\)/g).map(
        (one) => one || 'administrator',
      );
      const asksForContents = askedBy(page, /\buseSeesContents\(\)/g).length > 0;

      /** Whether a session comes to the page, and to what calls the route. */
      const isShown = (route: JsonRoute, session: Json): boolean => {
        const asked = scopesOf(route).filter((one) => scopes.includes(one));
        const mayAsk = asked.length === 0 || asked.some((one) => hasScope(session, one));
        const isHidden = isOfContents(route) && asksForContents && !seesContents(session);
        return isOpen(session) && mayAsk && !isHidden;
      };

      it('is allowed to every role and key of an account', () => {
        for (const route of called.filter(isForTenants)) {
          for (const [who, session] of Object.entries(tenants)) {
            if (!isShown(route, session)) continue;
            const what = `${who}: ${route.method} ${route.path}`;
            expect(isAllowed(route, session), what).to.equal(true);
          }
        }
      });

      it('is hidden from no role or key that may do what it is for', () => {
        const opening = Object.values(tenants).filter(isOpen);
        // What it asks for beyond that which opens it is beside the point.
        const more = scopes.filter((one) => !opening.every((session) => hasScope(session, one)));
        const own = called.filter((route) => {
          const needs = scopesOf(route);
          return (
            isForTenants(route) && needs.length > 0 && !needs.some((one) => more.includes(one))
          );
        });
        if (own.length === 0 || opening.length === 0) return;
        for (const [who, session] of Object.entries(tenants)) {
          if (own.every((route) => isAllowed(route, session)))
            expect(isOpen(session), who).to.equal(true);
        }
      });

      it('is what an operator may do, and all of it', () => {
        const own = called.filter((route) => isForOperators(route) && changes(route));
        for (const route of own) {
          for (const [role, session] of Object.entries(operators)) {
            let may = true;
            try {
              requireWrite({ role } as never, route.access, route.method);
            } catch {
              may = false;
            }
            const asked = route.access === 'auditor' ? undefined : route.access;
            const isShownHere =
              asked === undefined || (accesses.includes(asked) ? mayAct(session, asked) : true);
            expect(isShownHere, `${role}: ${route.method} ${route.path}`).to.equal(may);
          }
        }
      });

      it('asks for nothing that none of its calls needs', () => {
        const text = textsOf(page).join();
        const linked = navigation.flatMap(({ to, scope = [] }: Json) =>
          new RegExp(`['"\`]${to}\\b`).test(text) ? scope : [],
        );
        const needed = [...called.flatMap(scopesOf), ...linked];
        expect(needed).to.include.members(scopes as never);
        const forOperators = called.filter(changes).map(({ access }) => access);
        for (const access of accesses) expect(forOperators).to.include(access);
      });
    });
  }

  it('names the roles that see contents as the service does', () => {
    for (const role of Object.keys(operatorRights) as (keyof typeof operatorRights)[]) {
      expect(seesContents(operators[role]), role).to.equal(operatorRights[role].seesContents);
    }
    for (const role of tenantRoles as readonly PersonRole[]) {
      expect(seesContents(tenants[role]), role).to.equal(tenants[role].person.seesContents);
    }
  });
});
