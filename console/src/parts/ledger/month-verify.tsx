import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import type { Link } from './chain.ts';
import { ChainLight } from './chain-tab.tsx';
import { Light } from './light.tsx';
import type { Statement } from './read.ts';
import { useChain } from './use-chain.ts';
import { useVerify } from './use-verify.ts';
import { VerifyProgress } from './verify-progress.tsx';

/** Whether the chain that was read is the part that the statement counts. */
const isSamePart = (links: readonly Link[], { chain }: Statement): boolean =>
  links.length === chain.links &&
  links[0]?.hash === chain.first?.hash &&
  links.at(-1)?.hash === chain.last?.hash;

/** Reads the month's links in this browser, and has the service verify the account. */
export const VerifyStep = ({ statement }: { statement: Statement }) => {
  const { accountId, period, chain } = statement;
  const { check, start } = useChain(accountId);
  const verification = useVerify();
  const [problem, setProblem] = useState<unknown>();
  const run = async () => {
    setProblem(undefined);
    verification.reset();
    try {
      await start(period.from, period.to);
    } catch (error) {
      setProblem(error);
      return;
    }
    await verification.start({ accountId });
  };
  const isBusy = check.state === 'reading' || verification.state === 'running';
  const isRead = check.state === 'done';
  const isSame = isSamePart(check.links, statement);
  return (
    <div className="stack">
      <div>
        <Button tone="primary" isBusy={isBusy} onClick={() => void run()}>
          Verify the month
        </Button>
      </div>
      <ChainLight check={check} of={chain.links} />
      <Light state={!isRead ? 'off' : isSame ? 'good' : 'bad'}>
        {isRead && !isSame
          ? 'The log holds other links than the statement counts. Was there a movement meanwhile? Read it again.'
          : `The statement counts exactly these ${chain.links} links.`}
      </Light>
      <VerifyProgress verification={verification} isOneAccount />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
};
