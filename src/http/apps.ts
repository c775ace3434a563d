import type { Transparency } from '../audit/seals/tiles.ts';
import { type App, type AppOptions, createApp } from './app.ts';
import { assetRoutes } from './console/assets.ts';
import { type OpenIdDeps, openIdRoutes } from './console/openid.ts';
import { type OwnPasskeyDeps, ownPasskeyRoutes } from './console/own-passkeys.ts';
import { type SessionDeps, sessionRoutes } from './console/session.ts';
import { healthRoutes, type Parts } from './ops/health.ts';
import { metricsRoute } from './ops/metrics.ts';
import { webhookRoutes } from './provider/webhook.ts';
import { docsRoutes } from './reference/docs.ts';
import { openApiRoute } from './reference/openapi.ts';
import type { DemoSecrets } from './reference/page.ts';
import { transparencyRoutes } from './reference/transparency.ts';
import type { JsonRoute } from './route/route.ts';

interface AppsOptions extends Omit<AppOptions, 'routes' | 'onlyOperators'> {
  routes: readonly JsonRoute[];
  /** The provider's own API, which the reference leaves to the provider. */
  gateway: readonly JsonRoute[];
  /** Whether requests beside those for health and metrics are answered. */
  answers: boolean;
  /** Looks at the parts of the service. */
  look: () => Promise<Parts>;
  tenancy: SessionDeps['tenancy'];
  people: OpenIdDeps['people'] & OwnPasskeyDeps['people'];
  openId: OpenIdDeps['openId'];
  freeWrites: SessionDeps['freeWrites'];
  webhook: Parameters<typeof webhookRoutes>[0];
  transparency: Transparency;
  /** What the reference fills in; only the demo gives it. */
  demoSecrets?: (() => DemoSecrets | undefined) | undefined;
  /** Called when the public application begins to refuse new requests. */
  onStopping: () => void;
}

export interface Apps {
  app: App;
  /** Health and metrics for a server that only operators reach. It stops with the other. */
  operations: App;
}

export const createApps = (options: AppsOptions): Apps => {
  const {
    answers,
    look,
    webhook,
    transparency,
    onStopping,
    routes,
    gateway,
    tenancy,
    people,
    openId,
    freeWrites,
    demoSecrets,
    ...edge
  } = options;
  const signingIn = { ...edge, tenancy, people, freeWrites, openId };
  const probes = [...healthRoutes(look), metricsRoute(edge.metrics)];
  const open = [
    openApiRoute(),
    ...docsRoutes(demoSecrets),
    ...assetRoutes(),
    ...transparencyRoutes(transparency),
    ...sessionRoutes(signingIn),
    ...openIdRoutes(signingIn),
    ...ownPasskeyRoutes(signingIn),
    ...webhookRoutes(webhook),
  ];
  const app = createApp({
    ...edge,
    routes: answers ? [...probes, ...open, ...routes, ...gateway] : probes,
  });
  const operations = createApp({ ...edge, routes: probes, onlyOperators: true });
  return {
    operations,
    app: {
      ...app,
      refuseNew() {
        onStopping();
        app.refuseNew();
        operations.refuseNew();
      },
    },
  };
};
