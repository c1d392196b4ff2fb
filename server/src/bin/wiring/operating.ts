import type { FastifyInstance } from 'fastify'
import type { Config } from '#config/config-schema.ts'
import { networkList } from '#domain/access/network-list.ts'
import type { OperatingDeps } from '#http/operating/operating-routes.ts'
import { createOperatingServer } from '#http/operating/operating-server.ts'
import { judgeGateway } from '#http/operating/readiness.ts'
import type { Admission } from './admission.ts'
import { watchDisk } from './disk-metrics.ts'
import type { Metrics } from './metrics.ts'
import type { WiredOwnKeys } from './own-keys.ts'
import type { Schema } from '../schema.ts'
import type { Snapshots } from './snapshots.ts'

/** The health and metrics endpoints of a gateway. */
export function wireOperating(deps: {
  config: Config
  metrics: Metrics
  schema: Schema
  snapshots: Snapshots
  admission: Admission
  ownKeys: WiredOwnKeys
  /** Changes while the gateway runs. */
  phase: { readonly isStarting: boolean; readonly isDraining: boolean }
}): { readiness: OperatingDeps['readiness']; server: FastifyInstance } {
  watchDisk(deps.metrics, deps.config.dataDir)
  const readiness: OperatingDeps['readiness'] = async () =>
    judgeGateway({
      ...deps.phase,
      schema: await deps.schema.read(),
      snapshots: deps.snapshots.facts(),
      isRedisAway: await deps.admission.isRedisAway(),
      unopenedOwnKeys: deps.ownKeys.unopened,
    })
  const server = createOperatingServer({
    readiness,
    figures: deps.metrics.figures,
    mayReadMetrics: networkList(deps.config.metrics.readers).covers,
  })
  return { readiness, server }
}
