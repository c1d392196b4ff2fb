import type { Model } from '#domain/catalogue/model.ts'
import { assert } from '#lib/assert.ts'
import { oncePer } from '#lib/once-per.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { ProviderAccount } from '#domain/routing/routing-table.ts'
import { isPricedTest } from './test-price.ts'

/** Test models are served inside the process, by an account without URL or credential. */
export const testAccount: ProviderAccount = {
  id: 'test',
  name: 'test',
  vendor: 'test',
  baseUrl: null,
  credential: null,
  keepsPrompts: false,
  weight: 1,
}

export const testCandidate = oncePer((model: Model): Candidate => {
  assert(model.price !== null, 'test models have a price, most of them of zero')
  return {
    model,
    account: testAccount,
    upstreamModel: model.id,
    price: model.price,
    maxCompletionTokens: model.maxCompletionTokens,
    quantization: null,
    billing: isPricedTest(model.price) ? 'charged' : 'test',
  }
})
