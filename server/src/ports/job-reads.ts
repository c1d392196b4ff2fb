import type { Uuid } from '#lib/uuid.ts'
import type { SinkListing } from './event-sinks.ts'
import type { MailListing } from './mail-outbox.ts'
import type { WebhookListing } from './webhooks.ts'

/** What the workers have to do, for operators. */
export interface JobReads {
  read(limit: number): Promise<WorkerJobs>
}

export interface WorkerJobs {
  readonly videos: JobQueue
  readonly webhooks: JobQueue
  readonly mails: JobQueue
  /** Videos that are not over, the oldest first. */
  readonly runningVideos: readonly RunningVideo[]
  /** Webhooks that failed at least once and are not delivered, the newest first. */
  readonly failedWebhooks: readonly (WebhookListing & { readonly walletId: Uuid })[]
  /** Emails with an error, the newest first. */
  readonly failedMails: readonly MailListing[]
  readonly sinks: readonly SinkListing[]
}

/** The open work of one kind. */
export interface JobQueue {
  readonly states: readonly { readonly state: string; readonly count: number }[]
  /** Null if nothing waits. What was given up does not wait. */
  readonly oldestAtMs: number | null
}

export interface RunningVideo {
  readonly id: Uuid
  readonly walletId: Uuid
  readonly model: string
  readonly state: string
  readonly createdAtMs: number
  readonly deadlineAtMs: number
  /** The newest failure, in the provider's own words if it had any. */
  readonly lastError: string | null
}
