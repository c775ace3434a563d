import { Readable } from 'node:stream';
import Router from '@koa/router';
import { BY_STRICT } from '../../commands/sending/refusals.ts';
import { AppError, type ErrorCode, isRefusal } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { nearest } from '../../shared/nearest.ts';
import { isHidden, requireScope, requireWrite } from '../edge/admission.ts';
import type { Admitted, EdgeContext } from '../edge/context.ts';
import { KEY_HEADER } from '../edge/idempotent.ts';
import { createRequestContext } from '../edge/request.ts';
import { asResponse, recordOf, reply, responseOf, type Send } from '../edge/respond.ts';
import { hidingOf, refuseContents } from './contents.ts';
import { type RawRouteOptions, serveRaw } from './raw-route.ts';
import { type JsonRoute, type Route, successStatus } from './route.ts';
import {
  addUnknown,
  createValidator,
  invalid,
  knownNamesOf,
  problemsOf,
  type UnknownName,
  warningsOf,
} from './validation.ts';

/** The prefix of every JSON route. */
export const API_PREFIX = '/api';

export interface MountOptions extends RawRouteOptions {
  logger: Logger;
  /** For tests: a response that its route does not declare becomes a 500. */
  checkResponses: boolean;
  /** Whether an account refuses what others are only warned of. */
  strictByDefault: (accountId: string) => boolean | Promise<boolean>;
  /** The id under which roles without contents see, and ask for, a message: the provider's holds a number. */
  pseudonymOf: (messageId: string) => string;
}

/** Errors of the pipelines, which any route may answer with. */
const isOfTheFrame = (code: ErrorCode): boolean =>
  /^(request|route|key|administrator|person|organisation|service)\./.test(code);

const mustMatch = (route: JsonRoute, status: number, body: unknown): void => {
  if (route.download && body instanceof Readable) return;
  if (route.texts && typeof body === 'string') return;
  const schema = route.responses[status];
  const name = `${route.method} ${route.path}`;
  if (!schema && status >= 400) return;
  // Checks the JSON that the caller reads, without dates and undefined fields.
  const sent = JSON.parse(JSON.stringify(body));
  const result = schema?.safeParse(sent);
  if (result?.success || (status === 200 && route.dryRun?.safeParse(sent).success)) return;
  if (!result) throw new Error(`${name} answered ${status}, which it does not declare`);
  throw new Error(`${name} answered ${status} against its schema: ${result.error.message}`);
};

/** A handler of the route, whose response or error is checked against its declaration. */
const checked = <Given extends unknown[]>(
  route: JsonRoute,
  handle: (...given: Given) => unknown,
  plainStatus: number,
) =>
  async function checkedHandle(...given: Given) {
    try {
      const answer = asResponse(await handle(...given), plainStatus);
      mustMatch(route, answer.status, answer.body);
      return answer;
    } catch (error) {
      if (isRefusal(error)) {
        if (!isOfTheFrame(error.code) && !route.errors.includes(error.code)) {
          throw new Error(`${route.method} ${route.path} does not declare ${error.code}`, {
            cause: error,
          });
        }
        const { status, body } = responseOf(error);
        if (!recordOf(error.code).plain) mustMatch(route, status, body);
      }
      throw error;
    }
  };

const personOnly = (): AppError =>
  new AppError('person.only', 'Only a person who signed in may do this');

/** The whole path of a route. */
export const templateOf = ({ body, path }: Route): string =>
  body === 'raw' ? path : `${API_PREFIX}${path}`;

/** Refuses, for an account that is strict, what others are only warned of. */
const refuseIfStrict = async (
  { key }: Admitted,
  unknown: readonly UnknownName[],
  { strictByDefault }: MountOptions,
): Promise<void> => {
  if (key && (await strictByDefault(key.accountId))) throw invalid(problemsOf(unknown), BY_STRICT);
};

/** Prepares once what depends on the route alone. */
const compile = (route: JsonRoute, template: string, options: MountOptions) => {
  const { scope, access, method, request: schemas = {} } = route;
  const { send } = options;
  const validate = createValidator(schemas);
  const { body: _, ...besideBody } = schemas;
  const validateForm = createValidator(besideBody);
  // The gateway's routes refuse what they do not know, in the provider's words.
  const known = route.problem ? undefined : knownNamesOf(schemas);
  const plainStatus = successStatus(route);
  const handlerOf = <Given extends unknown[]>(handle: (...given: Given) => unknown) =>
    options.checkResponses ? checked(route, handle, plainStatus) : handle;
  const handle = handlerOf(route.handle);
  const handleOnce = route.handleOnce && handlerOf(route.handleOnce);
  const hide = hidingOf(route, options.pseudonymOf);
  return async (ctx: EdgeContext): Promise<void> => {
    ctx.state.route = template;
    const admitted = ctx.state.admitted!;
    const { key, administrator } = admitted;
    if (key && scope !== undefined) requireScope(key, scope);
    if (access === 'person' && !key?.person) throw personOnly();
    if (administrator) requireWrite(administrator, access, method);
    const hidden = (administrator || key?.person) && isHidden(admitted);
    if (hidden) refuseContents(route);
    const isForm = route.upload !== undefined && admitted.bodyBytes.length === 0;
    const input = (isForm ? validateForm : validate)({
      params: ctx.params,
      query: schemas.query && ctx.query,
      headers: schemas.headers && ctx.req.headers,
      body: admitted.body,
    });
    const unknown: UnknownName[] = [];
    if (known?.query && ctx.querystring !== '') {
      addUnknown(unknown, 'query parameter', ctx.query, known.query);
    }
    if (known?.body) addUnknown(unknown, 'field', admitted.body, known.body);
    const context = createRequestContext(ctx, admitted, options);
    if (unknown.length > 0) {
      ctx.state.headers['X-Waybill-Warnings'] = warningsOf(unknown);
      // A send refuses them with what else is wrong.
      if (known?.body) context.unknown = problemsOf(unknown);
      else await refuseIfStrict(admitted, unknown, options);
    }
    const headers = input.headers as Readonly<Record<string, string>> | undefined;
    const onceKey =
      handleOnce && (headers?.[KEY_HEADER] ?? route.idempotent?.implied?.(input, context));
    const result =
      handleOnce && onceKey !== undefined
        ? await handleOnce(input, context, onceKey)
        : await handle(input, context);
    const answer = asResponse(result, plainStatus);
    send(ctx, hidden ? { ...answer, body: hide(answer.body) } : answer);
  };
};

/** The paths of a pipeline's routes, and those of all pipelines. */
interface PathTemplates {
  own: readonly string[];
  all: readonly string[];
}

type MatchedContext = EdgeContext & { matched?: readonly { methods: string[] }[] };

/** Whether a path is one of a route's paths, in which a segment such as `:id` matches any text. */
const isPathOf = (template: string, path: string): boolean => {
  const segments = path.split('/');
  const wanted = template.split('/');
  return (
    segments.length === wanted.length &&
    wanted.every((segment, at) =>
      segment.startsWith(':') ? segments[at] !== '' : segment === segments[at],
    )
  );
};

/** What the caller of an unknown path probably meant, which is always a path that exists. */
const pathHint = (path: string, { own, all }: PathTemplates): string | undefined => {
  if (path.length > 200) return undefined;
  const isKnown = (meant: string) => all.some((template) => isPathOf(template, meant));
  const whole = `${API_PREFIX}${path}`;
  if (isKnown(whole)) return `Put ${API_PREFIX} before the path: ${whole}`;
  const versioned = path.replace(/^(\/api)?(?=\/)/, `${API_PREFIX}/v1`);
  if (isKnown(versioned)) return `Put /v1 into the path: ${versioned}`;
  const meant = nearest(path, own);
  return meant && `Did you mean ${meant}? The reference at /docs has all paths.`;
};

/** Answers a request that no route matches: 404 for an unknown path, 405 for an unknown method. */
const refuseUnrouted = (ctx: MatchedContext, templates: PathTemplates, send: Send): void => {
  const methods = new Set((ctx.matched ?? []).flatMap((layer) => layer.methods));
  if (methods.size === 0) {
    throw new AppError('route.unknown', 'Not found', { hint: pathHint(ctx.path, templates) });
  }
  const hint = `This path takes ${[...methods].filter((method) => method !== 'HEAD').join(' or ')}.`;
  ctx.state.headers.Allow = [...methods.add('OPTIONS')].sort().join(', ');
  if (ctx.method !== 'OPTIONS') throw new AppError('route.method', 'Method not allowed', { hint });
  send(ctx, reply(204, undefined));
};

const templatesOf = (routes: readonly Route[]): string[] => [...new Set(routes.map(templateOf))];

/** The router of one pipeline. It answers 404 and 405 itself; `all` are the routes of all pipelines. */
export const mountRoutes = (
  routes: readonly Route[],
  all: readonly Route[],
  options: MountOptions,
): ((ctx: EdgeContext, admitted: Admitted) => Promise<void>) => {
  // Of two matching routes the one with fewer parameters wins: `/send` before `/:id`.
  const router = new Router({ sensitive: true, exclusive: 'specificity' });
  /** By method and path, of paths without parameters: the router tries every path at each request. */
  const exact = new Map<string, (ctx: EdgeContext) => Promise<void>>();
  const seen = new Set<string>();
  for (const route of routes) {
    const template = templateOf(route);
    const name = `${route.method} ${template}`;
    if (seen.has(name)) throw new Error(`${name} is defined twice`);
    seen.add(name);
    const serve =
      route.body === 'raw' ? serveRaw(route, options) : compile(route, template, options);
    router.register(template, [route.method], serve as never);
    if (!template.includes(':')) exact.set(name, serve);
  }
  const dispatch = router.routes();
  const templates = { own: templatesOf(routes), all: templatesOf(all) };
  return async (ctx, admitted) => {
    ctx.state.admitted = admitted;
    const serve = exact.get(`${ctx.method} ${ctx.path}`);
    if (serve) {
      ctx.params = {};
      await serve(ctx);
      return;
    }
    await dispatch(ctx as never, async () => refuseUnrouted(ctx, templates, options.send));
  };
};
