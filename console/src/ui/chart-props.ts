export interface Series {
  readonly id: string
  readonly label: string
}

export interface ChartPoint {
  /** What the axis shows. */
  readonly label: string
  /** Heights by series, as plain numbers: they draw and are never shown. */
  readonly heights: Readonly<Record<string, number>>
  /** The exact words of each series, for the hover and the table. */
  readonly words: Readonly<Record<string, string>>
}

export interface ChartProps {
  readonly kind: 'bars' | 'line'
  readonly label: string
  readonly series: readonly Series[]
  readonly points: readonly ChartPoint[]
  readonly height?: number
  /** Before the figures of the axis, such as `$`. */
  readonly axisPrefix?: string
  /** What the first column of the table is; times are UTC unless it says otherwise. */
  readonly timeLabel?: string
}
