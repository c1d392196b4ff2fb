import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createImageSource } from '#control/media/image-source.ts'
import { authorized, createConverse } from '#jobs/video/converse.ts'
import { createFetchOutput } from '#jobs/video/fetch-output.ts'
import { jobHostOf } from '#jobs/video/host-of.ts'
import type { VideoRunnerDeps } from '#jobs/video/run-video-jobs.ts'
import type { StepDeps } from '#jobs/video/step-job.ts'
import { createStoreOutputs } from '#jobs/video/store-outputs.ts'
import type { WebhookRunnerDeps } from '#jobs/webhooks/run-webhooks.ts'
import { chooseUpstreams } from '#net/choose-upstreams.ts'
import { downloadHop } from '#net/download-hop.ts'
import { createOutbound } from '#net/outbound.ts'
import { createPlayedUpstream } from '#net/played-upstream.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import { createWebhookSender } from '#net/webhook-sender.ts'
import type { TemporaryFolders } from '#ports/media.ts'
import type { AuthorizeRequest, Upstreams } from '#ports/upstream.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createVideoJobQueue } from '#store/postgres/videos/video-job-store.ts'
import { createWebhookQueue } from '#store/postgres/videos/webhook-queue.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { logFault } from '#lib/log-fault.ts'
import { wireAuthorize } from './authorize.ts'
import type { WiredOutbound } from './outbound.ts'
import type { KeptRouting } from './routing.ts'
import type { WiredStorage } from './storage.ts'

const answerBytesMax = 64 * 1_024 * 1_024
const videoBytesMax = 2 * 1_024 * 1_024 * 1_024
const videoTimeoutMs = 300_000
const dayMs = 86_400_000

interface VideoWorkerDeps {
  config: Config
  logger: Logger
  pools: PostgresPools
  routing: Pick<KeptRouting, 'current' | 'isLoaded'>
  storage: WiredStorage
  outbound: WiredOutbound
}

interface WiredVideoWorker {
  readonly videos: VideoRunnerDeps
  readonly webhooks: WebhookRunnerDeps
  /** Called after both parts have ended. */
  close(): Promise<void>
}

/** The worker's side of videos: runs jobs and delivers webhooks. */
export function wireVideoWorker(deps: VideoWorkerDeps): WiredVideoWorker {
  const { config, logger, pools, storage, outbound } = deps
  const { connectTimeoutMs } = config.upstream
  const network = createUpstreamClient({ connectTimeoutMs, connectionsMax: 512, lookup: outbound.lookup })
  // Jobs never use an organization's own key, so nothing here connects to a host that an account chose.
  const upstreams = chooseUpstreams({ network, guarded: storage.guarded, played: createPlayedUpstream() })
  const limits = { connectTimeoutMs, headersTimeoutMs: videoTimeoutMs, bodyTimeoutMs: videoTimeoutMs }
  const authorize = wireAuthorize({ config, logger, network, nowMs: Date.now })
  const converse = converseOver(upstreams, authorize, deps)
  const steps: Omit<StepDeps, 'beginSubmit' | 'isSettled'> = {
    hostOf: (candidate, model) => jobHostOf(deps.routing.current(), candidate, model, Date.now()),
    converse,
    store: createStoreOutputs({
      blobs: storage.blobs,
      fetch: createFetchOutput({
        remote: storage.remote,
        askWithKey: async (request, host, to) =>
          downloadHop(upstreams, await authorized({ ...request, ...limits }, host, authorize), to),
        converse,
        bytesMax: videoBytesMax,
        timeoutMs: videoTimeoutMs,
      }),
    }),
    nowMs: Date.now,
  }
  const moving = logFault(logger, 'failed to advance a video job', { level: 'warn', overAfterMs: 60_000 })
  const videos: VideoRunnerDeps = {
    queue: createVideoJobQueue(pools.general, sealingKeyOf(config)),
    steps,
    atOnce: config.video.atOnce,
    claimMs: config.video.claimMs,
    rhythmMs: config.video.pollEveryMs,
    keepMs: config.video.keepDays * dayMs,
    onMoved: (job, to) => logger.info({ job: job.id, model: job.model, to }, 'video job advanced'),
    canAsk: () => deps.routing.isLoaded,
    nowMs: Date.now,
    onError: moving.failed,
  }
  const { timeoutMs, pauseMs, atOnce } = config.webhooks
  const calling = logFault(logger, 'failed to record a webhook delivery', { level: 'warn', overAfterMs: 60_000 })
  // Separate from downloads, which may take longer than a webhook's lease.
  const calls = createOutbound({ ...outbound.limits, atOnceMax: atOnce })
  const webhooks: WebhookRunnerDeps = {
    queue: createWebhookQueue(pools.general, sealingKeyOf(config)),
    client: createWebhookSender({ upstreams: storage.guarded, outbound: calls, timeoutMs }),
    timeoutMs,
    pauseMs,
    atOnce,
    perAccountMax: outbound.limits.perAccountMax,
    busyAccounts: () => calls.busyAccounts,
    onFailed: ({ id }, error) => logger.info({ webhook: id, error }, 'webhook delivery failed'),
    onError: calling.failed,
    nowMs: Date.now,
  }
  return { videos, webhooks, close: () => network.close() }
}

function converseOver(
  upstreams: Upstreams,
  authorize: AuthorizeRequest,
  { config, storage }: VideoWorkerDeps,
): StepDeps['converse'] {
  const { connectTimeoutMs } = config.upstream
  const { answerTimeoutMs } = config.video
  const images = createImageSource({ remote: storage.remote, folders })
  return createConverse({ upstreams, authorize, images, connectTimeoutMs, answerTimeoutMs, answerBytesMax, wait })
}

/** Temporary storage for images while they are uploaded. */
const folders: TemporaryFolders = {
  make: () => mkdtemp(join(tmpdir(), 'weir-frame-')),
  remove: (folder) => rm(folder, { recursive: true, force: true }),
}
