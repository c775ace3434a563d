import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

/** In place of a page that the session may not open. */
export const NotForThis = () => (
  <Page title="Not for this session">
    <Empty title="Sign in with another credential to see this page" />
  </Page>
);
