/**
 * Counters and histograms with labels, in the form that a `prom-client` registry prints. A request finds its series
 * with a few lookups, while the library builds and hashes a string for each value.
 */
type Labels<Name extends string> = Readonly<Record<Name, string>>

interface SeriesOptions<Name extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Name[]
}

/** The existing series, by their label values. */
class Children<Name extends string, Child> {
  readonly #names: readonly Name[]
  readonly #make: () => Child
  readonly #root: Branch = new Map()
  readonly all: { readonly labels: Labels<Name>; readonly child: Child }[] = []

  constructor(names: readonly Name[], make: () => Child) {
    this.#names = names
    this.#make = make
  }

  of(labels: Labels<Name>): Child {
    let branch = this.#root
    for (const name of this.#names) {
      const value = labels[name]
      let next = branch.get(value)
      if (next === undefined) {
        next = new Map()
        branch.set(value, next)
      }
      branch = next
    }
    // Only this class writes there, and only children that it has created.
    const known = branch.get(leaf) as Child | undefined
    return known ?? this.#add(branch, labels)
  }

  #add(branch: Branch, labels: Labels<Name>): Child {
    const child = this.#make()
    branch.set(leaf, child as Branch)
    this.all.push({ labels: { ...labels }, child })
    return child
  }
}

type Branch = Map<string | symbol, Branch>
const leaf = Symbol('leaf')

export class CounterSeries<Name extends string> {
  readonly name: string
  readonly #help: string
  readonly #children: Children<Name, { value: number }>

  constructor({ name, help, labelNames }: SeriesOptions<Name>) {
    this.name = name
    this.#help = help
    this.#children = new Children(labelNames, () => ({ value: 0 }))
  }

  inc(labels: Labels<Name>, by = 1): void {
    this.#children.of(labels).value += by
  }

  async get() {
    const values = this.#children.all.map(({ labels, child }) => ({ labels, value: child.value }))
    return { name: this.name, help: this.#help, type: 'counter' as const, aggregator: 'sum' as const, values }
  }
}

/** A request behind a metric value, by its trace. */
export interface Exemplar {
  readonly traceId: string
  readonly atMs: number
}

interface Histogram {
  readonly counts: number[]
  /** The last exemplar of each bucket, including the bucket without a bound. */
  readonly exemplars: (ShownExemplar | undefined)[]
  sum: number
  count: number
}

export class HistogramSeries<Name extends string> {
  readonly name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  readonly #children: Children<Name, Histogram>

  constructor(options: SeriesOptions<Name> & { readonly buckets: readonly number[] }) {
    this.name = options.name
    this.#help = options.help
    this.#bounds = options.buckets
    this.#children = new Children(options.labelNames, () => ({
      counts: options.buckets.map(() => 0),
      exemplars: [],
      sum: 0,
      count: 0,
    }))
  }

  observe(labels: Labels<Name>, value: number, exemplar?: Exemplar): void {
    const child = this.#children.of(labels)
    child.sum += value
    child.count += 1
    const at = this.#bounds.findIndex((bound) => value <= bound)
    if (at !== -1) child.counts[at] = (child.counts[at] ?? 0) + 1
    if (exemplar !== undefined) child.exemplars[at === -1 ? this.#bounds.length : at] = shownExemplar(value, exemplar)
  }

  async get() {
    const values = this.#children.all.flatMap(({ labels, child }) => this.#shown(labels, child))
    return { name: this.name, help: this.#help, type: 'histogram' as const, aggregator: 'sum' as const, values }
  }

  #shown(labels: Labels<Name>, { counts, exemplars, sum, count }: Histogram) {
    let below = 0
    const buckets = this.#bounds.map((bound, at) => {
      below += counts[at] ?? 0
      const bucket = { labels: { ...labels, le: String(bound) }, value: below, metricName: `${this.name}_bucket` }
      return withExemplar(bucket, exemplars[at])
    })
    const all = { labels: { ...labels, le: '+Inf' }, value: count, metricName: `${this.name}_bucket` }
    return [
      ...buckets,
      withExemplar(all, exemplars[this.#bounds.length]),
      { labels: { ...labels }, value: sum, metricName: `${this.name}_sum` },
      { labels: { ...labels }, value: count, metricName: `${this.name}_count` },
    ]
  }
}

/** In `prom-client`'s form. */
interface ShownExemplar {
  readonly labelSet: { readonly trace_id: string }
  readonly value: number
  /** In seconds. */
  readonly timestamp: number
}

function shownExemplar(value: number, { traceId, atMs }: Exemplar): ShownExemplar {
  return { labelSet: { trace_id: traceId }, value, timestamp: atMs / 1_000 }
}

function withExemplar<Bucket extends object>(bucket: Bucket, exemplar: ShownExemplar | undefined) {
  return exemplar === undefined ? bucket : { ...bucket, exemplar }
}
