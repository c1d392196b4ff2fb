import { describe, expect, it } from 'vitest'
import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { Uuid } from '#lib/uuid.ts'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { emptyOwnKeyStore, type OwnKeyStore } from './own-keys.ts'
import type { ProviderAccount, RoutingTable } from './routing-table.ts'
import { canBeCalled, createFindServed } from './served-models.ts'

const [template] = wantedModel.models
if (template === undefined) throw new Error('there is a model')
const words = { id: 'words', base: parseUnitPrices({ prompt: '1', completion: '1' }), tiers: [] }
const chat: Model = {
  ...template,
  id: 'acme/chat',
  kind: 'chat',
  author: 'acme',
  defaultProvider: 'acme',
  price: words,
}
const models: readonly Model[] = [
  chat,
  { ...chat, id: 'acme/unpriced', price: null },
  { ...chat, id: 'acme/realtime', kind: 'realtime' },
  { ...chat, id: 'acme/painter', kind: 'image', price: { ...words, base: parseUnitPrices({ per_image_output: '1' }) } },
  { ...chat, id: 'other/chat', author: 'other', defaultProvider: 'other' },
]
const catalogue = buildCatalogue(1, models)

const account: ProviderAccount = {
  id: 'account',
  name: 'main',
  vendor: 'acme',
  baseUrl: null,
  credential: 'secret',
  keepsPrompts: false,
  weight: 1,
}
const table: RoutingTable = { revision: 1, accounts: [account], routes: new Map() }
const onlyWords = (_vendor: string, purpose: string) => purpose === 'text'

describe('served models', () => {
  it('are those that a provider can be asked and charged for', () => {
    expect([...createFindServed(() => true)(catalogue, table)]).toEqual(['acme/chat', 'acme/painter'])
    expect([...createFindServed(onlyWords)(catalogue, table)]).toEqual(['acme/chat'])
    expect([...createFindServed(() => true)(catalogue, { ...table, accounts: [] })]).toEqual([])
  })

  it('include what a route sends to an account', () => {
    const routes = new Map([['other/*', [{ pattern: 'other/*', account, upstreamModel: null, priority: 0 }]]])
    expect(createFindServed(onlyWords)(catalogue, { ...table, routes }).has('other/chat')).toBe(true)
  })

  it('are asked through the interface that their offer names', () => {
    const [offer] = [
      { provider: 'acme', variant: '', upstreamModel: 'x', contextLength: null, maxCompletionTokens: null },
    ]
    const sold = { ...chat, offers: [{ ...offer, quantization: null, price: words, api: 'responses' as const }] }
    const asked: unknown[] = []
    createFindServed((_vendor, _purpose, { api }) => asked.push(api) > 0)(buildCatalogue(1, [sold]), table)
    expect(asked).toEqual(['responses'])
  })

  it('are looked for once, until the catalogue or the routes are others', () => {
    const find = createFindServed(() => true)
    const found = find(catalogue, table)
    expect(find(catalogue, table)).toBe(found)
    expect(find(catalogue, { ...table })).not.toBe(found)
    expect(find(buildCatalogue(2, []), table).size).toBe(0)
  })
})

describe('a model can be called', () => {
  const organizationId: Uuid = '00000000-0000-4000-8000-000000000001'
  const keyId: Uuid = '00000000-0000-4000-8000-000000000002'
  const ownKey = {
    id: '00000000-0000-4000-8000-000000000003' as Uuid,
    account,
    fallbackMode: 'strict' as const,
    scopedKeyIds: new Set<Uuid>(),
    models: new Map([['other/chat', 'chat']]),
  }
  const ownKeys: OwnKeyStore = { revision: 1, byOrganization: new Map([[organizationId, [ownKey]]]) }
  const other: Model = { ...chat, id: 'other/chat' }
  const among = { catalogue, served: new Set(['acme/chat']), ownKeys: emptyOwnKeyStore, client: null }

  it('when it is served, by itself or as its free variant', () => {
    expect(canBeCalled(chat, among)).toBe(true)
    expect(canBeCalled({ ...chat, id: 'acme/chat:free' }, among)).toBe(true)
    expect(canBeCalled(other, among)).toBe(false)
    expect(canBeCalled({ ...other, id: 'other/chat:free' }, among)).toBe(false)
  })

  it('when it is a test model', () => {
    expect(canBeCalled({ ...other, author: 'test' }, among)).toBe(true)
  })

  it("when the client's organization has a key of its own for it, and for nobody else", () => {
    expect(canBeCalled(other, { ...among, ownKeys, client: { organizationId, keyId } })).toBe(true)
    expect(canBeCalled(other, { ...among, ownKeys, client: { organizationId: null, keyId } })).toBe(false)
    expect(canBeCalled(other, { ...among, ownKeys })).toBe(false)
  })
})
