/** What all processes have measured together. Losing it costs nothing but a few minutes of knowledge. */
export interface SharedMeasurements {
  add(counts: readonly MeasuredCount[]): Promise<void>
  /** Everything that was counted in the stretches that begin at these moments. */
  read(startsMs: readonly number[]): Promise<MeasuredCount[]>
}

/** How often a figure of a series fell into a step of its histogram, within one stretch of time. */
export interface MeasuredCount {
  readonly startMs: number
  readonly series: string
  readonly step: number
  readonly count: number
}
