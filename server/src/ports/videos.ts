import type { StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import type { AttributedIds, GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { StatedPurchase } from '#domain/money/state-purchase.ts'
import type { Billing } from '#domain/routing/candidates.ts'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A requested video, with everything needed to create, charge and report it, even if a process dies in between. */
export interface VideoJob {
  /** The generation's id. */
  readonly id: Uuid
  readonly walletId: Uuid
  /** Our model id. */
  readonly model: string
  /** The client's content. It is encrypted while the job runs and cleared when the job ends. */
  readonly task: VideoTask
  /** In the order in which they are tried; at least one. */
  readonly candidates: readonly JobCandidate[]
  readonly asker: JobAsker
  readonly held: NanoUsd
  readonly windows: readonly LimitedWindow[]
  /** The gateway's address as the client reached it, for links in the job's webhook. */
  readonly ownUrl: string
  readonly callbackUrl: string | null
  readonly createdAtMs: number
  /** The job fails at this time. */
  readonly deadlineAtMs: number
  readonly progress: JobProgress
}

export interface JobCandidate {
  readonly accountId: string
  readonly vendor: string
  readonly upstreamModel: string
  readonly billing: Billing
  /** The price version at which the job is charged. */
  readonly price: StatedPrice & { readonly id: string }
  /** What the operator pays for it; missing if that is the price. */
  readonly purchase?: StatedPurchase
  /** The catalogue's data about the model. */
  readonly details: JsonObject
}

/** The generation's data about the sender of the request. */
export type JobAsker = AttributedIds &
  Pick<
    GenerationRecord,
    'keyId' | 'userId' | 'organizationId' | 'memberId' | 'teamId' | 'sessionId' | 'appName' | 'routing'
  >

/** A job as its client sees it. */
export interface SeenVideoJob extends Pick<VideoJob, 'id' | 'model' | 'createdAtMs' | 'progress'> {
  readonly completedAtMs: number | null
  /** Null until it has ended. */
  readonly cost: NanoUsd | null
  /** Until when the videos can be fetched, or null if none are stored any more. */
  readonly storedUntilMs: number | null
}

/** The store operations of the gateway. */
export interface VideoJobs {
  /** Writes the job and keeps its hold until its deadline, in one transaction. */
  accept(job: VideoJob): Promise<void>
  /** Null for a job outside the scope, as for one that does not exist. */
  find(scope: UsageScope, id: Uuid): Promise<SeenVideoJob | null>
  /** The newest first. */
  list(query: VideoListQuery): Promise<readonly SeenVideoJob[]>
}

export interface VideoListQuery {
  readonly scope: UsageScope
  /** Only jobs with smaller ids, or null to start with the newest. */
  readonly before: Uuid | null
  readonly limit: number
  readonly model: string | null
  readonly status: JobProgress['status'] | null
}

/**
 * The store operations of the workers. A claim is a lease with a fencing token. A worker that has lost its claim can no
 * longer write.
 */
export interface VideoJobQueue {
  /** Claims jobs whose step is due, up to a maximum. No other worker gets them before the claim expires. */
  claim(atMost: number, claimMs: number): Promise<readonly ClaimedJob[]>
  /** Extends claims from now. */
  renew(claims: readonly ClaimedJob[], claimMs: number): Promise<void>
  /** Whether the job's request is already charged or refunded. */
  isSettled(job: ClaimedJob): Promise<boolean>
  /** Writes the job's progress and the time of its next step. Returns false if the claim was lost. */
  move(job: ClaimedJob, progress: JobProgress, dueInMs: number): Promise<boolean>
  /**
   * Ends the job: its charge or refund, its row and its webhook are one transaction. Returns false if the claim was
   * lost.
   */
  finish(job: ClaimedJob, end: JobEnd): Promise<boolean>
}

export interface ClaimedJob extends Omit<VideoJob, 'task'> {
  /**
   * Throws if no secret of this process decrypts the task. A job must not fail because one worker has the wrong secret.
   */
  readonly openTask: () => VideoTask
  readonly claim: number
}

export interface JobEnd {
  readonly endedAtMs: number
  readonly progress: JobProgress
  readonly record: GenerationRecord
  /** Until when its videos are stored, or null if there are none. */
  readonly storedUntilMs: number | null
  /** The webhook to send, or null if the job has no callback URL. */
  readonly webhook: {
    readonly id: Uuid
    readonly url: string
    /** The body with the final charge. */
    readonly bodyFor: (cost: NanoUsd) => string
  } | null
}

/** A job whose stored videos are due for deletion. */
export interface StoredVideos {
  readonly id: Uuid
  readonly createdAtMs: number
  readonly videoCount: number
}

export interface StoredVideoStore {
  /** Jobs whose videos are past their retention, the oldest first, up to a maximum. */
  findOver(atMost: number): Promise<readonly StoredVideos[]>
  /** Records that the videos of these jobs are no longer stored. */
  forget(ids: readonly Uuid[]): Promise<void>
}

/** Measures the length of a video at a URL that a client chose. */
export interface VideoProbe {
  /**
   * The length in milliseconds, or null if the video cannot be fetched or read. It is fetched in the account's turn.
   */
  durationOf(url: string, account: string): Promise<number | null>
}
