import { createRootRoute, Link } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';
import { Empty, ProblemNote } from '../ui/states.tsx';
import { Shell } from './shell.tsx';

/** The frame of every page; the pages of all parts are its children. */
export const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Page title="There is no such page">
      <Empty
        title="The address is not one of the console"
        action={
          <Link to={'/' as never} className="button button-primary">
            To the overview
          </Link>
        }
      />
    </Page>
  ),
  errorComponent: ({ error }) => <ProblemNote problem={error} />,
});
