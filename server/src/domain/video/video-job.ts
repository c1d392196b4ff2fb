import type { Usage } from '#domain/inference/usage.ts'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import type { JsonObject } from '#lib/json.ts'
import type { JobError } from './job-error.ts'

/**
 * The states of a job. The first five are open, the last two are final.
 *
 * `submitting` is written before the upstream is called. A job that is later found in this state, or whose request
 * broke off, is `unknown`: the upstream may or may not be working on it, and until that is resolved nothing is refunded
 * and no upstream is called again.
 */
const jobStates = ['accepted', 'submitting', 'unknown', 'running', 'storing', 'completed', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** The status that clients see. */
export type JobStatus = 'pending' | 'in_progress' | 'completed' | 'failed'

/** The part of a job that the state machine changes. Plain JSON, stored unchanged. */
export interface JobProgress {
  readonly state: JobState
  readonly status: JobStatus
  /** The index of the current candidate. */
  readonly candidate: number
  /** Number of submits; part of the submit's name at the upstream. */
  readonly submits: number
  /** The upstream's reference: everything that its codec needs to poll. */
  readonly reference: JsonObject | null
  /** The upstream's outputs, until they are stored here. */
  readonly outputs: readonly VideoOutput[]
  /** Consecutive failed steps, for the backoff. */
  readonly failures: number
  readonly usage: Usage | null
  readonly error: JobError | null
  readonly attempts: readonly Attempt[]
}

export type VideoOutput =
  | { readonly kind: 'url'; readonly url: string }
  /** For providers whose results need the key: a path on their own host. */
  | { readonly kind: 'path'; readonly path: string }
  /** For providers whose response contains the videos: the index. The codec fetches the bytes. */
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
