import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { videoJobJson } from '#domain/video/job-json.ts'
import { advance, type Transition } from '#domain/video/job-machine.ts'
import { isOver, type JobProgress } from '#domain/video/video-job.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ClaimedJob, JobEnd, VideoJobQueue } from '#ports/videos.ts'
import { pauseAfter } from './pause-after.ts'
import { recordOfJob } from './record-of-job.ts'
import { type StepDeps, stepJob } from './step-job.ts'

export interface MoveDeps {
  readonly queue: Pick<VideoJobQueue, 'move' | 'finish' | 'isSettled'>
  readonly steps: Omit<StepDeps, 'beginSubmit' | 'isSettled'>
  /** How long the claim lasts, which is also how long a submit may go unheard of. */
  readonly claimMs: number
  /** How long finished videos are kept. */
  readonly keepMs: number
  /** How often at the most an upstream is asked about a job; a host may want to be asked less. */
  readonly rhythmMs: number
  /** Not called for a step that leaves it where it was, such as a poll that hears nothing new. */
  readonly onMoved: (job: ClaimedJob, to: string) => void
}

/** Takes one step of a job and writes where it then stands. A worker that has lost its claim meanwhile writes nothing. */
export async function moveJob(job: ClaimedJob, deps: MoveDeps): Promise<void> {
  const { queue, steps } = deps
  const beginSubmit: StepDeps['beginSubmit'] = async (ours) => {
    const { progress } = advance(ours.progress, { kind: 'submit-begun' }, ours.candidates.length)
    return (await queue.move(ours, progress, deps.claimMs)) ? { ...ours, progress } : null
  }
  const stepped = await stepJob(job, { ...steps, beginSubmit, isSettled: queue.isSettled })
  if (stepped === null) return
  const transition = advance(stepped.job.progress, stepped.event, job.candidates.length)
  const isOurs = isOver(transition.progress)
    ? await queue.finish(stepped.job, endOf(stepped.job, transition, deps))
    : await queue.move(stepped.job, transition.progress, pauseOf(stepped.job, transition, deps))
  const { state } = transition.progress
  if (isOurs && state !== job.progress.state) deps.onMoved(job, state)
}

/** A job that waits longer than its deadline is looked at then: it fails without anybody being asked. */
function pauseOf(job: ClaimedJob, { progress }: Transition, { steps, rhythmMs }: MoveDeps): number {
  const candidate = job.candidates[progress.candidate]
  const host = candidate === undefined ? null : steps.hostOf(candidate, job.model)
  const pause = pauseAfter(progress, Math.max(rhythmMs, host?.codec.rhythmMs ?? 0))
  return Math.min(pause, Math.max(0, job.deadlineAtMs - steps.nowMs()))
}

function endOf(job: ClaimedJob, transition: Transition, { steps, keepMs }: MoveDeps): JobEnd {
  const endedAtMs = steps.nowMs()
  const { progress } = transition
  const record = recordOfJob(job, transition, endedAtMs)
  const bodyFor = (cost: NanoUsd): string => {
    const shown = videoJobJson({ ...job, progress, completedAtMs: endedAtMs, cost }, job.ownUrl)
    return JSON.stringify({ event: `video.${progress.status}`, ...shown })
  }
  return {
    endedAtMs,
    progress,
    record,
    storedUntilMs: storedUntil(progress, endedAtMs, keepMs),
    webhook: job.callbackUrl === null ? null : { id: newUuid(endedAtMs), url: job.callbackUrl, bodyFor },
  }
}

/** Of a job that failed while its videos were being copied, some may be stored here; no client gets them. */
function storedUntil({ status, outputs }: JobProgress, endedAtMs: number, keepMs: number): number | null {
  if (outputs.length === 0) return null
  return status === 'completed' ? endedAtMs + keepMs : endedAtMs
}
