import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'
import type { paths } from './schema.d.ts'

export type WorkerJobs = Awaited<ReturnType<typeof readJobs>>
export type JobQueue = WorkerJobs['videos']
export type EvidenceListing = Awaited<ReturnType<typeof listEvidence>>['data'][number]

export type FailedWork = NonNullable<
  paths['/api/admin/jobs/repeat']['post']['requestBody']
>['content']['application/json']

async function readJobs() {
  return (await dataOf(operators.GET('/api/admin/jobs'))).data
}

/** Asked again every ten seconds while the page is open. */
export const jobsQuery = queryOptions({
  queryKey: ['operator', 'jobs'],
  queryFn: readJobs,
  refetchInterval: 10_000,
})

/** Has a worker attempt failed work at once. */
export function repeatJob(body: FailedWork) {
  return operators.POST('/api/admin/jobs/repeat', { body })
}

function listEvidence(before: string | null) {
  const query = { limit: '50', ...(before === null ? {} : { before }) }
  return dataOf(operators.GET('/api/admin/evidence', { params: { query } }))
}

export const evidenceQuery = infiniteQueryOptions({
  queryKey: ['operator', 'evidence'],
  queryFn: ({ pageParam }) => listEvidence(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
})

/** Reads a blocked prompt. Each read is recorded in the audit log. */
export async function openEvidence(evidenceId: string) {
  return (await dataOf(operators.POST('/api/admin/evidence/open', { body: { evidenceId } }))).data
}
