import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatherCalls, listProblems, recordProblems, sumProblems, type Told } from './gather-calls.ts'
import { addMedia, listMediaCases } from './media-cases.ts'
import { readRecords } from './read-records.ts'
import { type RecordWorld, startRecordWorld } from './record-world.ts'

const kinds = [
  'embeddings',
  'images',
  'image edits',
  'image stream',
  'speech',
  'transcriptions',
  'translations',
] as const

let world: RecordWorld
let calls: readonly Told[]

beforeAll(async () => {
  world = await startRecordWorld()
  await addMedia(world)
  calls = await gatherCalls(world, listMediaCases())
})
afterAll(() => world.close())

describe.each(kinds)('the record of a call for %s', (kind) => {
  const of = (...outcomes: readonly string[]): Told[] => {
    const meant = calls.filter(({ made }) => made.request === kind && outcomes.includes(made.outcome))
    expect(meant.length).toBeGreaterThanOrEqual(outcomes.length)
    return meant
  }

  it('is expected for every outcome of the table', () => {
    const rows = readRecords().filter(({ request }) => request === kind)
    const tried = calls.filter(({ made }) => made.request === kind)
    expect(new Set(tried.map(({ made }) => made.outcome))).toEqual(new Set(rows.map(({ outcome }) => outcome)))
  })

  it('[GEN-01] [GEN-04] [GEN-05] [GEN-06] of an answer is what client and upstream know of it', () => {
    expect(recordProblems(of('document'))).toEqual([])
  })

  it('[HOLD-02] [HOLD-03] [HOLD-05] [GEN-08] without an answer shows no cost, and the reason', () => {
    expect(recordProblems(of('rejected', 'failed', 'empty', 'left early'))).toEqual([])
  })

  it('[MONEY-09] [ACCT-12] is the same in lists, and counts once', () => {
    const all = of('document', 'rejected', 'failed', 'empty', 'left early')
    expect(listProblems(all)).toEqual([])
    expect(sumProblems(all)).toEqual([])
  })
})
