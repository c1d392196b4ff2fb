import type { Config } from '#config/config-schema.ts'
import { createLookIntoOrder } from '#control/videos/look-into-order.ts'
import { alertEndpoints } from '#http/alerts/alert-endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { InferenceDeps } from '#http/inference/serve-inference.ts'
import { videoEndpoints } from '#http/videos/video-endpoints.ts'
import { webhookDeliveryEndpoints } from '#http/webhooks/webhook-delivery-endpoints.ts'
import { webhookSecretEndpoints } from '#http/webhooks/webhook-secret-endpoints.ts'
import { createVideoProbe } from '#net/probe-video.ts'
import type { VideoJobs } from '#ports/videos.ts'
import { createAlerts } from '#store/postgres/alerts/postgres-alerts.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createVideoJobs } from '#store/postgres/videos/video-job-store.ts'
import { createWebhookLists } from '#store/postgres/videos/webhook-lists.ts'
import { createWebhookSecrets } from '#store/postgres/videos/webhook-secrets.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { WiredStorage } from './storage.ts'

export interface WiredVideos {
  lookInto: InferenceDeps['lookInto']
  endpoints: Endpoint[]
  jobs: VideoJobs
}

/**
 * The gateway's side of videos and webhooks: accepts orders, shows jobs and stores alert settings. Workers do the rest.
 */
export function wireVideos({
  config,
  pools,
  storage,
}: {
  config: Config
  pools: PostgresPools
  storage: WiredStorage
}): WiredVideos {
  const sealingKey = sealingKeyOf(config)
  const memberships = createMemberships(pools.general)
  const jobs = createVideoJobs(pools.general, sealingKey)
  return {
    lookInto: createLookIntoOrder({ egress: storage.egress, probe: createVideoProbe(storage.remote) }),
    endpoints: [
      ...videoEndpoints({ jobs, memberships, blobs: storage.blobs }),
      ...webhookDeliveryEndpoints({ lists: createWebhookLists(pools.general), jobs, memberships }),
      ...webhookSecretEndpoints({
        secrets: createWebhookSecrets(pools.general),
        memberships,
        sealingKey,
      }),
      ...alertEndpoints({ alerts: createAlerts(pools.general), egress: storage.egress, memberships }),
    ],
    jobs,
  }
}
