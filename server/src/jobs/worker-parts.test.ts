import { expect, it } from 'vitest'
import { parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { ExpiredGrants } from '#ports/ledger.ts'
import { type WorkerDeps, workerParts } from './worker-parts.ts'

const signal = new AbortController().signal

it('the table of a worker: every part, how often it runs, and which come first', () => {
  const { parts } = tableOf()
  expect(parts.map(({ name, everyMs }) => [name, everyMs])).toEqual([
    ['partitions', 3_600_000],
    ['sweep', 11],
    ['grants', 60_000],
    ['rollup', 12],
    ['reconciliation', 13],
    ['retention', 3_600_000],
    ['purge-leaves', 600_000],
    ['indexes', 3_600_000],
    ['routing', 14],
    ['videos', 15],
    ['webhooks', 15],
    ['events', 16],
    ['events-file', 16],
    ['catalogue', 17],
    ['announcements', 10_000],
    ['invoices', 60_000],
    ['alerts', 21],
    ['placements', 5_000],
    ['certificates', 3_600_000],
    ['mails', 20],
  ])
  expect(parts.filter(({ isFirst }) => isFirst).map(({ name }) => name)).toEqual(['partitions', 'routing'])
})

it('sweeps and purges go on at once after a full batch, and report what they found', async () => {
  const { run, lines } = tableOf({ swept: [500, 499, 0], purged: [500, 1] })
  expect([await run('sweep'), await run('sweep'), await run('sweep')]).toEqual([true, false, false])
  expect([await run('purge-leaves'), await run('purge-leaves')]).toEqual([true, false])
  expect(lines).toEqual([
    ['info', { count: 500 }, 'released lapsed holds'],
    ['info', { count: 499 }, 'released lapsed holds'],
    ['info', { count: 500 }, 'deleted old leaves'],
    ['info', { count: 1 }, 'deleted old leaves'],
  ])
})

it('the rollup goes on at once while batches are full', async () => {
  const { run, lines } = tableOf({
    rolledUp: [
      { rolledUp: 7, isFull: true },
      { rolledUp: 0, isFull: false },
    ],
  })
  expect([await run('rollup'), await run('rollup')]).toEqual([true, false])
  expect(lines).toEqual([['debug', { count: 7 }, 'rolled up settled requests']])
})

it('grants that have ended are looked at until no wallet is due', async () => {
  const { run, lines } = tableOf({ expired: [{ wallets: 100, returned: parseUsd('2.5') }] })
  expect([await run('grants'), await run('grants')]).toEqual([true, false])
  expect(lines).toEqual([['info', { wallets: 100, returnedUsd: '2.5' }, 'processed expired grants']])
})

it('partitions are made a week ahead, and only rounds that made one are told of', async () => {
  const { run, lines, asked } = tableOf({ made: [3, 0] })
  await run('partitions')
  await run('partitions')
  expect(asked).toEqual([7, 7])
  expect(lines).toEqual([['info', { made: 3 }, 'created partitions']])
})

it('only rounds that built an index are told of', async () => {
  const { run, lines } = tableOf({ built: [3, 0] })
  expect([await run('indexes'), await run('indexes')]).toEqual([undefined, undefined])
  expect(lines).toEqual([['info', { built: 3 }, 'built indexes']])
})

it('rollup, reconciliation and the building of indexes close their connections after their last round', async () => {
  const { parts, closed } = tableOf()
  const own = ['rollup', 'reconciliation', 'indexes']
  for (const part of parts) if (own.includes(part.name)) await part.end?.()
  expect(closed).toEqual(own)
})

function unused(): never {
  throw new Error('not part of this test')
}

const claimed: Pick<WorkerDeps, 'videos' | 'webhooks'> = {
  videos: {
    queue: { claim: unused, renew: unused, isSettled: unused, move: unused, finish: unused },
    steps: { hostOf: unused, converse: unused, store: unused, nowMs: unused },
    atOnce: 1,
    claimMs: 1,
    keepMs: 1,
    rhythmMs: 1,
    canAsk: unused,
    nowMs: () => 0,
    onMoved: unused,
    onError: unused,
  },
  webhooks: {
    queue: { claim: unused, delivered: unused, failed: unused },
    client: { call: unused },
    pauseMs: 1,
    timeoutMs: 1,
    atOnce: 1,
    perAccountMax: 1,
    busyAccounts: unused,
    nowMs: unused,
    onFailed: unused,
    onError: unused,
  },
}

const events: WorkerDeps['events'] = {
  sinks: [{ name: 'file', send: unused }],
  cursors: { keep: unused, withTurn: unused },
  fromStart: false,
  everyMs: 16,
  batchMax: 1,
  onSent: unused,
  onRemark: unused,
  onBusy: unused,
  onRefused: unused,
  onForgotten: unused,
}

const catalogue: WorkerDeps['catalogue'] = {
  sources: ['litellm'],
  everyMs: 17,
  propose: unused,
  proposals: { find: unused, put: unused, remove: unused, reject: unused },
  log: { info: unused, warn: unused },
}

const billing: WorkerDeps['billing'] = {
  invoices: { find: unused, issueDue: unused, remindDue: unused, suspendOverdue: unused },
  terms: {
    seller: { name: '', address: null, taxId: null, prefix: 'T' },
    creditsUrl: '',
    taxes: new Map(),
    dueDays: 1,
    suspendDays: 1,
  },
  log: { info: () => {}, warn: () => {} },
  nowMs: () => 0,
}
const payments: WorkerDeps['payments'] = {
  providers: [],
  topUps: {
    add: unused,
    find: unused,
    listDisputes: unused,
    noteRefund: unused,
    listRefunds: unused,
    findFor: unused,
    list: unused,
    noteCheckout: unused,
    apply: unused,
    noteEvent: unused,
    missingEvents: unused,
    claimDue: unused,
    scheduleCheck: unused,
  },
  statements: {
    keep: unused,
    findBehind: unused,
    readWatermarks: unused,
    compare: unused,
    advanceEvents: unused,
    advanceBalances: unused,
  },
  wallets: { find: unused },
  profiles: { find: unused },
  erasedCustomers: { claim: unused, forget: unused },
  autoTopUps: {
    find: unused,
    readStanding: unused,
    put: unused,
    switchOff: unused,
    claimLow: unused,
    begin: unused,
  },
  offer: {
    terms: { feePercent: 0, taxPercent: 0 },
    taxes: new Map(),
    rates: new Map(),
    creditMin: zeroUsd,
    creditMax: zeroUsd,
    newAccount: { days: 0, creditMax: zeroUsd },
    creditsUrl: '',
  },
  announce: unused,
  log: { info: unused, warn: unused, error: unused },
  nowMs: unused,
  lookEveryMs: 19,
}

const mails: WorkerDeps['mails'] = {
  outbox: { claim: unused },
  deliver: unused,
  takeOver: unused,
  lookEveryMs: 20,
  onError: unused,
}

interface Answers {
  made?: number[]
  built?: number[]
  swept?: number[]
  purged?: number[]
  rolledUp?: { rolledUp: number; isFull: boolean }[]
  expired?: ExpiredGrants[]
}

function tableOf({ made = [], built = [], swept = [], purged = [], rolledUp = [], expired = [] }: Answers = {}) {
  const lines: unknown[] = []
  const asked: number[] = []
  const closed: string[] = []
  const tell = (level: string) => (facts: object, what: string) => void lines.push([level, facts, what])
  const deps: WorkerDeps = {
    ensurePartitions: async (aheadDays) => {
      asked.push(aheadDays)
      return made.shift() ?? 0
    },
    sweepHolds: async () => swept.shift() ?? 0,
    grants: { expire: async () => expired.shift() ?? { wallets: 0, returned: zeroUsd } },
    rollup: {
      rollUp: async () => rolledUp.shift() ?? { rolledUp: 0, isFull: false },
      close: async () => void closed.push('rollup'),
    },
    reconciliation: { reconcile: unused, close: async () => void closed.push('reconciliation') },
    retention: { dropDay: unused, dropRefusals: unused, dropMonth: unused },
    purges: [{ name: 'purge-leaves', what: 'old leaves', purge: async () => purged.shift() ?? 0 }],
    indexes: { build: async () => built.shift() ?? 0, close: async () => void closed.push('indexes') },
    followRouting: unused,
    ...claimed,
    events,
    catalogue,
    announcements: {
      rounds: { remind: unused, tellNext: unused },
      creditsUrl: '',
      log: { info: unused },
      nowMs: unused,
    },
    payments,
    billing,
    mails,
    alerts: {
      alerts: { listMoved: unused, tell: unused },
      creditsUrl: '',
      everyMs: 21,
      log: { info: unused },
      nowMs: unused,
    },
    provisioning: {
      provisioning: {
        listUsers: unused,
        findUser: unused,
        listGroups: unused,
        findGroup: unused,
        readOverview: unused,
        listUnplaced: unused,
        noteFailure: unused,
        change: unused,
      },
      announce: unused,
    },
    certificates: { notices: { list: unused, tell: unused }, creditsUrl: '', log: { info: unused }, nowMs: unused },
    settings: {
      sweepEveryMs: 11,
      rollupEveryMs: 12,
      rollupBatchMax: 1,
      reconcileEveryMs: 13,
      retention: { generationsDays: null, refusalsDays: null, hoursMonths: null },
      routingEveryMs: 14,
      lookEveryMs: 15,
    },
    nowMs: () => 0,
    log: { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') },
  }
  const parts = workerParts(deps)
  const run = (name: string) => parts.find((part) => part.name === name)?.run(signal)
  return { parts, run, lines, asked, closed }
}
