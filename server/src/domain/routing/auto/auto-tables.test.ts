import { describe, expect, it } from 'vitest'
import { parseAutoName } from './auto-name.ts'
import { buildAutoTables, emptyAutoTables, parseAutoTable, parseAutoTier, tierModelsMax } from './auto-tables.ts'
import { autoTiers } from './tiers.ts'

describe('a name that leaves the choice to us', () => {
  it.each([
    ['auto', { table: 'paid', sort: null, online: false }],
    ['auto:free', { table: 'free', sort: null, online: false }],
    ['auto:floor', { table: 'paid', sort: 'price', online: false }],
    ['auto:online:nitro', { table: 'paid', sort: 'throughput', online: true }],
  ])('%s', (name, read) => {
    expect(parseAutoName(name)).toEqual(read)
  })

  it.each(['', 'Auto', 'AUTO', 'acme/auto', 'auto/', 'auto:free:online', 'auto:other', 'automatic'])(
    'is not %j',
    (name) => {
      expect(parseAutoName(name)).toBeNull()
    },
  )
})

describe('the tables of tiers', () => {
  it('hold who serves each tier, the paid and the free apart', () => {
    const tables = buildAutoTables(4, [
      { table: 'paid', tier: 'simple', enabled: true, models: ['a/one', 'b/two'] },
      { table: 'free', tier: 'simple', enabled: false, models: ['c/three:free'] },
      { table: 'paid', tier: 'coding', enabled: false, models: [] },
    ])
    expect(tables).toEqual({
      revision: 4,
      paid: new Map([
        ['simple', { enabled: true, models: ['a/one', 'b/two'] }],
        ['coding', { enabled: false, models: [] }],
      ]),
      free: new Map([['simple', { enabled: false, models: ['c/three:free'] }]]),
    })
  })

  it('are empty before they were loaded', () => {
    expect(emptyAutoTables).toEqual({ revision: 0, paid: new Map(), free: new Map() })
  })

  it('name a primary model and up to five fallbacks', () => {
    expect(tierModelsMax).toBe(6)
  })

  it.each(['paid', 'free'])('%s is one', (name) => {
    expect(parseAutoTable(name)).toBe(name)
  })

  it('[AUTO-04] have exactly these tiers', () => {
    const tiers = `simple standard complex reasoning coding vision image video data search social email calendar trading`
    expect(autoTiers).toEqual(tiers.split(' '))
    expect(autoTiers.map(parseAutoTier)).toEqual(autoTiers)
  })

  it('know no other', () => {
    expect(['', 'Paid', 'other'].map(parseAutoTable)).toEqual([undefined, undefined, undefined])
    expect(['', 'Simple', 'other'].map(parseAutoTier)).toEqual([undefined, undefined, undefined])
  })
})
