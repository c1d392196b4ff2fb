import { publicJobId } from '#domain/video/job-id.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerName, Customers } from '#ports/customers.ts'
import type { SinkListing } from '#ports/event-sinks.ts'
import type { JobQueue, JobReads, RunningVideo, WorkerJobs } from '#ports/job-reads.ts'
import type { MailListing } from '#ports/mail-outbox.ts'
import type { Endpoint } from '../endpoint.ts'
import { jobsSchema } from './jobs-schema.ts'

const listedMax = 50

interface JobsEndpointDeps {
  readonly jobs: JobReads
  readonly customers: Pick<Customers, 'nameWallets'>
}

/** What the workers have to do, and what failed. */
export function jobsEndpoint({ jobs, customers }: JobsEndpointDeps): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.jobs.read',
    name: 'getJobs',
    method: 'GET',
    paths: ['/api/admin/jobs'],
    summary: 'Get the open work of workers',
    description: `Videos in progress, and webhooks, emails and event sinks that fail: at most ${listedMax} of each.`,
    reply: { status: 200, description: 'Counts by state, the oldest, and what failed.', schema: jobsSchema },
    handle: async () => {
      const found = await jobs.read(listedMax)
      const walletIds = [...found.runningVideos, ...found.failedWebhooks].map(({ walletId }) => walletId)
      return { body: { data: render(found, await customers.nameWallets(walletIds)) } }
    },
  }
}

type Names = ReadonlyMap<Uuid, CustomerName>

function render(found: WorkerJobs, names: Names): JsonObject {
  return {
    videos: renderQueue(found.videos),
    webhooks: renderQueue(found.webhooks),
    mails: renderQueue(found.mails),
    running_videos: found.runningVideos.map((video) => renderVideo(video, names)),
    failed_webhooks: found.failedWebhooks.map((webhook) => renderWebhook(webhook, names)),
    failed_mails: found.failedMails.map(renderMail),
    sinks: found.sinks.map(renderSink),
  }
}

function renderQueue({ states, oldestAtMs }: JobQueue): JsonObject {
  return { states: states.map((each) => ({ ...each })), oldest_at: momentOf(oldestAtMs) }
}

function renderVideo({ id, walletId, model, state, ...video }: RunningVideo, names: Names): JsonObject {
  return {
    id: publicJobId(id),
    customer: customerOf(walletId, names),
    model,
    state,
    created_at: momentOf(video.createdAtMs),
    deadline_at: momentOf(video.deadlineAtMs),
    last_error: video.lastError,
  }
}

function renderWebhook(webhook: WorkerJobs['failedWebhooks'][number], names: Names): JsonObject {
  const { id, walletId, jobId, url, tries } = webhook
  return {
    id,
    customer: customerOf(walletId, names),
    job: jobId === null ? null : publicJobId(jobId),
    url,
    tries,
    created_at: momentOf(webhook.createdAtMs),
    next_try_at: momentOf(webhook.dueAtMs),
    last_error: webhook.lastError,
  }
}

function renderMail({ id, class: mailClass, to, subject, attempts, ...mail }: MailListing): JsonObject {
  return {
    id,
    class: mailClass,
    to,
    subject,
    attempts,
    created_at: momentOf(mail.createdAtMs),
    next_attempt_at: momentOf(mail.dueAtMs),
    last_error: mail.lastError,
  }
}

function renderSink({ name, waiting, isMore, ...sink }: SinkListing): JsonObject {
  return {
    name,
    waiting,
    waiting_is_more: isMore,
    waiting_since: momentOf(sink.waitingSinceMs),
    last_sent_at: momentOf(sink.sentAtMs),
    failing_since: momentOf(sink.failingSinceMs),
    next_try_at: momentOf(sink.dueAtMs),
    last_error: sink.lastError,
  }
}

function customerOf(walletId: Uuid, names: Names): JsonObject | null {
  const customer = names.get(walletId)
  return customer === undefined ? null : { kind: customer.kind, id: customer.id, name: customer.name }
}

function momentOf(unixMs: number | null): string | null {
  return unixMs === null ? null : new Date(unixMs).toISOString()
}
