import type { Usage } from '#domain/inference/usage.ts'
import { tokenTotals } from '#domain/money/charge.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { errorBody } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged, HostedImages, MediaContext, MediaDialect, RenderedDocument, RenderedResult } from '../dialect.ts'
import { changeText } from '../texts/change-content.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { closeImageEvents, failImageEvents, imageHeartbeat, writeImageEvents } from './image-events.ts'
import { parseImageEdit, parseImages } from './parse-images.ts'
import { refuseUnfitModel } from './refuse-unfit-model.ts'

/** Shared by both image endpoints: their responses. */
const answers: Omit<MediaDialect, 'name' | 'parse'> = {
  family: 'media',
  refuseUnfit: refuseUnfitModel,
  ...textAccess((body, change) => changeMember(body, 'prompt', (text) => changeText(text, change))),
  render: renderImages,
  writeStream: (result) => writeImageEvents(imagesOf(result)),
  closeStream: (result, charged, { durationMs }) => closeImageEvents(imagesOf(result), charged, durationMs),
  failFrames: failImageEvents,
  keepAlive: imageHeartbeat,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

/** Images from text and other images, in JSON. */
export const imagesDialect: MediaDialect = { ...answers, name: 'images', parse: parseImages }

/** Images from other images, as a form. */
export const imageEditsDialect: MediaDialect = { ...answers, name: 'image_edits', parse: parseImageEdit }

/** Renders images as URLs with their cost. */
function renderImages(result: RenderedResult, charged: Charged | null, { createdS }: MediaContext): RenderedDocument {
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

function imagesOf(result: RenderedResult): HostedImages {
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
