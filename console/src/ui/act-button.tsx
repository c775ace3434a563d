import { useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { ProblemNote } from './states.tsx';

/** A button that does something at once: busy meanwhile, and what went wrong is said beside it. */
export const ActButton = ({
  act,
  ...rest
}: Omit<ButtonProps, 'isBusy' | 'onClick'> & { act: () => Promise<void> }) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const press = () => {
    setBusy(true);
    setProblem(undefined);
    void act()
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button {...rest} isBusy={isBusy} onClick={press} />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
};
