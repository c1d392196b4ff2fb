/** A line without axes, for a tile. What it shows is said in words by `label`. */
export function Sparkline({
  values,
  label,
  width = 120,
  height = 28,
}: {
  readonly values: readonly number[]
  readonly label: string
  readonly width?: number
  readonly height?: number
}) {
  const highest = Math.max(...values, 0)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const points = values.map((value, index) => {
    const y = highest === 0 ? height - 1 : height - 1 - (value / highest) * (height - 2)
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="text-accent"
    >
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}
