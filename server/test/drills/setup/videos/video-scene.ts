import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { JsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { type SpawnedVideoUpstream, spawnVideoUpstream } from '#test/simulators/media/videos/spawn-video-upstream.ts'
import { type AnswerCall, startWebhookReceiver, takeCall, type WebhookReceiver } from '#test/videos/webhook-receiver.ts'
import type { World } from '../world.ts'

/** Two video providers, one that can be queried for a lost order and one that cannot, and a webhook receiver. */
export interface VideoScene {
  readonly hosts: Readonly<Record<VideoModel, SpawnedVideoUpstream>>
  readonly receiver: WebhookReceiver
  /** The environment of every gateway and worker. */
  readonly env: Record<string, string>
}

/** Whether the provider stores our name of an order. */
export type VideoModel = 'acme/findable' | 'acme/unfindable'
export const videoModels: readonly VideoModel[] = ['acme/findable', 'acme/unfindable']

export async function startVideoScene(world: World, answer: AnswerCall = takeCall): Promise<VideoScene> {
  const [kling, luma, receiver, blobs] = await Promise.all([
    spawnVideoUpstream('kling'),
    spawnVideoUpstream('luma-agents'),
    startWebhookReceiver(answer),
    mkdtemp(join(tmpdir(), 'videos-')),
  ])
  world.defer(async () => void (await Promise.all([kling.kill(), luma.kill(), receiver.close()])))
  const parsed = parseCatalogueFile([
    record('acme/findable', 'kling', 'kling-v3'),
    record('acme/unfindable', 'luma', 'ray-3.2'),
  ])
  if (!parsed.accepted) throw new Error(`refused: ${JSON.stringify(parsed.problems)}`)
  await createCatalogueStore(world.pool).import(parsed.rows, Date.now())
  for (const [pattern, host] of [['acme/findable', kling] as const, ['acme/unfindable', luma] as const]) {
    await world.addProvider({ vendor: host.vendor, url: host.baseUrl, pattern, credential: host.key })
  }
  return {
    hosts: { 'acme/findable': kling, 'acme/unfindable': luma },
    receiver,
    env: {
      WEIR_BLOBS_FOLDER: blobs,
      WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32',
      WEIR_VIDEO_POLL_EVERY_MS: '500',
      WEIR_VIDEO_LOOK_EVERY_MS: '50',
      WEIR_WEBHOOKS_PAUSE_MS: '200',
      WEIR_WEBHOOKS_TIMEOUT_MS: '1000',
    },
  }
}

function record(id: VideoModel, provider: string, upstreamModel: string): JsonObject {
  return {
    id,
    name: id,
    author: 'acme',
    kind: 'video',
    provider,
    upstream_model_id: upstreamModel,
    input_modalities: ['text'],
    output_modalities: ['video'],
    pricing: { per_second_output: '0.1' },
    video: { supported_durations: [5, 10], supported_aspect_ratios: ['16:9'] },
  }
}
