import { Dialog } from '../../ui/dialog.tsx';
import { Id } from '../../ui/value.tsx';

/** The secret, this once. */
export const Secret = ({
  secret,
  onClose,
}: {
  secret: string | undefined;
  onClose: () => void;
}) => (
  <Dialog title="The secret" isOpen={secret !== undefined} onClose={onClose}>
    <p>
      Copy it now: it is shown only here. Your receiver verifies each delivery with it, as{' '}
      <a href="https://www.standardwebhooks.com" rel="noreferrer">
        Standard Webhooks
      </a>{' '}
      says.
    </p>
    {secret !== undefined && <Id value={secret} />}
  </Dialog>
);
