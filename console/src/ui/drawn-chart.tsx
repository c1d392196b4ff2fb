import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { ChartPoint, ChartProps, Series } from './chart-props.ts'

const colours: readonly string[] = [
  'var(--chart-1)',
  'var(--chart-2)',
  'var(--chart-3)',
  'var(--chart-4)',
  'var(--chart-5)',
]

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
const axis = { stroke: 'var(--line-strong)', tick: { fill: 'var(--muted)', fontSize: 12 }, tickLine: false }

/** Loaded on demand by `chart.tsx`. */
export default function DrawnChart({ kind, series, points, height, axisPrefix = '' }: ChartProps) {
  const data = points.map((point) => ({ label: point.label, ...point.heights }))
  const Frame = kind === 'bars' ? BarChart : LineChart
  return (
    <ResponsiveContainer width="100%" height={height ?? 240}>
      <Frame data={data} margin={{ top: 4, right: 4, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="label" {...axis} axisLine={false} minTickGap={24} />
        <YAxis
          {...axis}
          axisLine={false}
          width="auto"
          tickFormatter={(value) => `${axisPrefix}${count.format(Number(value))}`}
        />
        <Tooltip
          cursor={{ fill: 'var(--raised)', stroke: 'var(--line-strong)' }}
          isAnimationActive={false}
          content={({ label }) => <Hover point={points.find((point) => point.label === label)} series={series} />}
        />
        {series.map(({ id, label }, index) =>
          kind === 'bars' ? (
            <Bar
              key={id}
              dataKey={id}
              name={label}
              stackId="all"
              fill={colourOf(index)}
              isAnimationActive={false}
              maxBarSize={28}
            />
          ) : (
            <Line
              key={id}
              dataKey={id}
              name={label}
              stroke={colourOf(index)}
              dot={false}
              strokeWidth={1.75}
              isAnimationActive={false}
            />
          ),
        )}
      </Frame>
    </ResponsiveContainer>
  )
}

function Hover({ point, series }: { readonly point: ChartPoint | undefined; readonly series: readonly Series[] }) {
  if (point === undefined) return null
  return (
    <div className="figures rounded-md border border-line bg-surface px-3 py-2 text-xs shadow-float">
      <div className="mb-1 text-muted">{point.label}</div>
      {series.map(({ id, label }) => (
        <div key={id} className="flex justify-between gap-4">
          <span>{label}</span>
          <span className="font-medium">{point.words[id] ?? '–'}</span>
        </div>
      ))}
    </div>
  )
}

function colourOf(index: number): string {
  return colours[index % colours.length] ?? 'var(--chart-1)'
}
