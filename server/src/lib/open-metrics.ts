/** A metric as `prom-client` returns it. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values?: readonly MetricValue[]
}

interface MetricValue {
  readonly value: number
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly exemplar?: MetricExemplar | null
}

interface MetricExemplar {
  readonly labelSet: Readonly<Record<string, string | number | undefined>>
  readonly value: number
  readonly timestamp?: number
}

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/**
 * Metrics in OpenMetrics text format, which supports exemplars. `prom-client` can write it too, but then renames its
 * counters permanently, and the usual format would have the wrong names.
 */
export function openMetrics(families: readonly MetricFamily[]): string {
  const names = new Set(families.map(({ name }) => name))
  return `${families.map((family) => familyText(family, names)).join('')}# EOF\n`
}

const totalForm = /_total$/

function familyText(family: MetricFamily, names: ReadonlySet<string>): string {
  const { name, type } = nameOf(family, names)
  const lines = (family.values ?? []).map(
    ({ metricName = family.name, labels, value, exemplar }) =>
      `${metricName}${labelsText(labels, '')} ${numberText(value)}${exemplarText(exemplar)}\n`,
  )
  return `# HELP ${name} ${escaped(family.help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

/** A counter is named without `_total`. If another metric already has that name, it is written with an unknown type. */
function nameOf({ name, type }: MetricFamily, names: ReadonlySet<string>): { name: string; type: string } {
  if (type !== 'counter') return { name, type }
  const short = name.replace(totalForm, '')
  return short === name || names.has(short) ? { name, type: 'unknown' } : { name: short, type }
}

function exemplarText(exemplar: MetricValue['exemplar']): string {
  if (exemplar === undefined || exemplar === null) return ''
  const { labelSet, value, timestamp } = exemplar
  return ` # ${labelsText(labelSet, '{}')} ${numberText(value)}${timestamp === undefined ? '' : ` ${timestamp}`}`
}

function labelsText(labels: MetricValue['labels'], none: string): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value ?? ''))}"`)
  return pairs.length === 0 ? none : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}
