import type { Model } from '#domain/catalogue/model.ts'
import { assert } from '#lib/assert.ts'
import type { Candidate } from '#domain/routing/candidates.ts'

/** A test model is served inside the process, by an account that needs no address and no credential. */
export function testCandidate(model: Model): Candidate {
  assert(model.price !== null, 'test models have a price of zero')
  return {
    model,
    account: {
      id: 'test',
      name: 'test',
      vendor: 'test',
      baseUrl: null,
      credential: null,
      keepsPrompts: false,
      weight: 1,
    },
    upstreamModel: model.id,
    price: model.price,
    maxCompletionTokens: model.maxCompletionTokens,
    quantization: null,
    billing: 'test',
  }
}
