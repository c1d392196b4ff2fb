export interface Series {
  readonly id: string
  readonly label: string
}

export interface ChartPoint {
  /** The label on the axis. */
  readonly label: string
  /** Bar heights by series, as plain numbers. They are drawn but never shown as text. */
  readonly heights: Readonly<Record<string, number>>
  /** The exact text of each series, for the tooltip and the table. */
  readonly words: Readonly<Record<string, string>>
}

export interface ChartProps {
  readonly kind: 'bars' | 'line'
  readonly label: string
  readonly series: readonly Series[]
  readonly points: readonly ChartPoint[]
  readonly height?: number
  /** Prefix of the axis figures, such as `$`. */
  readonly axisPrefix?: string
  /** Heading of the table's first column. Times are UTC unless it says otherwise. */
  readonly timeLabel?: string
}
