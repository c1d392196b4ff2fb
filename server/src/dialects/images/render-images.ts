import type { Usage } from '#domain/inference/usage.ts'
import { tokenTotals } from '#domain/money/charge.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged, HostedImages, MediaContext, RenderedDocument, RenderedResult } from '../dialect.ts'

/** Images as their caller reads them: addresses alone, and what they cost. */
export function renderImages(
  result: RenderedResult,
  charged: Charged | null,
  { createdS }: MediaContext,
): RenderedDocument {
  const { images } = imagesOf(result)
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({
      created: createdS,
      data: images.map(({ url }) => ({ url })),
      ...(charged === null ? {} : { usage: usageJson(charged) }),
    }),
  }
}

export function imagesOf(result: RenderedResult): HostedImages {
  assert(result.kind === 'image', 'the images endpoints answer with images')
  return result
}

function usageJson({ usage, cost, upstreamCost }: Charged): JsonObject {
  const { prompt, completion, total } = tokenTotals(usage)
  return {
    input_tokens: prompt,
    output_tokens: completion,
    total_tokens: total,
    input_tokens_details: inputDetails(usage, prompt),
    cost: usdJson(cost),
    ...costDetails(upstreamCost),
  }
}

function inputDetails({ media }: Usage, prompt: number): JsonObject {
  const images = media?.inputImageTokens ?? 0
  return { text_tokens: prompt - images, image_tokens: images }
}
