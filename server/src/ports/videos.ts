import type { StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Billing } from '#domain/routing/candidates.ts'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * A video that was asked for, with all that it takes to make, charge and report it, even if a process dies in between.
 */
export interface VideoJob {
  /** The generation's id. */
  readonly id: Uuid
  readonly walletId: Uuid
  /** Our id of the model. */
  readonly model: string
  /** The client's content. It is sealed while the job runs, and cleared when the job ends. */
  readonly task: VideoTask
  /** In the order of asking; at least one. */
  readonly candidates: readonly JobCandidate[]
  readonly asker: JobAsker
  readonly held: NanoUsd
  readonly windows: readonly LimitedWindow[]
  /** Where its client reached us, for links in its webhook. */
  readonly ownUrl: string
  readonly callbackUrl: string | null
  readonly createdAtMs: number
  /** By then it has failed. */
  readonly deadlineAtMs: number
  readonly progress: JobProgress
}

export interface JobCandidate {
  readonly accountId: string
  readonly vendor: string
  readonly upstreamModel: string
  readonly billing: Billing
  /** The version of the price that it is charged at. */
  readonly price: StatedPrice & { readonly id: string }
  /** What the catalogue knew of the model. */
  readonly details: JsonObject
}

/** What its generation says of who asked. */
export type JobAsker = Pick<
  GenerationRecord,
  'keyId' | 'userId' | 'organizationId' | 'memberId' | 'teamId' | 'sessionId' | 'appName' | 'routing'
>

/** A job as its client sees it. */
export interface SeenVideoJob extends Pick<VideoJob, 'id' | 'model' | 'createdAtMs' | 'progress'> {
  readonly completedAtMs: number | null
  /** Null until it is over. */
  readonly cost: NanoUsd | null
  /** Until when its videos can be fetched; null where there are none, or no longer. */
  readonly storedUntilMs: number | null
}

/** The gateway's side. */
export interface VideoJobs {
  /** Writes the job and keeps its hold until its deadline, in one transaction. */
  accept(job: VideoJob): Promise<void>
  /** Null for a job outside of the scope as for one that never was. */
  find(scope: UsageScope, id: Uuid): Promise<SeenVideoJob | null>
  /** The newest first. */
  list(query: VideoListQuery): Promise<readonly SeenVideoJob[]>
}

export interface VideoListQuery {
  readonly scope: UsageScope
  /** Only jobs with smaller ids; null: from the newest on. */
  readonly before: Uuid | null
  readonly limit: number
  readonly model: string | null
  readonly status: JobProgress['status'] | null
}

/** The workers' side. A claim is a lease with a fencing token; a worker that has lost it cannot write any more. */
export interface VideoJobQueue {
  /** Takes jobs whose step is due, at most so many; no other worker gets them before the claim lapses. */
  claim(atMost: number, claimMs: number): Promise<readonly ClaimedJob[]>
  /** Makes claims last from now. */
  renew(claims: readonly ClaimedJob[], claimMs: number): Promise<void>
  /** Whether its request has been charged or refunded already. */
  isSettled(job: ClaimedJob): Promise<boolean>
  /** Writes where the job stands and when its next step is due. False: the claim was lost. */
  move(job: ClaimedJob, progress: JobProgress, dueInMs: number): Promise<boolean>
  /** Ends the job: its charge or refund, its row and its webhook are one transaction. False: the claim was lost. */
  finish(job: ClaimedJob, end: JobEnd): Promise<boolean>
}

export interface ClaimedJob extends Omit<VideoJob, 'task'> {
  /** Throws where no secret of this process opens it; a job must not fail because one worker has the wrong secret. */
  readonly openTask: () => VideoTask
  readonly claim: number
}

export interface JobEnd {
  readonly endedAtMs: number
  readonly progress: JobProgress
  readonly record: GenerationRecord
  /** Until when its videos are kept; null where there are none. */
  readonly storedUntilMs: number | null
  /** What its callback address is to be sent; null where there is none. */
  readonly webhook: {
    readonly id: Uuid
    readonly url: string
    /** Says what was charged in the end. */
    readonly bodyFor: (cost: NanoUsd) => string
  } | null
}

/** A job whose videos are no longer to be kept. */
export interface StoredVideos {
  readonly id: Uuid
  readonly createdAtMs: number
  readonly videoCount: number
}

export interface StoredVideoStore {
  /** Jobs whose videos have had their time, the oldest first, at most so many. */
  findOver(atMost: number): Promise<readonly StoredVideos[]>
  /** Notes that nothing is kept of these any more. */
  forget(ids: readonly Uuid[]): Promise<void>
}

/** How long a video is, of one at an address that a client chose. */
export interface VideoProbe {
  /** Milliseconds; null where it cannot be fetched or read. It is fetched in the account's turn. */
  durationOf(url: string, account: string): Promise<number | null>
}
