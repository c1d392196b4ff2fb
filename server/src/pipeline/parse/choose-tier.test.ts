import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { buildAutoTables, type TierRow } from '#domain/routing/auto/auto-tables.ts'
import type { AutoTable } from '#domain/routing/auto/tiers.ts'
import type { Resolution } from '#domain/routing/resolve-model.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { chooseTier } from './choose-tier.ts'

const [base] = wantedModel.models
assert(base !== undefined, 'there is a model')
const foundAs = (id: string): Resolution => ({ found: true, model: { ...base, id }, sort: null, online: false })

/** Resolves every model by its own name, except a missing one and one whose name resolves to another entry. */
function resolve(id: string): Resolution {
  if (id === 'acme/gone') return { found: false, why: 'retired', id }
  return foundAs(id === 'acme/moved:free' ? 'acme/moved' : id)
}

// A call that explicitly requests an image belongs to the tier `image`, whatever its text says.
const call = chatDialect.parse({
  model: 'auto',
  modalities: ['image', 'text'],
  messages: [{ role: 'user', content: 'A cat.' }],
})

function choose(table: AutoTable, rows: readonly TierRow[]) {
  const auto = { table, sort: null, online: false }
  return chooseTier({ call, dialect: chatDialect, auto }, buildAutoTables(1, rows), resolve)
}

function refusalOf(table: AutoTable, rows: readonly TierRow[]) {
  try {
    choose(table, rows)
  } catch (error) {
    return asGatewayError(error)
  }
  return expect.fail('a tier was chosen')
}

const row = (table: AutoTable, models: readonly string[], enabled = true): TierRow => ({
  table,
  tier: 'image',
  enabled,
  models,
})

describe('the tier of a call', () => {
  it('gives its models in the order of the operator, without those that are gone', () => {
    const { tier, models, excluded } = choose('paid', [row('paid', ['acme/b', 'acme/gone', 'acme/a'])])
    expect(tier).toBe('image')
    expect(models.map(({ id }) => id)).toEqual(['acme/b', 'acme/a'])
    expect(excluded).toEqual([{ model: 'acme/gone', provider: null, rule: 'retired' }])
  })

  it('gives models at a price to those who pay', () => {
    const { models } = choose('paid', [row('paid', ['acme/a', 'acme/b:free'])])
    expect(models.map(({ id }) => id)).toEqual(['acme/a', 'acme/b:free'])
  })

  it('gives nothing at a price to those who asked for what is free', () => {
    const { models, excluded } = choose('free', [row('free', ['acme/a', 'acme/moved:free', 'acme/b:free'])])
    expect(models.map(({ id }) => id)).toEqual(['acme/b:free'])
    expect(excluded).toEqual([
      { model: 'acme/a', provider: null, rule: 'unfit' },
      { model: 'acme/moved:free', provider: null, rule: 'unfit' },
    ])
  })

  it('is refused with 503 while it is disabled', () => {
    const error = refusalOf('paid', [row('paid', ['acme/a'], false), row('free', ['acme/a:free'])])
    expect(error.row.status).toBe(503)
    expect(error.message).toBe(
      '"auto" routed this request to the tier "image", which currently is disabled. Specify a model instead.',
    )
    expect(error.inside).toBe('auto tier image is disabled; see `weir auto list`')
  })

  it.each([
    ['the table has no such tier', []],
    ['the tier lists none', [row('paid', [])]],
    ['all of its models are gone', [row('paid', ['acme/gone'])]],
  ])('is refused with 503 where %s', (_case, rows) => {
    const error = refusalOf('paid', rows)
    expect(error.row.status).toBe(503)
    expect(error.message).toBe(
      '"auto" routed this request to the tier "image", which currently has no models. Specify a model instead.',
    )
    expect(error.inside).toBe('auto tier image has no models; see `weir auto list`')
  })
})
