import type { Log } from '#lib/log.ts'
import type { Money, SettledCharge } from '#ports/money.ts'
import type { Judged, Ticket } from '../types.ts'
import { createRecord, type NoteSample } from './record/record.ts'
import { createReport, type ReportDeps } from './record/report.ts'
import { createSettle, type SettleStage } from './settle.ts'

export interface SettlePorts {
  readonly money: Money
  readonly measurements: { readonly note: NoteSample }
  readonly log: Log
  readonly metrics: ReportDeps['metrics']
  readonly nowMs: () => number
}

/** Callbacks from settle to the stages around it. */
interface SettleNeighbours {
  readonly noteSettled: (ticket: Ticket, judged: Judged, settled: SettledCharge) => void
  readonly release: (ticket: Ticket) => void
}

/** The settle stage, with the record that is part of its transaction and the report that follows it. */
export function composeSettle(ports: SettlePorts, { noteSettled, release }: SettleNeighbours): SettleStage {
  const { money, measurements, log, metrics, nowMs } = ports
  const report = createReport({
    log: log.isLevelEnabled('info') ? (event) => log.info(event, 'generation') : null,
    alarm: (event, message) => log.error(event, message),
    metrics,
    nowMs,
  })
  return createSettle({
    money,
    release,
    record: createRecord({ note: measurements.note, nowMs }),
    report: (ticket, judged, settled) => {
      noteSettled(ticket, judged, settled)
      report(ticket, judged, settled)
    },
    onError: (error) => log.warn({ err: error }, 'failed to raise a hold to the final cost'),
  })
}
