import { expect, it } from 'vitest'
import { judgeCounters, leastOf, medianOf, parseRecord, writeRecord } from './judge-counters.ts'

const record = parseRecord('kind\tpromises\ttimers\tredis\tkb\tbigints\tstatements\njson\t100\t2\t5\t100\t30\t2\n')
const counted = (change: object) => ({
  json: { promises: 100, timers: 2, redis: 5, kb: 100, bigints: 30, statements: 2, ...change },
})

it('allows 3 % more and no further', () => {
  expect(judgeCounters(counted({ kb: 103, promises: 103, timers: 2.1 }), record)).toEqual({ grown: [], shrunk: [] })
  expect(judgeCounters(counted({ kb: 103.1 }), record).grown).toEqual(['json kb: 103.1, at most 100 and 3 %'])
  expect(judgeCounters(counted({ redis: 6 }), record).grown).toEqual(['json redis: 6, at most 5 and 3 %'])
})

it('asks for a new record when a counter has shrunk', () => {
  expect(judgeCounters(counted({ promises: 96 }), record)).toEqual({
    grown: [],
    shrunk: ['json promises: 96, recorded as 100'],
  })
})

it('does not pass a kind without a record', () => {
  const kinds = { ...counted({}), video: counted({}).json }
  expect(judgeCounters(kinds, record).grown).toHaveLength(6)
})

it('reads back what it writes', () => {
  expect(parseRecord(writeRecord(record))).toEqual(record)
})

it('takes the least of each counter', () => {
  const least = leastOf(counted({ kb: 120, redis: 4 }), counted({ kb: 101, redis: 5 }))
  expect(least).toEqual(counted({ kb: 101, redis: 4 }))
})

it('records the median of each counter', () => {
  const runs = [
    { kb: 120, redis: 4 },
    { kb: 101, redis: 5 },
    { kb: 110, redis: 5 },
  ].map(counted)
  expect(medianOf(runs)).toEqual(counted({ kb: 110, redis: 5 }))
})
