import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

export type WorkerJobs = Awaited<ReturnType<typeof readJobs>>
export type JobQueue = WorkerJobs['videos']
export type EvidenceListing = Awaited<ReturnType<typeof listEvidence>>['data'][number]

async function readJobs() {
  return (await dataOf(operators.GET('/api/admin/jobs'))).data
}

/** Asked again every ten seconds while the page is open. */
export const jobsQuery = queryOptions({
  queryKey: ['operator', 'jobs'],
  queryFn: readJobs,
  refetchInterval: 10_000,
})

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
