import { assert } from '#lib/assert.ts'
import { vendors } from '#providers/registry.ts'
import type { ResponsesVendor } from '#providers/spec.ts'

/** OpenAI over Responses. */
export const openAiOnResponses: ResponsesVendor = responsesHostOf('openai')

/** xAI over Responses. */
export const xaiOnResponses: ResponsesVendor = responsesHostOf('xai')

function responsesHostOf(slug: 'openai' | 'xai'): ResponsesVendor {
  const { onResponses } = vendors[slug]
  assert(onResponses !== undefined, `${slug} speaks Responses`)
  return onResponses
}
