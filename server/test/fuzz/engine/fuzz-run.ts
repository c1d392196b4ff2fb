import { createRandom, seedFor } from '#test/drills/setup/random.ts'
import { type Finding, writeFinding } from '../finding.ts'
import type { FuzzTarget } from '../target.ts'
import type { Coverage } from './coverage.ts'
import { findGrowth } from './find-growth.ts'
import type { Fault, Judge } from './judge-input.ts'
import { minimise } from './minimise.ts'
import { type Matter, mutateBytes } from './mutate-bytes.ts'

interface FuzzRunOptions {
  readonly seed: number
  readonly judge: Judge
  /** The initial inputs of mutations. */
  readonly inputs: readonly Buffer[]
  readonly bytesMax: number
  /** With coverage, inputs that reach new blocks are kept and mutated in turn. */
  readonly coverage?: Coverage
}

export type NotedFinding = Finding & { readonly path: string }

const findingsMax = 8
const passingMax = 3
const repeatsMax = 5
/** Kept inputs are mutated repeatedly, so they stay small. */
const keptBytesMax = 8_192
const batchSizes = { first: 32, most: 2_048 }

/** Mutates inputs and judges the results. */
export class FuzzRun {
  readonly findings: NotedFinding[] = []
  /** Faults that did not recur with the same input. */
  readonly passing: string[] = []
  /** The inputs that reached new blocks, in order. */
  readonly kept: Buffer[] = []
  count = 0
  readonly #target: FuzzTarget
  readonly #judge: Judge
  readonly #coverage: Coverage | undefined
  readonly #inputs: Buffer[]
  readonly #keys = new Set<string>()
  readonly #matter: Matter
  #words: readonly string[] = ['']

  constructor(target: FuzzTarget, { seed, judge, inputs, bytesMax, coverage }: FuzzRunOptions) {
    this.#target = target
    this.#judge = judge
    this.#inputs = [...inputs]
    this.#coverage = coverage
    const random = createRandom(seedFor(seed, target.name))
    this.#matter = { random, bytesMax, other: () => random.pick(this.#inputs), word: () => random.pick(this.#words) }
  }

  /** Judges the inputs unmodified. */
  async takeSeeds(): Promise<void> {
    await this.#runAll(this.#inputs)
    this.#coverage?.take()
  }

  useWords(words: readonly string[]): void {
    this.#words = words
  }

  async mutate(runs: number): Promise<void> {
    const end = this.count + runs
    let batchSize = batchSizes.first
    while (this.count < end && this.findings.length < findingsMax && !this.#stalls) {
      const batch = Array.from({ length: Math.min(batchSize, end - this.count) }, () => this.#next())
      await this.#runAll(batch)
      const isNew = (this.#coverage?.take() ?? 0) > 0
      if (isNew) await this.#keepNew(batch)
      // Reading coverage takes as long as many inputs, and finding the right input takes many reads.
      batchSize = isNew ? batchSizes.first : Math.min(batchSize * 2, batchSizes.most)
    }
  }

  async judgeGrowth(runs: number): Promise<void> {
    const { random } = this.#matter
    const sample = random.shuffle(this.#inputs.filter(({ length }) => length < 4_096)).slice(0, 40)
    if (sample.length === 0 || this.#stalls) return
    const growth = await findGrowth(sample, runs, (input) => this.#judge.judge(input))
    if (growth === null) return
    const message = `the memory in use grows by ${Math.round(growth.bytesPerRun)} bytes each time`
    this.#write({ kind: 'grew', message, key: 'grew' }, growth.input)
  }

  /** Recent inputs are closest to unreached code. */
  #next(): Buffer {
    const { random, bytesMax } = this.#matter
    const recent = Math.max(0, this.#inputs.length - 20)
    const at = random.integer(random.chance(0.3) ? recent : 0, this.#inputs.length - 1)
    const input = this.#inputs[at] ?? Buffer.alloc(0)
    const { mutate } = this.#target
    const changed = mutate !== undefined && random.chance(0.75) ? mutate(input, this.#matter) : undefined
    const bytes = changed ?? mutateBytes(input, this.#matter)
    return bytes.length > bytesMax ? bytes.subarray(0, bytesMax) : bytes
  }

  /** All following inputs would be as slow and find the same fault. */
  get #stalls(): boolean {
    return this.#keys.has('stalled')
  }

  async #runAll(batch: readonly Buffer[]): Promise<void> {
    for (const input of batch) {
      if (this.#stalls) return
      this.count += 1
      const fault = await this.#judge.judge(input)
      if (fault !== null) await this.#note(fault, input)
    }
    if ((await this.#judge.takeStray()) === null) return
    for (const input of batch) {
      await this.#judge.judge(input)
      const fault = await this.#judge.takeStray()
      if (fault !== null) await this.#note(fault, input)
    }
  }

  /** Finds the inputs of a batch that reached new blocks, by running halves of it again. */
  async #keepNew(batch: readonly Buffer[]): Promise<void> {
    const takeIn = this.#coverage?.undo()
    await this.#search(batch)
    // Blocks that cannot be reached again, such as one-time initialization, count too.
    takeIn?.()
  }

  async #search(batch: readonly Buffer[]): Promise<void> {
    for (const input of batch) await this.#judge.judge(input)
    await this.#judge.takeStray()
    if (this.#coverage?.take() === 0) return
    const [only] = batch
    if (batch.length === 1 && only !== undefined) {
      this.kept.push(only)
      if (only.length <= keptBytesMax) this.#inputs.push(only)
      return
    }
    this.#coverage?.undo()
    const middle = Math.ceil(batch.length / 2)
    await this.#search(batch.slice(0, middle))
    await this.#search(batch.slice(middle))
  }

  async #note(fault: Fault, input: Buffer): Promise<void> {
    if (this.#keys.has(fault.key) || this.findings.length >= findingsMax) return
    const isSame = async (candidate: Buffer): Promise<boolean> => {
      const again = (await this.#judge.judge(candidate)) ?? (await this.#judge.takeStray())
      return again?.key === fault.key
    }
    let recurs = false
    for (let turn = 0; turn < repeatsMax && !recurs; turn += 1) recurs = await isSame(input)
    if (recurs) {
      this.#keys.add(fault.key)
      // A shorter input would barely stall, and on another machine it would not.
      this.#write(fault, fault.kind === 'stalled' ? input : await minimise(input, isSame))
    } else if (this.passing.length < passingMax) this.passing.push(fault.message)
  }

  #write({ kind, message }: Fault, input: Buffer): void {
    const finding = { target: this.#target.name, kind, message, input }
    this.findings.push({ ...finding, path: writeFinding(finding) })
  }
}
