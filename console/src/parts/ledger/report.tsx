import { AccountLink } from '../../ui/account-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Words } from '../../ui/value.tsx';
import { Light, type LightState } from './light.tsx';
import type { Report } from './use-verify.ts';

type Problem = Report['problems'][number];

const columns: readonly Column<Problem>[] = [
  {
    id: 'kind',
    header: 'Problem',
    cell: ({ kind }) => <strong>{kind.replaceAll('-', ' ')}</strong>,
  },
  { id: 'detail', header: 'What was found', cell: ({ detail }) => <Words text={detail} /> },
  { id: 'at', header: 'Where', isMinor: true, cell: ({ at }) => <Words text={at} /> },
  {
    id: 'account',
    header: 'Account',
    cell: ({ accountId }) => (accountId === null ? '–' : <AccountLink id={accountId} />),
  },
];

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const sealWords = ({ seals }: Report): string => {
  if (seals === null || seals.count === 0) return 'Seals: there was none to compare.';
  const signed = seals.signed
    ? 'signatures too'
    : 'signatures were not checked: give a key for that';
  const agree = seals.count === 1 ? 'agrees' : 'agree';
  return `${plural(seals.count, 'seal')} ${agree} with the log; ${signed}.`;
};

/** What the service verified, part by part: each part has a light of its own. */
export const ReportLights = ({
  report,
  isBusy,
  isOneAccount = false,
}: {
  report: Report | undefined;
  isBusy: boolean;
  isOneAccount?: boolean;
}) => {
  const waiting: LightState = isBusy ? 'busy' : 'off';
  const stateOf = (wasChecked: boolean): LightState => {
    if (!report) return waiting;
    if (!report.ok) return 'bad';
    return wasChecked ? 'good' : 'off';
  };
  const counted = report
    ? `${plural(report.movements, 'movement')} of ${plural(report.accounts, 'account')}`
    : 'every movement';
  return (
    <>
      <Light state={stateOf(true)}>
        The service counted {counted} again from the log: hashes, balances, charges and refunds.
      </Light>
      <Light state={stateOf(report?.readModel ?? false)}>
        What the ledger shows is what the log holds.
      </Light>
      {!isOneAccount && (
        <Light state={stateOf((report?.seals?.count ?? 0) > 0)}>
          {report ? sealWords(report) : 'Seals agree with the log.'}
        </Light>
      )}
      {report && !report.ok && (
        <>
          <div className="note note-bad">
            <strong>{plural(report.problemCount, 'problem')}</strong> The first 1,000 are listed
            below.
          </div>
          <Table
            label="Problems of the ledger"
            columns={columns}
            rows={report.problems}
            rowId={({ at, kind, detail }) => `${kind}-${at}-${detail}`}
          />
        </>
      )}
    </>
  );
};
