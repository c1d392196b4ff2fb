import { quantileOf } from '../figure.ts'
import { type CountedKinds, type Counter, type Counters, counterNames } from './counters.ts'

/** A counter may exceed its record by this share. Bytes vary by about 1 % from run to run. */
const growthMax = 0.03
/** Timers that belong to the process, and not to a request, occur in some runs. */
const noise = 0.1

/** One line for each counter that has grown, and one for each that has shrunk and should be recorded again. */
export function judgeCounters(counted: CountedKinds, recorded: CountedKinds): CounterVerdict {
  const grown: string[] = []
  const shrunk: string[] = []
  for (const [kind, counters] of Object.entries(counted)) {
    for (const name of counterNames) {
      const now = counters[name]
      const before = recorded[kind]?.[name]
      if (before === undefined) grown.push(`${kind} ${name}: ${now}, without a record`)
      else if (now > before * (1 + growthMax) + allowanceOf(name))
        grown.push(`${kind} ${name}: ${now}, at most ${before} and 3 %`)
      else if (now < before * (1 - growthMax) - allowanceOf(name))
        shrunk.push(`${kind} ${name}: ${now}, recorded as ${before}`)
    }
  }
  return { grown, shrunk }
}

function allowanceOf(name: Counter): number {
  return name === 'kb' ? 0 : noise
}

export interface CounterVerdict {
  readonly grown: readonly string[]
  readonly shrunk: readonly string[]
}

/** The least of each counter in two runs. */
export function leastOf(one: CountedKinds, other: CountedKinds): CountedKinds {
  return mapKinds(one, (kind, name) => {
    const own = one[kind]?.[name] ?? 0
    return Math.min(own, other[kind]?.[name] ?? own)
  })
}

/** The median of each counter in several runs. */
export function medianOf(runs: readonly CountedKinds[]): CountedKinds {
  return mapKinds(runs[0] ?? {}, (kind, name) =>
    quantileOf(
      runs.map((run) => run[kind]?.[name] ?? 0),
      0.5,
    ),
  )
}

function mapKinds(kinds: CountedKinds, valueOf: (kind: string, name: Counter) => number): CountedKinds {
  return Object.fromEntries(
    Object.keys(kinds).map((kind) => [
      kind,
      Object.fromEntries(counterNames.map((name) => [name, valueOf(kind, name)])) as Counters,
    ]),
  )
}

/** Columns: the kind, then each counter. */
export function parseRecord(text: string): CountedKinds {
  const [, ...rows] = text.trimEnd().split('\n')
  return Object.fromEntries(
    rows.map((row) => {
      const [kind = '', ...values] = row.split('\t')
      return [kind, countersOf(values)]
    }),
  )
}

export function writeRecord(counted: CountedKinds): string {
  const rows = Object.entries(counted).map(([kind, counters]) =>
    [kind, ...counterNames.map((name) => counters[name])].join('\t'),
  )
  return `${[['kind', ...counterNames].join('\t'), ...rows].join('\n')}\n`
}

function countersOf(values: readonly string[]): Counters {
  return Object.fromEntries(counterNames.map((name, index) => [name, Number(values[index])])) as Counters
}
