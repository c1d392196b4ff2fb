import type { Usage } from '#domain/inference/usage.ts'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import type { JsonObject } from '#lib/json.ts'
import { type JobError, jobError } from './job-error.ts'
import { isOver, type JobProgress, type JobStatus, type VideoOutput } from './video-job.ts'

/** An event of a job. */
export type JobEvent =
  /** A submit is about to be sent. */
  | { readonly kind: 'submit-begun' }
  | { readonly kind: 'submitted'; readonly reference: JsonObject; readonly attempt: Attempt }
  /** The candidate rejected the job; `another` tells whether another candidate may accept it. */
  | { readonly kind: 'refused'; readonly another: boolean; readonly error: JobError; readonly attempt: Attempt }
  /** It is unknown whether a submit arrived. */
  | { readonly kind: 'submit-lost'; readonly attempt: Attempt }
  | { readonly kind: 'found'; readonly reference: JsonObject }
  /** The upstream definitely has no such job. */
  | { readonly kind: 'absent' }
  /** The upstream has no way to look the job up. */
  | { readonly kind: 'unfindable' }
  | { readonly kind: 'progressed'; readonly status: 'pending' | 'in_progress' }
  | { readonly kind: 'made'; readonly outputs: readonly VideoOutput[]; readonly usage: Usage }
  | { readonly kind: 'upstream-failed'; readonly error: JobError }
  /** A poll, lookup or copy failed and will be retried. */
  | { readonly kind: 'step-failed' }
  | { readonly kind: 'stored' }
  | { readonly kind: 'out-of-time'; readonly error: JobError }

/** The next state of a job, and its effect on money: none, or exactly once a charge or a refund. */
export interface Transition {
  readonly progress: JobProgress
  readonly money: 'none' | 'charge' | 'refund'
}

/** All transitions. A state ignores unknown events, so a late or repeated event changes nothing. */
export function advance(job: JobProgress, event: JobEvent, candidateCount: number): Transition {
  if (isOver(job)) return stay(job)
  if (event.kind === 'out-of-time') return fail(job, event.error)
  switch (job.state) {
    case 'accepted':
      return event.kind === 'submit-begun' ? go(job, { state: 'submitting', submits: job.submits + 1 }) : stay(job)
    case 'submitting':
      return fromSubmitting(job, event, candidateCount)
    case 'unknown':
      return fromUnknown(job, event)
    case 'running':
      return fromRunning(job, event)
    case 'storing':
      if (event.kind === 'stored') return { ...go(job, { state: 'completed', status: 'completed' }), money: 'charge' }
      if (event.kind === 'upstream-failed') return fail(job, event.error)
      return event.kind === 'step-failed' ? go(job, { failures: job.failures + 1 }) : stay(job)
    case 'completed':
    case 'failed':
      return stay(job)
  }
}

function fromSubmitting(job: JobProgress, event: JobEvent, candidateCount: number): Transition {
  switch (event.kind) {
    case 'submitted':
      return go(noted(job, event.attempt), { state: 'running', reference: event.reference, failures: 0 })
    case 'refused': {
      const next = job.candidate + 1
      if (!event.another || next >= candidateCount) return fail(noted(job, event.attempt), event.error)
      return go(noted(job, event.attempt), { state: 'accepted', candidate: next })
    }
    case 'submit-lost':
      return go(noted(job, event.attempt), { state: 'unknown', failures: 0 })
    default:
      return stay(job)
  }
}

function fromUnknown(job: JobProgress, event: JobEvent): Transition {
  switch (event.kind) {
    case 'found':
      return go(job, { state: 'running', reference: event.reference, failures: 0 })
    case 'absent':
      return go(job, { state: 'accepted', failures: 0 })
    case 'unfindable':
      return fail(job, submitUnknown)
    case 'step-failed':
      return go(job, { failures: job.failures + 1 })
    default:
      return stay(job)
  }
}

function fromRunning(job: JobProgress, event: JobEvent): Transition {
  switch (event.kind) {
    case 'progressed':
      return go(job, { status: furthest(job.status, event.status), failures: 0 })
    case 'made': {
      const { outputs, usage } = event
      return go(job, { state: 'storing', status: 'in_progress', outputs, usage, failures: 0 })
    }
    case 'upstream-failed':
      return fail(job, event.error)
    case 'step-failed':
      return go(job, { failures: job.failures + 1 })
    default:
      return stay(job)
  }
}

/** A job in progress never goes back to pending, whatever an upstream reports later. */
function furthest(before: JobStatus, now: 'pending' | 'in_progress'): JobStatus {
  return before === 'in_progress' ? before : now
}

const submitUnknown = jobError({
  message: 'The provider did not confirm the job. Nothing was charged. Submit it again.',
  refundReason: 'upstream_failed',
  inside: 'the submission outcome is unknown, and this provider has no way to look it up',
})

function go(job: JobProgress, change: Partial<JobProgress>): Transition {
  return { progress: { ...job, ...change }, money: 'none' }
}

function fail(job: JobProgress, error: JobError): Transition {
  return { progress: { ...job, state: 'failed', status: 'failed', error, usage: null }, money: 'refund' }
}

function noted(job: JobProgress, attempt: Attempt): JobProgress {
  return { ...job, attempts: [...job.attempts, attempt] }
}

function stay(job: JobProgress): Transition {
  return { progress: job, money: 'none' }
}
