import type { FastifyInstance } from 'fastify'
import type { Config } from '#config/config-schema.ts'
import { networkList } from '#domain/access/network-list.ts'
import type { OperatingDeps } from '#http/operating/operating-routes.ts'
import { createOperatingServer } from '#http/operating/operating-server.ts'
import { judgeGateway } from '#http/operating/readiness.ts'
import type { Admission } from './admission.ts'
import type { Metrics } from './metrics.ts'
import type { WiredOwnKeys } from './own-keys.ts'
import type { Schema } from '../schema.ts'
import type { Snapshots } from './snapshots.ts'

/** How a gateway says how it is doing. */
export function wireOperating(needs: {
  config: Config
  metrics: Metrics
  schema: Schema
  snapshots: Snapshots
  admission: Admission
  ownKeys: WiredOwnKeys
  isDraining: () => boolean
}): { readiness: OperatingDeps['readiness']; server: FastifyInstance } {
  const readiness: OperatingDeps['readiness'] = async () =>
    judgeGateway({
      isDraining: needs.isDraining(),
      schema: await needs.schema.read(),
      snapshots: needs.snapshots.facts(),
      isRedisAway: await needs.admission.isRedisAway(),
      unopenedOwnKeys: needs.ownKeys.unopened,
    })
  const server = createOperatingServer({
    readiness,
    metrics: () => needs.metrics.registry.metrics(),
    mayReadMetrics: networkList(needs.config.metrics.readers).covers,
  })
  return { readiness, server }
}
