import { pino } from 'pino'
import { keepRouting } from '#bin/wiring/routing.ts'
import { wireOutbound } from '#bin/wiring/outbound.ts'
import { wireStorage } from '#bin/wiring/storage.ts'
import { wireVideoWorker } from '#bin/wiring/video-worker.ts'
import { type Outside, realOutside } from '#bin/wiring/outside.ts'
import { workerOutbound } from '#config/outbound-limits.ts'
import { parseConfig } from '#config/parse-config.ts'
import { runVideoJobs } from '#jobs/video/run-video-jobs.ts'
import { runWebhooks } from '#jobs/webhooks/run-webhooks.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { createPools } from '#store/postgres/pools.ts'
import { addModels } from '#test/setup/add-models.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { runParts } from '#test/setup/run-parts.ts'
import type { VideoHostName } from '#test/simulators/media/videos/hosts.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'
import { expect } from 'vitest'

/** A gateway, a worker and a video host, all in this process. */
export interface VideoWorld extends TestGateway {
  upstream: VideoUpstream
  addModels(records: readonly JsonObject[]): Promise<void>
  call(
    caller: { key: string },
    path: string,
    init?: { body?: JsonObject; headers?: Record<string, string> },
  ): Promise<Reply>
  /** Submits, and returns the job's id. */
  submit(caller: { key: string }, body?: JsonObject): Promise<string>
  /** Polls until the job has ended. */
  ended(caller: { key: string }, id: string): Promise<JsonObject>
  /** The worker writes to the gateway's log. */
  startWorker(): Promise<{ stop(): Promise<void> }>
}

/** A model at 0.1 USD per second, with videos of five seconds by default. */
export const plainModel: JsonObject = {
  id: 'acme/film',
  name: 'Film',
  author: 'acme',
  kind: 'video',
  provider: 'luma',
  upstream_model_id: 'ray-3.2',
  input_modalities: ['text', 'image', 'video'],
  output_modalities: ['video'],
  pricing: { per_second_output: '0.1', per_second_video_input: '0.05' },
  video: {
    supported_durations: [5, 9, 10],
    supported_resolutions: ['720p', '1080p'],
    supported_aspect_ratios: ['16:9', '9:16'],
    supported_frame_images: ['first_frame', 'last_frame'],
    generate_audio: false,
    seed: true,
  },
}

export async function startVideoWorld(
  host: VideoHostName = 'luma-agents',
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<VideoWorld> {
  const upstream = await startVideoUpstream(host)
  const settings = {
    WEIR_VIDEO_POLL_EVERY_MS: '30',
    WEIR_VIDEO_LOOK_EVERY_MS: '20',
    WEIR_VIDEO_CLAIM_MS: '1000',
    WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32',
    ...environment,
  }
  const gateway = await startTestGateway(settings, outside)
  const { vendor, baseUrl, key: credential } = upstream
  await gateway.addProvider({ vendor, url: baseUrl, pattern: '*', credential })
  const workers: { stop(): Promise<void> }[] = []
  const world: VideoWorld = {
    ...gateway,
    upstream,
    addModels: (records) => addModels(gateway, records),
    call: (caller, path, { body, headers } = {}) =>
      gateway.as(caller).send(body === undefined ? 'GET' : 'POST', path, body, { headers }),
    submit: async (caller, body = {}) => {
      const reply = await world.call(caller, '/v1/videos', { body: { model: 'acme/film', prompt: 'a weir', ...body } })
      if (reply.status !== 202) throw new Error(`refused: ${reply.text}`)
      return stringAt(reply.json, 'id') ?? ''
    },
    ended: async (caller, id) => {
      const look = async (): Promise<JsonObject> => (await world.call(caller, `/v1/videos/${id}`)).json
      await expect.poll(async () => (await look()).status, { interval: 30 }).toMatch(/completed|failed/)
      return look()
    },
    startWorker: async () => {
      const worker = await startVideoWorker(gateway, settings, outside)
      workers.push(worker)
      return worker
    },
    close: async () => {
      for (const worker of workers) await worker.stop()
      await upstream.close()
      await gateway.close()
    },
  }
  return world
}

/** A worker for the jobs of a gateway, with its own settings. It writes to the gateway's log. */
export async function startVideoWorker(
  { databaseUrl, dataDir, logLines }: Pick<TestGateway, 'databaseUrl' | 'dataDir' | 'logLines'>,
  settings: Record<string, string>,
  outside: Partial<Outside> = {},
): Promise<{ stop(): Promise<void> }> {
  const env = { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: databaseUrl, ...settings, WEIR_DATA_DIR: dataDir }
  const config = parseConfig({ env })
  const logger = pino({ level: 'debug' }, { write: (line: string) => logLines.push(line) })
  const pools = createPools({ url: databaseUrl, poolMax: 4, onError: () => {} })
  const outbound = wireOutbound({ config, outside: { ...realOutside, ...outside }, limits: workerOutbound(config) })
  const storage = wireStorage({ config, logger, outbound })
  const routing = keepRouting(config, pools, logger)
  await routing.follow()
  const { videos, webhooks, close } = wireVideoWorker({ config, logger, pools, routing, storage, outbound })
  const closeAll = async (): Promise<void> => {
    await close()
    await storage.close()
    await pools.close()
  }
  const everyMs = config.video.lookEveryMs
  const parts = [
    { name: 'routing', everyMs: config.revisions.pollMs, run: routing.follow },
    { name: 'videos', everyMs, ...runVideoJobs(videos) },
    { name: 'webhooks', everyMs, ...runWebhooks(webhooks) },
  ]
  return runParts(parts, { close: closeAll })
}
