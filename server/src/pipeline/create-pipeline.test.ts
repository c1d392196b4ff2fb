import { afterEach, describe, expect, it } from 'vitest'
import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import { nanoUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { emptyAutoTables } from '#domain/routing/auto/auto-tables.ts'
import { noFreeModels } from '#domain/routing/free-models.ts'
import { unmeasured } from '#domain/routing/measurements.ts'
import { emptyOwnKeyStore } from '#domain/routing/own-keys.ts'
import type { ProviderAccount, RoutingTable } from '#domain/routing/routing-table.ts'
import { keepTrace } from '#domain/tracing/propagate.ts'
import { filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import type { HoldVerdict } from '#ports/money.ts'
import type { UpstreamHandler } from '#ports/upstream.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { recordingConnection, testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import {
  createPipeline,
  type Pipeline,
  type PipelineMetrics,
  type PipelineSettings,
  type PipelineSnapshots,
} from './create-pipeline.ts'
import { run } from './run.ts'
import type { Arrival } from './types.ts'

const none = parseUsd('0')
const nowMs = 1_800_000_000_000
const account: ProviderAccount = {
  id: 'account-1',
  name: 'first',
  vendor: 'openai',
  baseUrl: 'http://upstream.test/v1',
  credential: 'secret',
  keepsPrompts: false,
  weight: 1,
}
const routing: RoutingTable = {
  revision: 1,
  accounts: [account],
  routes: new Map([['*', [{ pattern: '*', account, upstreamModel: null, priority: 0 }]]]),
}

const snapshots: PipelineSnapshots = {
  catalogue: () => buildCatalogue(1, wantedModel.models),
  autoTables: () => emptyAutoTables,
  routing: () => routing,
  ownKeys: () => emptyOwnKeyStore,
  freeModels: () => noFreeModels,
}

const count = { inc: () => {} }
const metrics: PipelineMetrics = {
  generations: count,
  charged: count,
  absorbed: count,
  usageDoubted: count,
  undercharged: count,
  attempts: count,
  failovers: count,
  tokens: count,
  firstToken: { observe: () => {} },
  duration: { observe: () => {} },
  moderationBlocked: count,
  moderationDown: count,
  unbilledCancels: count,
  unbilledUsd: count,
  unbilledExceeded: count,
  refusedFields: count,
  unknownWords: count,
  retries: count,
  attributed: count,
  cacheRequests: count,
  hedges: count,
  hedgeUsd: count,
}

const settings: PipelineSettings = {
  testModels: false,
  editModel: '',
  autoFreePerAddress: 1,
  unbilled: { allowance: parseUsd('1'), percent: 10 },
  moderation: { whenDown: 'refuse', evidenceDays: 1 },
  itemRetentionMs: 0,
  responses: { storeByDefault: false, backgroundMax: 1, leaseMs: 1_000 },
  conversationBytesMax: 10_485_760,
  cache: {
    ttlSeconds: 60,
    ttlSecondsMax: 60,
    answerBytesMax: 1_024,
    walletBytesMax: 1_024,
    hitPricePercent: 0,
    leaseMs: 60_000,
    joinMs: 1_000,
  },
  retryLeaseMs: 60_000,
  answerBytesMax: 1_024,
  leaseMs: 60_000,
  creditsUrl: null,
  upstream: { connectTimeoutMs: 1, firstByteTimeoutMs: 1, answerTimeoutMs: 1, idleTimeoutMs: 1 },
  breaker: { failures: 5, openMs: 1_000 },
  keepAliveMs: 15_000,
  frameBytesMax: 100_000,
  videoDeadlineMs: 1,
  isTraced: false,
}

const pipelines: Pipeline[] = []
afterEach(() => {
  for (const pipeline of pipelines.splice(0)) pipeline.close()
})

function never(): never {
  throw new Error('nobody asks for this')
}

const silentLog = { debug: never, warn: never, error: never, isLevelEnabled: () => true }

/** A pipeline over ports that answer immediately and record their order. */
function startPipeline(verdict: HoldVerdict = { allowed: true, granted: parseUsd('1'), room: parseUsd('1') }) {
  const done: string[] = []
  const opened = Promise.withResolvers<UpstreamHandler>()
  const note = (what: string) => void done.push(what)
  const pipeline = createPipeline(
    {
      authenticate: async () => {
        note('authenticated')
        return makePrincipal({ balance: parseUsd('5') })
      },
      admit: async (_client, rateClass) => {
        note(`admitted to ${rateClass}`)
        return { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' }
      },
      rates: { noteUnbilledCancel: async () => note('cancel counted') },
      unbilled: {
        add: () => ({ left: none, borne: none, paidToday: none, paidYesterday: none, underWay: none, atRisk: none }),
      },
      freeQuotas: { ask: never },
      sessionQuotas: { takeRequest: never },
      filterRules: { find: () => filterRuleSet([]) },
      filterEngine: { inspect: never },
      moderation: {
        review: () => {
          note('moderated')
          return { allowed: true }
        },
      },
      evidence: { keep: never },
      cachedAnswers: {
        find: never,
        claim: never,
        read: never,
        fill: never,
        refuse: never,
        forget: never,
        renew: never,
      },
      answers: {
        claim: never,
        takeOver: never,
        concludeJob: never,
        find: never,
        put: never,
        read: never,
        note: never,
        renew: never,
        forget: never,
      },
      money: {
        hold: async () => {
          note('held')
          return verdict
        },
        extend: never,
        renew: never,
        settle: async ({ record: { cost, refundReason } }) => {
          note(`settled ${cost} ${refundReason ?? 'charged'}`)
          return { cost, absorbed: zeroUsd }
        },
      },
      breakerTrips: { note: never },
      audit: { append: never },
      endCustomers: { find: never },
      tags: { find: never },
      runs: { open: never },
      judgeRunRules: never,
      runningRuns: { watch: never, release: never },
      refusals: { note: ({ error }) => note(`refused with ${error}`) },
      measurements: { slowMs: never, find: () => unmeasured, note: ({ model }) => note(`measured ${model}`) },
      snapshots,
      sockets: { open: never },
      upstreams: {
        open: ({ origin }, handler) => {
          note(`asked ${origin}`)
          opened.resolve(handler)
          return { pause: () => {}, resume: () => {}, abort: () => note('aborted') }
        },
      },
      authorize: never,
      propagate: keepTrace,
      imageSource: { fetch: never },
      imagePublisher: { host: never },
      keptItems: null,
      storedResponses: null,
      videoJobs: { accept: never },
      ownKeyNotes: { succeeded: never, failed: never },
      circuits: { report: never, stillOpen: never },
      metrics,
      log: { ...silentLog, info: (_event, message) => note(`logged ${message}`) },
      nowMs: () => nowMs,
      wait: never,
      pause: never,
    },
    settings,
  )
  pipelines.push(pipeline)
  return { pipeline, done, opened: opened.promise }
}

function arrivalOf(connection = recordingConnection()): Arrival {
  const messages = [{ role: 'user', content: 'Hello' }]
  const body = { model: 'acme/model', stream: true, max_tokens: 100, messages }
  return { ...testTicket({}, connection).arrival, receivedAtMs: nowMs, body }
}

function send(handler: UpstreamHandler, ...chunks: object[]): void {
  for (const chunk of chunks) handler.data(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`))
}

const head = { id: 'theirs', object: 'chat.completion.chunk', created: 1, model: 'model' }
const word = { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' }, finish_reason: null }] }
const last = { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const usage = { ...head, choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }

const before = ['authenticated', 'admitted to inference', 'moderated', 'held', 'asked http://upstream.test']

describe('a streamed chat request', () => {
  it('goes through the stages in order, and settles before its cost is shown', async () => {
    const { pipeline, done, opened } = startPipeline()
    const connection = recordingConnection()
    const running = run(pipeline.stages, arrivalOf(connection))
    const handler = await opened
    expect(pipeline.holdsOpen).toBe(1)
    handler.headers(200, { 'content-type': 'text/event-stream' })
    send(handler, word)
    expect(await running).toEqual({ kind: 'handled' })
    expect(done).toEqual(before)
    send(handler, last, usage)
    handler.data(Buffer.from('data: [DONE]\n\n'))
    handler.end()
    await expect.poll(() => connection.ended).toBe(true)
    expect(done).toEqual([...before, 'measured acme/model', 'settled 7000 charged', 'logged generation'])
    expect(connection.sent).toMatch(/"content":"Hello\."[^]*"cost":0\.000007/)
    expect(pipeline.holdsOpen).toBe(0)
  })

  it('costs nothing where its client leaves before usage has come, which counts against its pace', async () => {
    const { pipeline, done, opened } = startPipeline()
    const connection = recordingConnection()
    const running = run(pipeline.stages, arrivalOf(connection))
    const handler = await opened
    handler.headers(200, { 'content-type': 'text/event-stream' })
    send(handler, word)
    await running
    connection.leave()
    await expect.poll(() => pipeline.holdsOpen).toBe(0)
    expect(done.slice(before.length)).toEqual([
      'aborted',
      'cancel counted',
      'measured acme/model',
      'settled 0 client_cancelled',
      'logged generation',
    ])
  })

  it('asks no upstream where the wallet is short', async () => {
    const { pipeline, done } = startPipeline({ allowed: false, scope: 'wallet', room: nanoUsd(1n) })
    await expect(run(pipeline.stages, arrivalOf())).rejects.toMatchObject({ errorName: 'insufficientCredits' })
    expect(done).toEqual([...before.slice(0, -1), 'refused with insufficientCredits'])
    expect(pipeline.holdsOpen).toBe(0)
  })
})
