import { describe, expect, it } from 'vitest'
import type { Model } from '#domain/catalogue/model.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { unmeasured } from '#domain/routing/measurements.ts'
import { emptyOwnKeyStore, type OwnKey } from '#domain/routing/own-keys.ts'
import { noPreferences } from '#domain/routing/preferences.ts'
import type { ProviderAccount, RoutingTable } from '#domain/routing/routing-table.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { newUuid } from '#lib/uuid.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { createRoute, type RouteDeps, type RouteRequest } from './route.ts'

const [model] = wantedModel.models
assert(model !== undefined, 'there is a model')
const acme: Model = model

function accountOf(vendor: string): ProviderAccount {
  return {
    id: `account of ${vendor}`,
    name: vendor,
    vendor,
    baseUrl: null,
    credential: 'secret',
    keepsPrompts: false,
    weight: 1,
  }
}

/** A table where these providers serve every model, in this order. */
function tableOf(...vendors: string[]): RoutingTable {
  const accounts = vendors.map(accountOf)
  const routes = accounts.map((account, priority) => ({ pattern: '*', account, upstreamModel: null, priority }))
  return { revision: 1, accounts, routes: new Map(routes.length === 0 ? [] : [['*', routes]]) }
}

const keyId = newUuid(1)
const organizationId = newUuid(2)

function routeOf(deps: Partial<RouteDeps>) {
  const route = createRoute({
    routing: () => tableOf('openai'),
    ownKeys: () => emptyOwnKeyStore,
    measurements: () => unmeasured,
    sticky: { find: () => null },
    ...deps,
  })
  const ask = (change: Partial<RouteRequest> = {}) =>
    route({
      call: { ...testTicket().plan.call, body: { messages: [{ role: 'user', content: 'Hello' }] } },
      wanted: wantedModel,
      preferences: noPreferences,
      wantsEvents: false,
      receivedAtMs: Date.parse('2026-11-16T12:00Z'),
      walletId: newUuid(3),
      organizationId: null,
      keyId,
      ...change,
    })
  const vendors = (change: Partial<RouteRequest> = {}) => ask(change).candidates.map(({ account }) => account.vendor)
  const refusal = (change: Partial<RouteRequest> = {}) => {
    try {
      ask(change)
    } catch (error) {
      return asGatewayError(error)
    }
    return expect.fail('a candidate was found')
  }
  return { ask, vendors, refusal }
}

describe('the candidates of a call', () => {
  it('are those of the routing table; a single one needs no conversation', () => {
    const excluded = [{ model: 'acme/old', provider: null, rule: 'retired' }] as const
    const plan = routeOf({}).ask({ wanted: { ...wantedModel, autoTier: 'fast', excluded } })
    expect(plan.candidates.map(({ account }) => account.vendor)).toEqual(['openai'])
    expect(plan.conversation).toBeNull()
    expect(plan.explanation).toEqual({
      candidates: [{ model: 'acme/model', provider: 'openai', priceId: expect.any(String) }],
      excluded,
      autoTier: 'fast',
    })
  })

  it('are tried in the order of the table', () => {
    const { ask, vendors } = routeOf({ routing: () => tableOf('groq', 'openai', 'deepinfra') })
    expect(vendors()).toEqual(['groq', 'openai', 'deepinfra'])
    expect(ask().conversation).toEqual(expect.any(String))
  })

  it('are prepared once for a table, a model and a purpose, and again for another table or model', () => {
    const tables = { before: tableOf('openai', 'black-forest-labs'), after: tableOf('openai', 'black-forest-labs') }
    let table = tables.before
    const { ask } = routeOf({ routing: () => table })
    const [first, second] = [ask(), ask({ walletId: newUuid(4) })]
    expect(second.candidates[0]).toBe(first.candidates[0])
    expect(second.explanation).toBe(first.explanation)
    table = tables.after
    const later = ask()
    expect(later.candidates[0]).not.toBe(first.candidates[0])
    expect(later.candidates[0]?.account).toBe(tables.after.accounts[0])
    expect(later.explanation).toEqual(first.explanation)
    const renamed = { ...wantedModel, models: [{ ...acme, upstreamModel: 'renamed' }] }
    expect(ask({ wanted: renamed }).candidates[0]?.upstreamModel).toBe('renamed')
    expect(ask().candidates[0]).toBe(later.candidates[0])
  })

  it('share no list with a request that leaves some of them out', () => {
    const { ask, vendors } = routeOf({ routing: () => tableOf('groq', 'openai') })
    expect(vendors({ preferences: { ...noPreferences, ignore: ['groq'] } })).toEqual(['openai'])
    expect(ask({ preferences: { ...noPreferences, ignore: ['groq'] } }).explanation.excluded).toHaveLength(1)
    expect(ask().explanation.excluded).toEqual([])
    expect(vendors()).toEqual(['groq', 'openai'])
  })

  it('cost what the time says, whichever time was asked before', () => {
    const rules = [{ unit: 'prompt', price: 1n, when: { until: '2026-11-16T12:00Z' } }] as const
    const price = { id: 'p', base: parseUnitPrices({ prompt: '0.000003', completion: '0.000004' }), tiers: [], rules }
    const clocked = { ...wantedModel, models: [{ ...acme, price: price as unknown as NonNullable<Model['price']> }] }
    const table = tableOf('openai')
    const { ask } = routeOf({ routing: () => table })
    const at = (time: string) => ask({ wanted: clocked, receivedAtMs: Date.parse(time) }).candidates[0]
    const [before, after] = [at('2026-11-16T11:59:59Z'), at('2026-11-16T12:00Z')]
    expect([before?.price.base.prompt, after?.price.base.prompt]).toEqual([
      1n,
      parseUnitPrices({ prompt: '0.000003' }).prompt,
    ])
    expect(at('2026-11-16T11:00Z')).toBe(before)
    expect(at('2026-11-16T13:00Z')).toBe(after)
  })

  it('leave out hosts that can not make words', () => {
    const plan = routeOf({ routing: () => tableOf('black-forest-labs', 'openai') }).ask()
    expect(plan.candidates.map(({ account }) => account.vendor)).toEqual(['openai'])
    expect(plan.explanation.excluded).toEqual([{ model: 'acme/model', provider: 'black-forest-labs', rule: 'unfit' }])
  })

  it('follow what the client prefers', () => {
    const { vendors } = routeOf({ routing: () => tableOf('groq', 'openai', 'deepinfra') })
    expect(vendors({ preferences: { ...noPreferences, order: ['deepinfra'] } })).toEqual([
      'deepinfra',
      'groq',
      'openai',
    ])
    expect(vendors({ preferences: { ...noPreferences, ignore: ['groq'] } })).toEqual(['openai', 'deepinfra'])
  })

  it('are test candidates of a test model, which nobody has to route', () => {
    const echo = { ...acme, id: 'test/echo', author: 'test' }
    const { ask } = routeOf({ routing: () => tableOf() })
    expect(ask({ wanted: { ...wantedModel, models: [echo] } })).toMatchObject({
      candidates: [{ billing: 'test' }],
      isBilled: false,
    })
  })
})

describe('the host whose prompt cache is warm', () => {
  const table = tableOf('groq', 'openai', 'deepinfra')
  const routing = () => table
  const sticky = { find: () => 'account of deepinfra' }

  it('comes first, and the others keep their order', () => {
    expect(routeOf({ routing, sticky }).vendors()).toEqual(['deepinfra', 'groq', 'openai'])
  })

  it.each([
    ['nobody answered yet', null],
    ['its account is gone', 'account of nobody'],
    ['it comes first anyway', 'account of groq'],
  ])('changes nothing where %s', (_name, accountId) => {
    const { vendors } = routeOf({ routing, sticky: { find: () => accountId } })
    expect(vendors()).toEqual(['groq', 'openai', 'deepinfra'])
  })

  it.each([
    ['an order', { preferences: { ...noPreferences, order: ['openai'] } }, 'openai'],
    ['how to sort', { preferences: { ...noPreferences, sort: 'latency' as const } }, 'groq'],
    ['how to sort behind the name', { wanted: { ...wantedModel, sort: 'latency' as const } }, 'groq'],
    ['the web', { wanted: { ...wantedModel, online: true } }, 'groq'],
  ])('does not come first where the client asks for %s', (_name, change, first) => {
    expect(routeOf({ routing, sticky }).vendors(change)[0]).toBe(first)
  })

  it('does not come before the hosts of an earlier model', () => {
    const other = { ...acme, id: 'acme/other' }
    const routes = tableOf('deepinfra').routes.get('*') ?? []
    const mixed = {
      ...tableOf('groq', 'openai'),
      routes: new Map([...tableOf('groq', 'openai').routes, [other.id, routes]]),
    }
    const { vendors } = routeOf({ routing: () => mixed, sticky })
    const wanted = { ...wantedModel, models: [acme, other] }
    expect(vendors({ wanted })).toEqual(['groq', 'openai', 'deepinfra'])
  })
})

describe("an organization's own key", () => {
  const key: OwnKey = {
    id: newUuid(4),
    account: accountOf('anthropic'),
    fallbackMode: 'seamless',
    scopedKeyIds: new Set(),
    models: new Map([['acme/model', 'their-model']]),
  }
  const ownKeys =
    (change: Partial<OwnKey> = {}) =>
    () => ({
      revision: 1,
      byOrganization: new Map([[organizationId, [{ ...key, ...change }]]]),
    })

  it('comes before the hosts of the platform, for its organization alone', () => {
    const { ask, vendors } = routeOf({ ownKeys: ownKeys() })
    expect(ask({ organizationId }).candidates).toMatchObject([
      { billing: 'own_key', upstreamModel: 'their-model' },
      { billing: 'charged' },
    ])
    expect(vendors({ organizationId: newUuid(5) })).toEqual(['openai'])
    expect(vendors({ organizationId: null })).toEqual(['openai'])
  })

  it('that is strict leaves out the hosts of the platform', () => {
    const plan = routeOf({ ownKeys: ownKeys({ fallbackMode: 'strict' }) }).ask({ organizationId })
    expect(plan.candidates.map(({ billing }) => billing)).toEqual(['own_key'])
    expect(plan.explanation.excluded).toEqual([{ model: 'acme/model', provider: 'openai', rule: 'strict_key' }])
  })

  it('is not asked for what its vendor can not make', () => {
    const { vendors } = routeOf({ ownKeys: ownKeys({ account: accountOf('black-forest-labs') }) })
    expect(vendors({ organizationId })).toEqual(['openai'])
  })
})

describe('a call that nobody can serve', () => {
  it('is not refused for good before the routing table was loaded', () => {
    const unloaded = { ...tableOf(), revision: -1 }
    expect(routeOf({ routing: () => unloaded }).refusal()).toMatchObject({
      errorName: 'notReady',
      message: "The gateway can't serve this request yet because its routing table is not loaded. Retry shortly.",
    })
  })

  it('says that no upstream is configured', () => {
    expect(routeOf({ routing: () => tableOf() }).refusal()).toMatchObject({
      errorName: 'modelNotServed',
      message:
        'No provider is configured for "acme/model". GET /v1/models?available=true lists the models you can call.',
      inside: 'no provider account or route serves this model; add one with `weir provider add`',
    })
  })

  it('names all models that were asked for', () => {
    const wanted = { ...wantedModel, models: [acme, { ...acme, id: 'acme/other' }] }
    expect(routeOf({ routing: () => tableOf() }).refusal({ wanted }).message).toBe(
      'No provider is configured for "acme/model", "acme/other". GET /v1/models?available=true lists the models you can call.',
    )
  })

  it('says that a model has no price, whether anybody hosts it or not', () => {
    const wanted = { ...wantedModel, models: [{ ...acme, price: null }] }
    for (const routing of [() => tableOf(), () => tableOf('openai')]) {
      expect(routeOf({ routing }).refusal({ wanted })).toMatchObject({
        errorName: 'modelNotPriced',
        message: `"acme/model" has no price yet, so it can't be called. Choose another model.`,
      })
    }
  })

  it('names the preferences that left nobody', () => {
    const preferences = { ...noPreferences, only: ['deepinfra'] }
    expect(routeOf({ routing: () => tableOf('groq', 'openai') }).refusal({ preferences })).toMatchObject({
      errorName: 'modelNotServed',
      message: `No provider for "acme/model" meets this request's requirements (excluded by: only).`,
    })
  })

  it('goes by the price of the host where the model itself has none', () => {
    const price = { id: 'offer', base: parseUnitPrices({ prompt: '0.000001', completion: '0.000002' }), tiers: [] }
    const offer = { provider: 'groq', variant: '', upstreamModel: 'm', contextLength: null, maxCompletionTokens: null }
    const offered = { ...acme, price: null, offers: [{ ...offer, quantization: null, price }] }
    const wanted = { ...wantedModel, models: [offered] }
    expect(routeOf({ routing: () => tableOf('groq') }).vendors({ wanted })).toEqual(['groq'])
    expect(routeOf({ routing: () => tableOf() }).refusal({ wanted }).message).toBe(
      'No provider is configured for "acme/model". GET /v1/models?available=true lists the models you can call.',
    )
  })
})
