import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { ClaimedJob, JobAsker, JobCandidate, VideoJob } from '#ports/video-jobs.ts'

/** A job as it is stored. */
export interface JobRow {
  id: string
  wallet_id: string
  model: string
  task: VideoTask
  candidates: JobCandidate[]
  asker: JobAsker
  held_nano: string
  windows: StoredWindow[]
  progress: JobProgress
  claim: string
  own_url: string
  callback_url: string | null
  created_at: Date
  deadline_at: Date
}

export type StoredWindow = Omit<LimitedWindow, 'limit'> & { readonly limit: string }

/** Limits travel as text, because JSON numbers lose digits. */
export function storedWindows({ windows }: Pick<VideoJob, 'windows'>): StoredWindow[] {
  return windows.map((window) => ({ ...window, limit: window.limit.toString() }))
}

export function claimedJobOf(row: JobRow): ClaimedJob {
  return {
    id: row.id,
    walletId: row.wallet_id,
    model: row.model,
    task: row.task,
    candidates: row.candidates,
    asker: row.asker,
    held: nanoUsd(BigInt(row.held_nano)),
    windows: row.windows.map((window) => ({ ...window, limit: nanoUsd(BigInt(window.limit)) })),
    ownUrl: row.own_url,
    callbackUrl: row.callback_url,
    createdAtMs: row.created_at.getTime(),
    deadlineAtMs: row.deadline_at.getTime(),
    progress: row.progress,
    claim: Number(row.claim),
  }
}
