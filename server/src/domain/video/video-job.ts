import type { Usage } from '#domain/inference/usage.ts'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import type { JsonObject } from '#lib/json.ts'
import type { JobError } from './job-error.ts'

/**
 * Where a job stands. The first five are open, the last two are for good.
 *
 * `submitting` is written before the upstream is called. A job that is found in it later, or whose call broke off, is
 * `unknown`: the upstream may be working on it or not, and until that is resolved nothing is refunded and no upstream
 * is asked again.
 */
const jobStates = ['accepted', 'submitting', 'unknown', 'running', 'storing', 'completed', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** What clients see of it. */
export type JobStatus = 'pending' | 'in_progress' | 'completed' | 'failed'

/** The part of a job that its machine moves. Plain JSON, stored as it is. */
export interface JobProgress {
  readonly state: JobState
  readonly status: JobStatus
  /** Which of its candidates is being asked, counted from 0. */
  readonly candidate: number
  /** How often a submit was begun; part of the name that upstreams are given for it. */
  readonly submits: number
  /** How the upstream knows it: all that its codec needs to ask again. */
  readonly reference: JsonObject | null
  /** What the upstream has made, until it is stored with us. */
  readonly outputs: readonly VideoOutput[]
  /** Steps in a row that came to nothing, for growing pauses. */
  readonly failures: number
  readonly usage: Usage | null
  readonly error: JobError | null
  readonly attempts: readonly Attempt[]
}

export type VideoOutput =
  | { readonly kind: 'url'; readonly url: string }
  /** For hosts whose results are asked for with the key: a path of their own address. */
  | { readonly kind: 'path'; readonly path: string }
  /** For hosts whose answer holds the videos themselves: which of them. Its codec brings the bytes. */
  | { readonly kind: 'answer'; readonly index: number }

export const acceptedJob: JobProgress = {
  state: 'accepted',
  status: 'pending',
  candidate: 0,
  submits: 0,
  reference: null,
  outputs: [],
  failures: 0,
  usage: null,
  error: null,
  attempts: [],
}

export function isOver({ state }: Pick<JobProgress, 'state'>): boolean {
  return state === 'completed' || state === 'failed'
}
