import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import type { Link } from './chain.ts';
import { ChainLight } from './chain-tab.tsx';
import { Light, Progress } from './light.tsx';
import { type Report, type Statement, verifyLedger } from './read.ts';
import { ReportLights } from './report.tsx';
import { useChain } from './use-chain.ts';

/** Whether the chain that was read is the part that the statement counts. */
const isSamePart = (links: readonly Link[], { chain }: Statement): boolean =>
  links.length === chain.links &&
  links[0]?.hash === chain.first?.hash &&
  links.at(-1)?.hash === chain.last?.hash;

/** Reads the month's links in this browser, and has the service verify the account. */
export const VerifyStep = ({ statement }: { statement: Statement }) => {
  const { accountId, period, chain } = statement;
  const { check, start } = useChain(accountId);
  const [report, setReport] = useState<Report>();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    setReport(undefined);
    try {
      await start(period.from, period.to);
      setReport(await verifyLedger({ accountId }));
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
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
      {isBusy && isRead && <Progress label="The service verifies the account" />}
      <ReportLights report={report} isBusy={isBusy && isRead} isOneAccount />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
};
