import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { batchPaths } from '#control/batches/create-batch.ts'
import { batchEndpoints } from '#http/batches/batch-endpoints.ts'
import { messageBatchEndpoints } from '#http/batches/message-batch-endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { fileEndpoints } from '#http/files/file-endpoints.ts'
import { batchPart } from '#jobs/batches/run-batches.ts'
import { superviseLater, type LaterSupervisor } from '#jobs/supervise-later.ts'
import { logFault } from '#lib/log-fault.ts'
import type { Pipeline } from '#pipeline/create-pipeline.ts'
import type { Stages } from '#pipeline/run.ts'
import { createWorstCase } from '#pipeline/worst-case.ts'
import type { Files } from '#ports/files.ts'
import { createBatches, createBatchQueue } from '#store/postgres/batches/postgres-batches.ts'
import { createFiles } from '#store/postgres/files/postgres-files.ts'
import { createKeyLimitReads } from '#store/postgres/keys/key-limits.sql.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { inferenceEndpoints } from './endpoints.ts'
import type { Outside } from './outside.ts'
import type { WiredStorage } from './storage.ts'

interface BatchDeps {
  config: Config
  logger: Logger
  pools: Pick<PostgresPools, 'general'>
  storage: Pick<WiredStorage, 'blobs'>
  stages: Stages
  quoting: Pipeline['quoting']
  outside: Pick<Outside, 'nowMs' | 'timers'>
}

export interface WiredBatches {
  endpoints: Endpoint[]
  /** Runs batches in this gateway, from its start on. */
  running: LaterSupervisor
}

const dayMs = 86_400_000

/** Files and batches: the endpoints, and the part of this gateway that runs batches. */
export function wireBatches(deps: BatchDeps): WiredBatches {
  const { config, pools, storage } = deps
  const sealingKey = sealingKeyOf(config)
  const { bytesMax, countMax, walletBytesMax } = config.files
  const retentionMs = config.files.retentionDays * dayMs
  const max = { countMax, bytesMax: walletBytesMax }
  const files = createFiles({ pool: pools.general, blobs: storage.blobs, sealingKey, max })
  const batches = createBatches(pools.general, sealingKey)
  const creation = { files, batches, openMax: config.batches.openMax, linesMax: config.batches.linesMax }
  return {
    endpoints: [
      ...fileEndpoints({ files, bytesMax, retentionMs }),
      ...batchEndpoints(creation),
      ...messageBatchEndpoints(creation),
    ],
    running: wireRunner(deps, { files, retentionMs }),
  }
}

function wireRunner(
  { config, logger, pools, stages, quoting, outside }: BatchDeps,
  { files, retentionMs }: { files: Files; retentionMs: number },
): LaterSupervisor {
  const { atOnce, linesAtOnce, linesMax, leaseMs, lookEveryMs, turnMs } = config.batches
  const fault = logFault(logger, 'failed to advance a batch', { level: 'warn', overAfterMs: 60_000 })
  const part = batchPart({
    queue: createBatchQueue({ pool: pools.general, sealingKey: sealingKeyOf(config), leaseMs }),
    files,
    keys: createKeyLimitReads(pools.general),
    endpoints: lineEndpoints,
    worstCase: createWorstCase(quoting),
    stages,
    atOnce,
    linesAtOnce,
    linesMax,
    lineBytesMax: config.bodies.conversationBytesMax,
    leaseMs,
    lookEveryMs,
    turnMs,
    retentionMs,
    ownUrl: config.http.publicUrl,
    nowMs: outside.nowMs,
    elapsedMs: outside.timers.nowMs,
    onError: fault.failed,
  })
  return superviseLater({
    parts: [part],
    watch: (name) => logFault(logger, `gateway task "${name}" failed`),
    nowMs: outside.nowMs,
  })
}

/** The endpoints that lines of batches are sent to. */
const lineEndpoints = [...batchPaths, '/v1/messages'].flatMap((path) =>
  inferenceEndpoints
    .filter(({ paths }) => paths.includes(path))
    .map(({ dialect, access }) => ({ path, dialect, access })),
)
