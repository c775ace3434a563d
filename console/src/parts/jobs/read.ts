import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import type { rowStates } from '../../generated/tables.ts';
import { downloadFile } from '../../ui/download.ts';

export type Job = components['schemas']['Job'];

export const LIST_KEY = ['jobs'];
export const jobKey = (id: string) => ['job', id];

export const pathOf = (id: string): string => `/jobs/${encodeURIComponent(id)}`;

/** Whether it goes on without its owner. */
export const isMoving = ({ state }: Job): boolean => /^(checking|queued|running)$/.test(state);

export const readJobs = async (signal: AbortSignal): Promise<readonly Job[]> =>
  (await bodyOf(api.GET('/v1/jobs', { params: { query: { limit: 100 } }, signal }))).jobs;

const of = (jobId: string) => ({ params: { path: { jobId } } });

export const readJob = (id: string, signal: AbortSignal): Promise<Job> =>
  bodyOf(api.GET('/v1/jobs/{jobId}', { ...of(id), signal }));

/** What its owner does with a job; each resolves to the job after it. */
export const verbs = {
  start: (id: string): Promise<Job> => bodyOf(api.POST('/v1/jobs/{jobId}/start', of(id))),
  pause: (id: string): Promise<Job> => bodyOf(api.POST('/v1/jobs/{jobId}/pause', of(id))),
  resume: (id: string): Promise<Job> => bodyOf(api.POST('/v1/jobs/{jobId}/resume', of(id))),
  cancel: (id: string): Promise<Job> => bodyOf(api.POST('/v1/jobs/{jobId}/cancel', of(id))),
} as const;

/** Makes a job of the rows that failed or were refused; resolves to its id. */
export const retryJob = async (id: string): Promise<string> =>
  (await bodyOf(api.POST('/v1/jobs/{jobId}/retry', of(id)))).id;

export interface JobSpec {
  name?: string;
  event: string;
  phoneNumberId?: string;
  columns: { to: string; clientReference?: string; variables: Record<string, string> };
  maxAmount?: number | string;
  sendAt?: string;
}

/** Uploads the file; resolves to the id of the job. */
export const createJob = async (spec: JobSpec, file: File): Promise<string> => {
  const form = new FormData();
  form.set('spec', JSON.stringify(spec));
  form.set('file', file);
  const { id } = await bodyOf(
    api.POST('/v1/jobs', {
      body: form as never,
      bodySerializer: (body: unknown) => body as FormData,
    }),
  );
  return id;
};

export type RowState = (typeof rowStates)[number];

export const readRows = (
  id: string,
  state: RowState | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
) => {
  const params = { path: { jobId: id }, query: { limit: 50, state, cursor } };
  return bodyOf(api.GET('/v1/jobs/{jobId}/rows', { params, signal }));
};
export type Row = Awaited<ReturnType<typeof readRows>>['rows'][number];

/** What became of all rows until now, as a file. */
export const downloadResult = async (id: string): Promise<void> => {
  const params = { path: { jobId: id }, query: { format: 'csv' as const } };
  const { data } = await api.GET('/v1/jobs/{jobId}/result', { params, parseAs: 'blob' });
  if (data) downloadFile(`${id}.csv`, data);
};
