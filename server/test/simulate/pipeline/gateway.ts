import { createHoldExtender, type HoldExtender } from '#pipeline/hold/extend-hold.ts'
import { createHold, type HoldStage } from '#pipeline/hold/hold.ts'
import { createLeaseKeeper } from '#pipeline/hold/lease-keeper.ts'
import { recordOf } from '#pipeline/settle/record/record.ts'
import { createSettle, type SettleStage } from '#pipeline/settle/settle.ts'
import { isDataFault } from '#store/postgres/faults.ts'
import { createPostgresMoney, settleDistinct } from '#store/postgres/money/postgres-money.ts'
import { createSettleSpool } from '#store/spool/settle-spool.ts'
import type { Process } from '../machine/process.ts'
import { simulatedRoot } from '../machine/take-over.ts'
import type { Wire } from '../wire.ts'

export const leaseMs = 6_000
export const sweepEveryMs = 3_000
export const spoolFolder = `${simulatedRoot}/spool`
const replayEveryMs = 1_500

export interface Gateway {
  readonly process: Process
  readonly hold: HoldStage
  readonly settle: SettleStage
  readonly extender: HoldExtender
}

/** The money parts of a gateway, wired like `bin/wiring`, on a simulated process with a wire to the store. */
export function startGateway(process: Process, wire: Wire, trace: (line: string) => void): Gateway {
  const settlePool = wire.poolOf(process, { isDurable: true })
  const spool = createSettleSpool({
    folder: spoolFolder,
    settle: (entries) => settleDistinct(settlePool, entries),
    isFinal: isDataFault,
    onRejected: (line) => trace(`${process.name}: a spooled line of ${line.length} characters is set aside`),
  })
  const money = createPostgresMoney({
    holdPool: wire.poolOf(process, { isDurable: false }),
    settlePool,
    spool,
    leaseMs,
    holdDeadlineMs: 500,
    settleDeadlineMs: 800,
    onSpooled: () => trace(`${process.name}: a settle goes to the spool`),
  })
  const leases = createLeaseKeeper({ money, leaseMs, onError: () => {} })
  setInterval(() => {
    spool.replay().then(
      (count) => count > 0 && trace(`${process.name}: ${count} replayed spooled settlements`),
      () => trace(`${process.name}: the spool can't be replayed yet`),
    )
    // allowed: a simulated process has virtual timers.
  }, replayEveryMs)
  return {
    process,
    hold: createHold({ money, leases, trips: { report: () => {} }, creditsUrl: null }),
    settle: createSettle({
      money,
      release: (ticket) => leases.release(ticket.arrival.generationId),
      record: (ticket, judged) => recordOf(ticket, judged, process.nowMs),
      report: () => {},
      onError: () => {},
    }),
    extender: createHoldExtender({ money, onError: () => {} }),
  }
}
