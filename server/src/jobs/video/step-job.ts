import type { Attempt } from '#domain/ledger/generation-record.ts'
import { accountSecrets } from '#domain/routing/account-secrets.ts'
import { type JobError, jobError, type Unsaid } from '#domain/video/job-error.ts'
import type { JobEvent } from '#domain/video/job-machine.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { JsonObject } from '#lib/json.ts'
import { quotableIn } from '#lib/quotes.ts'
import type { ClaimedJob, JobCandidate } from '#ports/videos.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { submitName } from './submit-name.ts'
import { polledTarget } from './polled-target.ts'

/** The current provider of a candidate. */
export interface JobHost {
  /** The name of the provider account. */
  readonly name: string
  readonly codec: VideoCodec
  readonly target: MediaTarget
  /** As stored, for requests that are authorized after they are built. */
  readonly credential: string | null
}

/** The provider of an exchange, and the account it is for. */
export interface JobTalk {
  readonly host: JobHost
  readonly account: string
}

export interface StepDeps {
  /** Null if the account is gone or disabled. */
  readonly hostOf: (candidate: JobCandidate, model: string) => JobHost | null
  /** Runs an exchange. Rejects with the codec's errors, or with the error that broke the exchange. */
  readonly converse: <Result>(conversation: ExchangeScript<Result>, talk: JobTalk) => Promise<Result>
  /** Copies the outputs to our storage. */
  readonly store: (job: ClaimedJob, host: JobHost) => Promise<void>
  /** Records that a submit is about to be sent; null if another worker has the job. */
  readonly beginSubmit: (job: ClaimedJob) => Promise<ClaimedJob | null>
  readonly isSettled: (job: ClaimedJob) => Promise<boolean>
  readonly nowMs: () => number
}

/** Runs one step of a job; returns its event, or null if the job is no longer ours. */
export async function stepJob(job: ClaimedJob, deps: StepDeps): Promise<{ job: ClaimedJob; event: JobEvent } | null> {
  const candidate = job.candidates[job.progress.candidate]
  assert(candidate !== undefined, 'a job asks one of its candidates')
  if (deps.nowMs() >= job.deadlineAtMs) return { job, event: { kind: 'out-of-time', error: outOfTime } }
  const host = deps.hostOf(candidate, job.model)
  switch (job.progress.state) {
    case 'accepted': {
      // A gateway that could not tell whether it had stored the job has rejected and refunded it.
      if (job.progress.submits === 0 && (await deps.isSettled(job))) {
        return { job, event: { kind: 'out-of-time', error: withdrawn } }
      }
      // Decrypted before the submit begins: a worker without the secret leaves the job unchanged, for another.
      const task = job.openTask()
      const begun = await deps.beginSubmit(job)
      return begun === null ? null : { job: begun, event: await submit({ job: begun, task }, candidate, host, deps) }
    }
    case 'submitting':
      // The worker that sent the submit is gone, and the response is lost.
      return { job, event: { kind: 'submit-lost', attempt: attemptOf({ job, candidate, host }, 'lost', null, 0) } }
    case 'unknown':
      return { job, event: await lookUp(job, host, deps) }
    case 'running':
      return { job, event: await poll(job, host, deps) }
    case 'storing':
      return { job, event: await store(job, host, deps) }
    case 'completed':
    case 'failed':
      return null
  }
}

async function submit(
  { job, task }: { job: ClaimedJob; task: VideoTask },
  candidate: JobCandidate,
  host: JobHost | null,
  deps: StepDeps,
): Promise<JobEvent> {
  const startedAtMs = deps.nowMs()
  const attempt = (outcome: string, status: number | null, why?: JobError): Attempt => ({
    ...attemptOf({ job, candidate, host }, outcome, status, deps.nowMs() - startedAtMs),
    ...(why === undefined || why.inside === '' ? {} : { said: why.inside }),
  })
  if (host === null) {
    return { kind: 'refused', another: true, error: noHost, attempt: attempt('noUpstream', null) }
  }
  try {
    if (failpointsArmed) await failpoint('before-submit')
    const reference = await deps.converse(host.codec.submit(task, host.target, submitName(job)), talkOf(job, host))
    if (failpointsArmed) await failpoint('after-submit')
    return { kind: 'submitted', reference, attempt: attempt('answered', null) }
  } catch (error) {
    if (error instanceof UpstreamRefusedError) {
      const { action, errorName, message, inside, status } = error.refusal
      // A proxy in front of the upstream timed out: the order may have arrived.
      if (unsureStatuses.has(status)) return { kind: 'submit-lost', attempt: attempt('lost', status) }
      const refundReason = action === 'give-up' ? 'upstream_rejected' : 'upstream_failed'
      const why = jobError({ message, inside, refundReason }, unsaidOf(host, task))
      return { kind: 'refused', another: action !== 'give-up', error: why, attempt: attempt(errorName, status, why) }
    }
    if (error instanceof GatewayError) {
      const { errorName, message, inside = message } = error
      const why = jobError({ message, inside, refundReason: 'upstream_rejected' }, unsaidOf(host, task))
      return { kind: 'refused', another: true, error: why, attempt: attempt(errorName, null) }
    }
    if (isNeverSent(error)) {
      const why = jobError({ ...unreachable, inside: String(error) }, unsaidOf(host, task))
      return { kind: 'refused', another: true, error: why, attempt: attempt('unreachable', null) }
    }
    return { kind: 'submit-lost', attempt: attempt('lost', null) }
  }
}

const unsureStatuses = new Set([408, 502, 504])

/** The connection was never established, so nothing was sent. */
function isNeverSent(error: unknown): boolean {
  return error instanceof Error && 'failure' in error && kindOf(error.failure) === 'unreachable'
}

function kindOf(failure: unknown): unknown {
  return typeof failure === 'object' && failure !== null && 'kind' in failure ? failure.kind : undefined
}

const looksMin = 2

async function lookUp(job: ClaimedJob, host: JobHost | null, deps: StepDeps): Promise<JobEvent> {
  if (host?.codec.find === undefined) return { kind: 'unfindable' }
  const task = job.openTask()
  try {
    const looking = host.codec.find(submitName(job), host.target, task)
    const reference: JsonObject | null = await deps.converse(looking, talkOf(job, host))
    if (reference !== null) return { kind: 'found', reference }
    // A job that arrived a moment ago may not be listed yet, so one lookup is not enough.
    return job.progress.failures < looksMin ? { kind: 'step-failed' } : { kind: 'absent' }
  } catch {
    return { kind: 'step-failed' }
  }
}

async function poll(job: ClaimedJob, host: JobHost | null, deps: StepDeps): Promise<JobEvent> {
  const { reference } = job.progress
  assert(reference !== null, 'a running job has a reference')
  // A disabled account may be enabled again before the deadline.
  if (host === null) return { kind: 'step-failed' }
  const task = job.openTask()
  try {
    return eventOf(
      await deps.converse(host.codec.poll(reference, polledTarget(host.target, task), task), talkOf(job, host)),
      unsaidOf(host, task),
    )
  } catch (error) {
    if (error instanceof UpstreamRefusedError && error.refusal.action === 'give-up') {
      const { message, inside } = error.refusal
      const why = jobError({ message, inside, refundReason: 'upstream_failed' }, unsaidOf(host, task))
      return { kind: 'upstream-failed', error: why }
    }
    return { kind: 'step-failed' }
  }
}

function eventOf(progress: VideoProgress, unsaid: Unsaid): JobEvent {
  switch (progress.kind) {
    case 'working':
      return { kind: 'progressed', status: progress.status }
    case 'made':
      return progress.outputs.length === 0
        ? { kind: 'upstream-failed', error: nothingMade }
        : { kind: 'made', outputs: progress.outputs, usage: progress.usage }
    case 'failed': {
      const { message } = progress
      const why = jobError({ message, refundReason: 'upstream_failed' }, unsaid)
      return { kind: 'upstream-failed', error: why }
    }
  }
}

const storeTriesMax = 10

async function store(job: ClaimedJob, host: JobHost | null, deps: StepDeps): Promise<JobEvent> {
  if (host === null) return { kind: 'step-failed' }
  try {
    await deps.store(job, host)
    return { kind: 'stored' }
  } catch (error) {
    if (job.progress.failures < storeTriesMax) return { kind: 'step-failed' }
    return {
      kind: 'upstream-failed',
      error: jobError({ ...notStored, inside: String(error) }, { secrets: secretsOf(host), texts: [] }),
    }
  }
}

function talkOf({ walletId }: ClaimedJob, host: JobHost): JobTalk {
  return { host, account: walletId }
}

function secretsOf({ target: { baseUrl }, credential }: JobHost): string[] {
  return accountSecrets({ baseUrl, credential })
}

function unsaidOf(host: JobHost, task: VideoTask): Unsaid {
  const { prompt, firstFrame, lastFrame, references, inputVideo, extras } = task
  const texts = [prompt, ...quotableIn([firstFrame, lastFrame, ...references, inputVideo?.url ?? null, extras])]
  return { secrets: secretsOf(host), texts }
}

function attemptOf(
  asked: { readonly job: { readonly model: string }; readonly candidate: JobCandidate; readonly host: JobHost | null },
  outcome: string,
  status: number | null,
  durationMs: number,
): Attempt {
  const account = asked.host === null ? {} : { account: asked.host.name }
  return { model: asked.job.model, provider: asked.candidate.vendor, ...account, outcome, status, durationMs }
}

const noHost = jobError({
  message: 'No provider is available for this model. Nothing was charged.',
  refundReason: 'upstream_failed',
  inside: 'the provider account was deleted or disabled',
})
const unreachable = jobError({
  message: 'No provider for this model could be reached. Nothing was charged.',
  refundReason: 'upstream_failed',
  inside: '',
})
const nothingMade = jobError({
  message: 'The provider finished without returning a video. Nothing was charged.',
  refundReason: 'unusable_answer',
  inside: 'no outputs',
})
const notStored = jobError({
  message: 'The video was generated but could not be stored. Nothing was charged.',
  refundReason: 'unusable_answer',
  inside: '',
})
const withdrawn = jobError({
  message: 'The job was rejected when it was submitted. Nothing was charged.',
  refundReason: 'gateway_fault',
  inside: 'its generation was settled before any provider was called',
})
const outOfTime = jobError({
  message: 'The video was not finished in time. Nothing was charged.',
  refundReason: 'upstream_failed',
  inside: 'deadline',
})
