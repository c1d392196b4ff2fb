import { killAfterSettle } from './cases/kill-after-settle.ts'
import { killBeforeDispatch } from './cases/kill-before-dispatch.ts'
import { killBeforeSettle } from './cases/kill-before-settle.ts'
import { killMidStream } from './cases/kill-mid-stream.ts'
import { killUnderLoad } from './cases/kill-under-load.ts'
import { redisPartition } from './cases/redis-partition.ts'
import { redisRestart } from './cases/redis-restart.ts'
import type { Drill } from './drill.ts'

/** All drills, in the order in which they run. */
export const drills: readonly Drill[] = [
  killMidStream,
  killBeforeSettle,
  killAfterSettle,
  killBeforeDispatch,
  killUnderLoad,
  redisRestart,
  redisPartition,
]
