import { buildCatalogue, type Catalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'

const template = testModel('test/echo')
assert(template !== undefined, 'the echo model is built in')

/** A chat model that acme sells at a price per token, and others at the same price. */
export function soldModel(id: string, usd: string, others: readonly string[] = []): Model {
  const price = { id, base: parseUnitPrices({ prompt: usd, completion: usd }), tiers: [] }
  const offers = ['acme', ...others].map((provider) => ({
    provider,
    variant: '',
    upstreamModel: 'name',
    contextLength: null,
    maxCompletionTokens: null,
    quantization: null,
    price,
  }))
  assert(template !== undefined, 'the echo model is built in')
  return { ...template, id, author: 'acme', defaultProvider: 'acme', listed: true, retiresAtMs: null, price, offers }
}

export function catalogueOf(...models: Model[]): Catalogue {
  return buildCatalogue(7, models)
}
