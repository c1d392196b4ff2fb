/** Reads the sums of a metering system in a time range, by customer, in billionths of a dollar. */
export type ReadMeterSums = (span: MeterSpan, customers: readonly string[]) => Promise<ReadonlyMap<string, bigint>>

export interface MeterSpan {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}
