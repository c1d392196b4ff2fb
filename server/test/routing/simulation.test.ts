import { expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { errorFrames } from '#dialects/chat/frames.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { createRetryBudget } from '#domain/routing/retry-budget.ts'
import { createDispatch, type DispatchStage } from '#pipeline/dispatch/dispatch.ts'
import { createBeginExchange } from '#pipeline/dispatch/begin-exchange.ts'
import { createHealthStore } from '#pipeline/dispatch/choose/health-store.ts'
import { chooseReader } from '#pipeline/dispatch/answer/choose-reader.ts'
import { pairOf } from '#pipeline/dispatch/answer/pair.ts'
import { protocolOf } from '#providers/protocols.ts'
import { vendors } from '#providers/registry.ts'
import { createRandom } from '#test/drills/setup/random.ts'
import { idleHedging } from '#test/streams/idle-hedging.ts'
import { recordedContext } from '#test/streams/read-recorded.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { type Condition, conditionAt, openScripted, type Phase, type ScriptedUpstream } from './scripted-upstreams.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

const upstreamCount = 30
const requestCount = 100_000
const everyMs = 10
const rules = { failures: 5, openMs: 10_000 }
// A probe at a slow upstream takes 1.5 s, and starts with the next request that names it.
const probeMs = 2_000
const lengthMs = requestCount * everyMs

const vendor = vendors.openai
const template = testTicket().plan.candidates[0] ?? never()

function never(): never {
  throw new Error('the test ticket has a candidate')
}

interface Failure {
  atMs: number
  names: readonly string[]
  message: string
}

it('[ROUTE-15] [ROUTE-16] loses no request while somebody healthy could serve it, over 100,000 of them', {
  timeout: 600_000,
}, async () => {
  const random = createRandom(20_261_115)
  const chance = (): number => random.integer(0, 999_999) / 1_000_000
  const time = createVirtualTime()
  const upstreams = new Map<string, ScriptedUpstream>()
  for (let index = 0; index < upstreamCount; index += 1) {
    const name = `http://upstream-${index}.test`
    upstreams.set(name, { name, phases: phasesFor(index, chance), askedAtMs: [] })
  }
  const retries = countedRetries()
  const dispatch = dispatchOver(upstreams, time, retries, chance)
  const names = [...upstreams.keys()]
  const failures: Failure[] = []
  let answered = 0
  for (let index = 0; index < requestCount; index += 1) {
    time.at(index * everyMs, () => {
      const chosen = random.shuffle(names).slice(0, random.integer(1, 8))
      const call = { ...testTicket().plan.call, stream: false }
      const ticket = testTicket({ call, candidates: chosen.map(candidateOf), isOpenEnded: false })
      dispatch(ticket).then(
        () => {
          answered += 1
        },
        (error: unknown) => failures.push({ atMs: time.nowMs, names: chosen, message: String(error) }),
      )
    })
  }
  await time.runOut()

  const lost = failures.filter(({ names: asked, atMs }) =>
    asked.some((name) => isEligible(upstreams.get(name) ?? never(), atMs)),
  )
  const shares = [...upstreams.values()].flatMap((upstream) => deadShares(upstream, upstreams))
  const recoveries = [...upstreams.values()].flatMap(recoveryTimes)
  console.log(
    `${answered} answered, ${failures.length} failed with nobody healthy to ask, ${lost.length} lost; ` +
      `dead upstreams took at most ${(Math.max(...shares) * 100).toFixed(3)} % of attempts once isolated (${shares.length} times); ` +
      `back after at most ${Math.max(...recoveries)} ms (${recoveries.length} times); ${retries.spent} retries`,
  )
  expect(answered + failures.length).toBe(requestCount)
  expect(lost).toEqual([])
  expect(shares.length).toBeGreaterThan(20)
  expect(Math.max(...shares)).toBeLessThan(0.01)
  expect(recoveries.length).toBeGreaterThan(10)
  expect(Math.max(...recoveries)).toBeLessThan(rules.openMs + probeMs)
  expect(retries.spent).toBeLessThanOrEqual(requestCount * 0.1 + 10)
})

/** Every third upstream stays up; the others go through random conditions, each long enough to matter. */
function phasesFor(index: number, chance: () => number): Phase[] {
  if (index % 3 === 0) return []
  const conditions: readonly Condition[] = ['up', 'slow', 'flapping', 'storm', 'dead', 'dead']
  const phases: Phase[] = []
  for (let untilMs = 0; untilMs < lengthMs; ) {
    untilMs += 30_000 + Math.floor(chance() * 60_000)
    phases.push({ condition: conditions[Math.floor(chance() * conditions.length)] ?? 'up', untilMs })
  }
  return phases
}

function candidateOf(name: string): Candidate {
  return { ...template, account: { ...template.account, id: name, name, vendor: vendor.slug, baseUrl: name } }
}

function countedRetries() {
  const budget = createRetryBudget()
  const counted = {
    spent: 0,
    earn: budget.earn,
    spend: () => {
      const allowed = budget.spend()
      if (allowed) counted.spent += 1
      return allowed
    },
  }
  return counted
}

function dispatchOver(
  upstreams: ReadonlyMap<string, ScriptedUpstream>,
  time: VirtualTime,
  retries: ReturnType<typeof countedRetries>,
  chance: () => number,
): DispatchStage {
  const limits = { headersTimeoutMs: 60_000, bodyTimeoutMs: 60_000, connectTimeoutMs: 5_000 }
  return createDispatch({
    health: createHealthStore(rules, () => time.nowMs),
    retries,
    hedging: idleHedging,
    noteAnswered: () => {},
    refusedFields: { note: () => undefined },
    keepAlives: { watch: () => {}, watched: 0, stop: () => {} },
    keepAliveOf: () => chatDialect.keepAlive,
    begin: createBeginExchange({
      upstreams: openScripted(upstreams, time, chance),
      prepare: (_ticket, { account }) => ({
        request: { origin: account.baseUrl ?? '', path: '/', headers: {}, body: '', ...limits },
        ignored: [],
      }),
      makeReader: (_ticket, _candidate, contentType, listener) =>
        chooseReader(recordedContext, pairOf(chatDialect, vendor), { stream: false, contentType }, listener),
      readFailure: () => protocolOf(vendor).readFailure,
    }),
    failFrames: (_ticket, _candidate, error) => errorFrames(error),
    settle: async () => nanoUsd(1n),
    watchOutput: () => {},
    keepOutput: null,
    storeResponse: null,
    noteUnbilledCancel: () => {},
    watchStop: () => {},
    onError: (error) => {
      throw error
    },
    nowMs: () => time.nowMs,
    wait: time.wait,
  })
}

/** Up for long enough that its circuit or pause has expired and a request could have closed it. */
function isEligible(upstream: ScriptedUpstream, nowMs: number): boolean {
  const sinceMs = nowMs - rules.openMs - probeMs
  const during = upstream.phases.filter(({ untilMs }, index) => {
    const startedMs = upstream.phases[index - 1]?.untilMs ?? 0
    return untilMs > sinceMs && startedMs <= nowMs
  })
  return during.every(({ condition }) => condition === 'up' || condition === 'slow')
}

interface DeadTime {
  fromMs: number
  toMs: number
}

function deadTimes({ phases }: ScriptedUpstream): DeadTime[] {
  const times: DeadTime[] = []
  phases.forEach(({ condition, untilMs }, index) => {
    const fromMs = phases[index - 1]?.untilMs ?? 0
    const last = times.at(-1)
    if (condition !== 'dead') return
    if (last?.toMs === fromMs) last.toMs = untilMs
    else times.push({ fromMs, toMs: untilMs })
  })
  return times.filter(({ toMs }) => toMs <= lengthMs)
}

/** The share of all attempts that went to a dead upstream, from the opening of its circuit until it recovers. */
function deadShares(upstream: ScriptedUpstream, upstreams: ReadonlyMap<string, ScriptedUpstream>): number[] {
  return deadTimes(upstream).flatMap(({ fromMs, toMs }) => {
    const asked = upstream.askedAtMs.filter((atMs) => atMs >= fromMs && atMs < toMs)
    const openedAtMs = asked[rules.failures - 1]
    if (openedAtMs === undefined || toMs - openedAtMs < rules.openMs) return []
    const isThen = (atMs: number): boolean => atMs > openedAtMs && atMs < toMs
    let all = 0
    for (const { askedAtMs } of upstreams.values()) for (const atMs of askedAtMs) if (isThen(atMs)) all += 1
    return all === 0 ? [] : [asked.filter(isThen).length / all]
  })
}

/** The time after recovery until an upstream is used as before: three times within two seconds. */
function recoveryTimes(upstream: ScriptedUpstream): number[] {
  return deadTimes(upstream).flatMap(({ toMs }) => {
    const { condition, untilMs } = conditionAt(upstream, toMs)
    if (condition !== 'up' || untilMs - toMs < 20_000 || toMs + 20_000 > lengthMs) return []
    const asked = upstream.askedAtMs.filter((atMs) => atMs >= toMs && atMs < untilMs)
    const back = asked.findIndex((atMs, index) => (asked[index + 2] ?? Number.POSITIVE_INFINITY) - atMs < 2_000)
    const atMs = asked[back]
    return [atMs === undefined ? Number.POSITIVE_INFINITY : atMs - toMs]
  })
}
