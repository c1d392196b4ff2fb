import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { isJsonObject } from '#lib/json.ts'
import { parseSealed, type SealingKey, unseal } from '#lib/seal.ts'
import type { ClaimedJob, JobAsker, JobCandidate, VideoJob } from '#ports/video-jobs.ts'
import { readNano } from '../nano-column.ts'

/** A job as it is stored. */
export interface JobRow {
  id: string
  wallet_id: string
  model: string
  task: unknown
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

export function claimedJobOf(row: JobRow, sealingKey: SealingKey): ClaimedJob {
  return {
    id: row.id,
    walletId: row.wallet_id,
    model: row.model,
    openTask: () => openTask(row, sealingKey),
    candidates: row.candidates,
    asker: row.asker,
    held: readNano(row.held_nano),
    windows: row.windows.map((window) => ({ ...window, limit: readNano(window.limit) })),
    ownUrl: row.own_url,
    callbackUrl: row.callback_url,
    createdAtMs: row.created_at.getTime(),
    deadlineAtMs: row.deadline_at.getTime(),
    progress: row.progress,
    claim: Number(row.claim),
  }
}

/** A job that was accepted before tasks were sealed has its own in clear; the last of them ends by its deadline. */
function openTask({ id, task }: JobRow, sealingKey: SealingKey): VideoTask {
  if (isClear(task)) return task
  return JSON.parse(unseal(sealingKey, parseSealed(task), id))
}

function isClear(task: unknown): task is VideoTask {
  return isJsonObject(task) && task.kind === 'video'
}
