import { alerts } from './cases/alerts.ts'
import { background } from './cases/background.ts'
import { backendsTerminated } from './cases/backends-terminated.ts'
import { batches } from './cases/batches.ts'
import { cache } from './cases/cache.ts'
import { cappedOrganizations } from './cases/capped-organizations.ts'
import { clientGone } from './cases/client-gone.ts'
import { commitUnknown } from './cases/commit-unknown.ts'
import { customers } from './cases/customers.ts'
import { diskFull } from './cases/disk-full.ts'
import { failover } from './cases/failover.ts'
import { rollupKilled } from './cases/rollup-killed.ts'
import { hedging } from './cases/hedging.ts'
import { killAfterSettle } from './cases/kill-after-settle.ts'
import { killAfterSpool } from './cases/kill-after-spool.ts'
import { killBeforeDispatch } from './cases/kill-before-dispatch.ts'
import { killBeforeSettle } from './cases/kill-before-settle.ts'
import { killMidStream } from './cases/kill-mid-stream.ts'
import { killUnderLoad } from './cases/kill-under-load.ts'
import { manyEdits } from './cases/many-edits.ts'
import { mediaFaults } from './cases/media-faults.ts'
import { mediaGone } from './cases/media-gone.ts'
import { mediaKills } from './cases/media-kills.ts'
import { monthEdge } from './cases/month-edge.ts'
import { moneyForTen } from './cases/money-for-ten.ts'
import { paymentsOrders, paymentsWebhooks, paymentsWorker } from './cases/payments.ts'
import { paymentsAuto } from './cases/payments-auto.ts'
import { postgresRestart } from './cases/postgres-restart.ts'
import { postgresSlow } from './cases/postgres-slow.ts'
import { providerChanged } from './cases/provider-changed.ts'
import { provisioning } from './cases/provisioning.ts'
import { realtime } from './cases/realtime.ts'
import { redisPartition } from './cases/redis-partition.ts'
import { redisRestart } from './cases/redis-restart.ts'
import { refusals } from './cases/refusals.ts'
import { retries } from './cases/retries.ts'
import { restore } from './cases/restore.ts'
import { runs } from './cases/runs.ts'
import { rollingDeploy } from './cases/rolling-deploy.ts'
import { shiftedClock } from './cases/shifted-clock.ts'
import { slowReader } from './cases/slow-reader.ts'
import { transactionsCut } from './cases/transactions-cut.ts'
import { upgrade } from './cases/upgrade.ts'
import { upstreamFailover } from './cases/upstream-failover.ts'
import { upstreamFailoverUnderLoad } from './cases/upstream-failover-under-load.ts'
import { upstreamFaults } from './cases/upstream-faults.ts'
import { upstreamUnreachable } from './cases/upstream-unreachable.ts'
import { videoAcceptKilled } from './cases/video-accept-killed.ts'
import { videoJobs } from './cases/video-jobs.ts'
import { videoSubmitKilled } from './cases/video-submit-killed.ts'
import { watchers } from './cases/watchers.ts'
import type { Drill } from './drill.ts'

/** All drills, in the order of their runs. */
export const drills: readonly Drill[] = [
  killMidStream,
  killBeforeSettle,
  killAfterSettle,
  killBeforeDispatch,
  killAfterSpool,
  killUnderLoad,
  realtime,
  retries,
  background,
  cache,
  batches,
  redisRestart,
  redisPartition,
  postgresRestart,
  postgresSlow,
  diskFull,
  backendsTerminated,
  commitUnknown,
  transactionsCut,
  upstreamFaults,
  upstreamUnreachable,
  clientGone,
  slowReader,
  mediaKills,
  mediaFaults,
  mediaGone,
  manyEdits,
  moneyForTen,
  cappedOrganizations,
  runs,
  customers,
  provisioning,
  refusals,
  watchers,
  rollingDeploy,
  rollupKilled,
  upstreamFailover,
  upstreamFailoverUnderLoad,
  hedging,
  providerChanged,
  shiftedClock,
  monthEdge,
  videoAcceptKilled,
  videoSubmitKilled,
  videoJobs,
  paymentsOrders,
  paymentsWebhooks,
  paymentsWorker,
  paymentsAuto,
  failover,
  restore,
  upgrade,
  alerts,
]
