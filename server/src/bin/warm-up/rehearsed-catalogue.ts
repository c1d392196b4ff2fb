import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model, Offer } from '#domain/catalogue/model.ts'
import { type PriceList, parseUnitPrices } from '#domain/money/price-list.ts'
import { emptyAutoTables } from '#domain/routing/auto/auto-tables.ts'
import { noFreeModels } from '#domain/routing/free-models.ts'
import { emptyOwnKeyStore } from '#domain/routing/own-keys.ts'
import type { ProviderAccount, RoutingTable } from '#domain/routing/routing-table.ts'
import type { PipelineSnapshots } from '#pipeline/create-pipeline.ts'

export const rehearsedModels = { chat: 'openai/warm-up', embedding: 'openai/warm-up-embedding' } as const

/**
 * A catalogue of two models and one account. Its objects have the members of those that are loaded from Postgres, in
 * the same order: the compiler takes objects with other members for another type, and would compile again.
 */
export function createRehearsedSnapshots(): PipelineSnapshots {
  const catalogue = buildCatalogue(1, [chatModel(), embeddingModel()])
  const routing: RoutingTable = { revision: 1, accounts: [account], routes: new Map() }
  return {
    catalogue: () => catalogue,
    autoTables: () => emptyAutoTables,
    routing: () => routing,
    ownKeys: () => emptyOwnKeyStore,
    freeModels: () => noFreeModels,
  }
}

const price: PriceList = {
  id: '01890000-0000-7000-8000-000000000001',
  base: parseUnitPrices({ prompt: '0.00000016', completion: '0.00000064' }),
  tiers: [],
}

const account: ProviderAccount = {
  id: '01890000-0000-7000-8000-000000000002',
  name: 'warm-up',
  vendor: 'openai',
  // The connector of the rehearsal connects to nothing; this reserved name could not be resolved either.
  baseUrl: 'http://warm-up.invalid/v1',
  credential: 'warm-up',
  keepsPrompts: false,
  weight: 1,
  variant: '',
  overrides: [],
}

function chatModel(): Model {
  return {
    ...embeddingModel(),
    id: rehearsedModels.chat,
    kind: 'chat',
    inputModalities: ['text', 'image'],
    outputModalities: ['text'],
    supportedParameters: ['frequency_penalty', 'logprobs', 'max_tokens', 'temperature', 'tools', 'top_p'],
    upstreamModel: 'warm-up',
    offers: [offerOf('warm-up')],
  }
}

function embeddingModel(): Model {
  return {
    id: rehearsedModels.embedding,
    name: 'Warm-up',
    author: 'openai',
    kind: 'embedding',
    description: null,
    contextLength: 128_000,
    maxCompletionTokens: 16_384,
    inputModalities: ['text'],
    outputModalities: ['embeddings'],
    supportedParameters: [],
    defaultProvider: 'openai',
    upstreamModel: 'warm-up-embedding',
    aliases: [],
    releasedAtMs: null,
    retiresAtMs: null,
    listed: true,
    details: {},
    price,
    offers: [offerOf('warm-up-embedding')],
  }
}

function offerOf(upstreamModel: string): Offer {
  return {
    provider: 'openai',
    variant: '',
    upstreamModel,
    contextLength: 128_000,
    maxCompletionTokens: 16_384,
    quantization: null,
    price,
  }
}
