import { performance } from 'node:perf_hooks'
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'
import type { Attempt } from './attempt.ts'
import { keyOf, openJournal } from './journal.ts'
import { mutantNamespace } from './namespace.ts'
import { type Order, readOrder } from './order.ts'
import { citedIds } from '../../lib/cited-ids.ts'

const order = readOrder()
const journal = openJournal(order.folder)

/**
 * Runs each test unchanged, then once more for every mutant that it reached, in the same process: all mutants are in
 * the code, and one at a time is switched on. A test counts only if it passes twice in a row before, and again after
 * each mutant it killed.
 */
export default class MutantRunner extends TestRunner {
  private dead = new Set<string>()
  private readonly tried = order.skipsTried ? journal.readTried() : new Set<string>()
  private readonly tries = new Map<string, number>()

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    // Other processes also kill mutants.
    if (suite === suite.file) this.dead = journal.readDead()
    await super.onBeforeRunSuite(suite)
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    for (const file of files) journal.write({ kind: 'file', file: file.filepath, reachedOutside: reachedOutside() })
    super.onAfterRunFiles(files)
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const { reached, elapsedMs } = await reachMutants(test)
    if (order.citation !== undefined) return this.tryCiting(test, reached, elapsedMs, order.citation)
    if (elapsedMs > order.quickMs || this.tried.has(keyOf(test.file.filepath, fullTitle(test)))) return
    const chosen = [...reached].filter(([id]) => this.isWanted(id))
    if (chosen.length === 0) return
    const attempts = (await passes(test, limitMs(elapsedMs))) ? await this.tryEach(test, chosen, elapsedMs) : []
    journal.write({ kind: 'test', file: test.file.filepath, test: fullTitle(test), attempts })
  }

  /** For a clause, one caught mutant per test is enough, even if other tests have caught it. */
  private async tryCiting(
    test: RunnerTestCase,
    reached: ReadonlyMap<string, number>,
    elapsedMs: number,
    { ids, triesPerTest }: NonNullable<Order['citation']>,
  ): Promise<void> {
    if (!citedIds(fullTitle(test)).some((id) => ids.includes(id))) return
    if (!(await passes(test, limitMs(elapsedMs)))) return
    const step = Math.max(1, Math.floor(reached.size / triesPerTest))
    const chosen = [...reached].filter((_, at) => at % step === 0).slice(0, triesPerTest)
    for (const mutant of chosen) {
      const attempts = await this.tryEach(test, [mutant], elapsedMs)
      journal.write({ kind: 'test', file: test.file.filepath, test: fullTitle(test), attempts })
      if (attempts.some(({ hasDied }) => hasDied)) return
    }
  }

  private isWanted(id: string): boolean {
    return !this.dead.has(id) && (this.tries.get(id) ?? 0) < order.triesPerMutant
  }

  private async tryEach(
    test: RunnerTestCase,
    chosen: readonly [string, number][],
    elapsedMs: number,
  ): Promise<Attempt[]> {
    const attempts: Attempt[] = []
    for (const [id, hits] of chosen) {
      this.tries.set(id, (this.tries.get(id) ?? 0) + 1)
      journal.writeNow(id, test.file.filepath)
      const hasDied = await dies(test, id, { hits, elapsedMs })
      attempts.push({ id, hasDied })
      if (!hasDied) continue
      this.dead.add(id)
      // The damage of a mutant may outlast it. Then the results of this test with other mutants are meaningless.
      if (!(await passes(test, limitMs(elapsedMs)))) break
    }
    journal.writeNow(null, test.file.filepath)
    return attempts
  }
}

/** Mutants that ran outside a test: in a module's top-level statements and in hooks. */
function reachedOutside(): string[] {
  return Object.keys(mutantNamespace().mutantCoverage?.static ?? {})
}

/** Runs the test without a mutant and reports which mutants it reached, and how often. */
async function reachMutants(test: RunnerTestCase): Promise<{ reached: Map<string, number>; elapsedMs: number }> {
  const startedMs = performance.now()
  const counts = await within(
    longestTestMs,
    countReached(test, async () => TestRunner.getTestFn(test)()),
  )
  return { reached: new Map(Object.entries(counts)), elapsedMs: performance.now() - startedMs }
}

/** Counts the mutants that run during a test. They do not count as reached by a module's top-level statements. */
async function countReached(test: RunnerTestCase, run: () => Promise<void>): Promise<Record<string, number>> {
  const namespace = mutantNamespace()
  namespace.mutantCoverage ??= { static: {}, perTest: {} }
  const { perTest } = namespace.mutantCoverage
  namespace.currentTestId = test.id
  try {
    await run()
    return perTest[test.id] ?? {}
  } finally {
    namespace.currentTestId = undefined
    delete perTest[test.id]
  }
}

async function dies(test: RunnerTestCase, id: string, usual: { hits: number; elapsedMs: number }): Promise<boolean> {
  const namespace = mutantNamespace()
  Object.assign(namespace, { activeMutant: id, hitCount: 0, hitLimit: usual.hits * 100 + 10_000 })
  try {
    return !(await passes(test, limitMs(usual.elapsedMs)))
  } finally {
    Object.assign(namespace, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
  }
}

function limitMs(elapsedMs: number): number {
  return Math.min(30_000, elapsedMs * 10 + 2_000)
}

/** Whether the test passes once more, with its hooks. A test that takes far longer than usual fails. */
function passes(test: RunnerTestCase, withinMs: number): Promise<boolean> {
  return within(
    withinMs,
    countReached(test, () => runAgain(test)),
  ).then(
    () => true,
    () => false,
  )
}

/** A mutant may make a test wait forever. */
const longestTestMs = 120_000

async function within<Value>(limit: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${limit} ms`)), limit)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function runAgain(test: RunnerTestCase): Promise<void> {
  const suites = suitesAround(test)
  for (const suite of suites.toReversed()) {
    for (const hook of TestRunner.getSuiteHooks(suite).afterEach) await hook(test.context, suite)
  }
  for (const suite of suites) {
    for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) await hook(test.context, suite)
  }
  await TestRunner.getTestFn(test)()
}

/** From the file to the innermost suite. */
function suitesAround(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = []
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) suites.unshift(suite)
  if (suites[0] !== test.file) suites.unshift(test.file)
  return suites
}

function fullTitle(test: RunnerTestCase): string {
  const names = suitesAround(test).filter((suite) => suite !== test.file)
  return [...names.map(({ name }) => name), test.name].join(' ')
}
