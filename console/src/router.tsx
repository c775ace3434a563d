import { createRouter } from '@tanstack/react-router';
import { root } from './layout/root.tsx';
import { accountsRoutes } from './parts/accounts/routes.tsx';
import { administratorRoutes } from './parts/administrators/routes.tsx';
import { attemptRoutes } from './parts/attempts/routes.tsx';
import { botRoutes } from './parts/bots/routes.tsx';
import { conversationRoutes } from './parts/conversations/routes.tsx';
import { findRoutes } from './parts/find/routes.tsx';
import { jobRoutes } from './parts/jobs/routes.tsx';
import { ledgerRoutes } from './parts/ledger/routes.tsx';
import { messageRoutes } from './parts/messages/routes.tsx';
import { numberRoutes } from './parts/numbers/routes.tsx';
import { operationsRoutes } from './parts/operations/routes.tsx';
import { overviewRoutes } from './parts/overview/routes.tsx';
import { peopleRoutes } from './parts/people/routes.tsx';
import { scheduledRoutes } from './parts/scheduled/routes.tsx';
import { sendRoutes } from './parts/send/routes.tsx';
import { templateRoutes } from './parts/templates/routes.tsx';
import { webhookRoutes } from './parts/webhooks/routes.tsx';

/** Every page: each part has its own routes, which load their code when they are first opened. */
const tree = root.addChildren([
  ...overviewRoutes,
  ...findRoutes,
  ...messageRoutes,
  ...attemptRoutes,
  ...conversationRoutes,
  ...botRoutes,
  ...sendRoutes,
  ...scheduledRoutes,
  ...jobRoutes,
  ...numberRoutes,
  ...templateRoutes,
  ...webhookRoutes,
  ...accountsRoutes,
  ...ledgerRoutes,
  ...peopleRoutes,
  ...administratorRoutes,
  ...operationsRoutes,
]);

export const router = createRouter({
  routeTree: tree,
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
