import { describe, expect, it } from 'vitest'
import { catalogueOf, soldModel } from '#test/models/sold-model.ts'
import { rowOfModel } from '../row-of-model.ts'
import { planImport } from './plan-import.ts'
import { rowsBefore } from './rows-before.ts'

const nowMs = Date.parse('2026-11-18T00:00:00Z')
const file = (rows: ReturnType<typeof rowOfModel>[], replace = false) => ({ rows, name: 'models.json', replace })
const one = soldModel('acme/one', '0.000001', ['zenith'])

describe('the plan of an import', () => {
  it('of the same models has no changes', () => {
    const plan = planImport(catalogueOf(one), file([rowOfModel(one)]), nowMs)
    expect(plan).toMatchObject({
      baseRevision: 7,
      sources: ['models.json'],
      changes: [],
      unmatched: 0,
      proposedAtMs: nowMs,
    })
    expect(plan).not.toHaveProperty('replace')
  })

  it('doubts prices that jump and sellers that vanish', () => {
    const { changes } = planImport(catalogueOf(one), file([rowOfModel(soldModel('acme/one', '0.00001'))]), nowMs)
    expect(changes.map(({ what, where, to, doubt }) => [what, where, to, doubt])).toEqual([
      ['offer', 'zenith', null, 'the provider would no longer be used'],
      ['price', 'acme prompt', '0.00001', 'more than double'],
      ['price', 'acme completion', '0.00001', 'more than double'],
      ['price', 'zenith prompt', null, 'the price would be removed'],
      ['price', 'zenith completion', null, 'the price would be removed'],
    ])
  })

  it('doubts nothing of a new model, even one that is already retired', () => {
    const retired = { ...soldModel('acme/two', '0.1'), retiresAtMs: nowMs - 1 }
    const { changes } = planImport(catalogueOf(one), file([rowOfModel(retired)]), nowMs)
    expect(changes.length).toBeGreaterThan(2)
    expect(changes.map(({ doubt }) => doubt)).toEqual(changes.map(() => null))
    const known = planImport(catalogueOf({ ...retired, retiresAtMs: null }), file([rowOfModel(retired)]), nowMs)
    expect(known.changes.map(({ doubt }) => doubt)).toEqual([
      'the date is in the past: calls would be rejected immediately',
    ])
  })

  it('shows what the operator pays, without a doubt', () => {
    const offers = one.offers.map((offer) => ({ ...offer, purchase: soldModel('x', '0.5').price ?? undefined }))
    const bought = {
      ...one,
      offers: offers.map(({ purchase, ...offer }) => ({ ...offer, ...(purchase && { purchase }) })),
    }
    const { changes } = planImport(catalogueOf(one), file([rowOfModel(bought)]), nowMs)
    expect(changes.map(({ what, where, from, to, doubt }) => [what, where, from, to, doubt])).toEqual([
      ['purchase', 'acme prompt', null, '0.5', null],
      ['purchase', 'acme completion', null, '0.5', null],
      ['purchase', 'zenith prompt', null, '0.5', null],
      ['purchase', 'zenith completion', null, '0.5', null],
    ])
  })

  it('shows the API and the quantization of an offer', () => {
    const offers = one.offers.map((offer) => ({ ...offer, quantization: 'fp8', api: 'responses' as const }))
    const { changes } = planImport(catalogueOf(one), file([rowOfModel({ ...one, offers })]), nowMs)
    expect(changes.map(({ what, where, from, to }) => [what, where, from, to])).toEqual([
      ['field', 'acme quantization', null, 'fp8'],
      ['field', 'acme api', null, 'responses'],
      ['field', 'zenith quantization', null, 'fp8'],
      ['field', 'zenith api', null, 'responses'],
    ])
  })

  it('of a complete file unlists the listed models that it does not name', () => {
    const hidden = { ...soldModel('acme/hidden', '0.1'), listed: false }
    const catalogue = catalogueOf(one, soldModel('acme/two', '0.1'), hidden)
    const plan = planImport(catalogue, file([rowOfModel(one)], true), nowMs)
    expect(plan.replace).toBe(true)
    expect(plan.changes).toEqual([
      { model: 'acme/two', what: 'field', where: 'listed', from: 'true', to: 'false', doubt: null },
    ])
    expect(rowsBefore(catalogue, plan.rows, plan.changes)).toEqual([rowOfModel(soldModel('acme/two', '0.1'))])
  })
})

describe('the rows before an import', () => {
  it('are the changed models, each once, and a new one as not sold', () => {
    const [dearer, added] = [rowOfModel(soldModel('acme/one', '0.0000011')), rowOfModel(soldModel('acme/two', '0.1'))]
    const catalogue = catalogueOf(one, soldModel('acme/other', '0.1'))
    const { rows, changes } = planImport(catalogue, file([dearer, added]), nowMs)
    expect(rowsBefore(catalogue, rows, changes)).toEqual([
      rowOfModel(one),
      { ...added, listed: false, offers: [], prices: [] },
    ])
  })
})
