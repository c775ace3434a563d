import { createRootRoute } from '@tanstack/react-router';
import { Empty, ProblemNote } from '../ui/states.tsx';
import { Shell } from './shell.tsx';

/** The frame of every page; the pages of all parts are its children. */
export const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Empty title="There is no such page" />,
  errorComponent: ({ error }) => <ProblemNote problem={error} />,
});
