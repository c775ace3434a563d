import { createRoute } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';
import { Overview } from './overview.tsx';

/** The first page comes with the script: it would be asked for after its start. */
export const overviewRoutes = [
  createRoute({ getParentRoute: () => root, path: '/', component: Overview }),
] as const;
