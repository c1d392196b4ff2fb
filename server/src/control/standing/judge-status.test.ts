import { expect, it } from 'vitest'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { fault } from './finding.ts'
import { judgeStatus, type ProcessAnswer, type StatusFacts, type StoreFacts } from './judge-status.ts'

const account = {
  id: '019f0000-0000-7000-8000-000000000001',
  name: 'openai',
  vendor: 'openai',
  baseUrl: null,
  hasCredential: true,
  enabled: true,
  overrides: [],
  weight: 1,
  keepsPrompts: null,
  variant: '',
  api: null,
  discountPpm: 0,
}
const other = { ...account, id: '019f0000-0000-7000-8000-000000000002', name: 'groq' }
const open = {
  accountId: account.id,
  models: ['a', 'b', 'c', 'd'],
  gateways: 1,
  openedAtMs: 0,
  reason: 'upstream_auth_failed (401)',
}

const store: StoreFacts = {
  connected: { gateways: ['10.0.0.1'], workers: ['10.0.0.1'] },
  accounts: [account, other],
  circuits: [],
  routes: 2,
  unopened: 0,
  brake: { engaged: false },
  brakeSinceMs: 0,
  trips: 0,
  holds: { count: 1, amount: nanoUsd(5_000_000n), overdue: 0 },
  debt: zeroUsd,
  backlog: [{ figure: 'rollup_lag', label: '', value: 0 }],
}

function answering(figures: Record<string, number>, readiness: Partial<ProcessAnswer> = {}): ProcessAnswer {
  return { place: 'here:1', missing: [], degraded: [], figure: (name) => figures[name] ?? null, ...readiness }
}

const gateway = answering({ weir_queue_depth: 3, weir_spool_settlements: 0 })
const worker = answering({ weir_ledger_consistent: 1 })
const well: StatusFacts = { build: 'weir 1', gateways: [gateway], workers: [worker], store }

it('finds nothing wrong where all is well', () => {
  expect(new Set(judgeStatus(well).map(({ state }) => state))).toEqual(new Set(['ok']))
  const elsewhere = judgeStatus({ ...well, gateways: [], workers: [] })
  expect(elsewhere.filter(({ state }) => state !== 'ok')).toEqual([
    {
      what: 'books',
      state: 'unknown',
      says: 'no worker responds on this machine',
      advice: expect.stringContaining('weir audit ledger'),
    },
  ])
})

const cases: readonly [string, 'warning' | 'fault', Partial<StatusFacts> | Partial<StoreFacts>, RegExp][] = [
  ['gateways', 'fault', { gateways: [answering({}, { missing: ['routing'] })] }, /here:1 is not ready: routing; conn/],
  ['gateways', 'warning', { gateways: [answering({}, { degraded: ['redis'] })] }, /is ready without redis/],
  ['workers', 'fault', { workers: [], connected: { gateways: ['10.0.0.1'], workers: [] } }, /^no worker responds/],
  ['routing', 'warning', { accounts: [{ ...account, enabled: false }] }, /^0 of 1 .* only test models/],
  ['routing', 'fault', { unopened: 2 }, /can't decrypt the keys of 2/],
  [
    'circuits',
    'warning',
    { circuits: [open] },
    /^openai has been failing since 1970-01-01 00:00 UTC on 1 gateway: .*a, b, c, …/,
  ],
  ['circuits', 'fault', { accounts: [account], circuits: [open] }, /^openai has been failing/],
  ['brake', 'fault', { brake: { engaged: true, retryAfterS: 30, reason: 'drill' } }, /^on since 1970.*\(drill\)/],
  ['spend breakers', 'warning', { trips: 4 }, /^4 tripped/],
  ['holds', 'warning', { holds: { ...store.holds, overdue: 1 } }, /^1 requests hold 0\.005 USD; 1 of them/],
  [
    'queue',
    'warning',
    { gateways: [answering({ weir_queue_depth: 301, weir_spool_settlements: 0 })] },
    /301 queued holds/,
  ],
  [
    'queue',
    'warning',
    { gateways: [answering({ weir_queue_depth: 0, weir_spool_settlements: 1 })] },
    /1 spooled settlements/,
  ],
  ['events', 'warning', { backlog: [{ figure: 'sink_lag', label: 'otlp', value: 901 }] }, /otlp is 16 min behind/],
  ['rollup', 'warning', { backlog: [{ figure: 'rollup_lag', label: '', value: 301 }] }, /^6 min behind/],
  ['books', 'fault', { workers: [answering({ weir_ledger_consistent: 0 })] }, /found a discrepancy/],
  ['debt', 'warning', { debt: nanoUsd(1n) }, /0\.000000001 USD/],
  ['provider words', 'warning', { gateways: [answering({ weir_unknown_words_total: 3 })] }, /^3 unknown/],
]

it.each(cases)('%s: %s', (what, state, change, says) => {
  const facts = { ...well, ...change, store: { ...store, ...change } }
  const wrong = judgeStatus(facts).filter((finding) => finding.state === 'warning' || finding.state === 'fault')
  expect(wrong).toEqual([{ what, state, says: expect.stringMatching(says), advice: expect.stringMatching(/./) }])
})

it('says what the processes say where Postgres cannot be asked', () => {
  const away = fault('postgres', 'away', 'mend it')
  const found = judgeStatus({ ...well, store: { fault: away } })
  expect(found.map(({ what }) => what)).toEqual(['build', 'postgres', 'gateways', 'workers', 'queue', 'provider words'])
  expect(found).toContain(away)
})
