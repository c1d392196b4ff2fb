import type { Model } from '#domain/catalogue/model.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { Charged, DialectCall, MediaContext, MediaDialect, RenderedDocument, RenderedResult } from '../dialect.ts'
import { embeddingsUsage } from '../embeddings/embeddings-usage.ts'
import { changeContent } from '../texts/change-content.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseModeration } from './parse-moderation.ts'

/** OpenAI's Moderations: judges texts and images. */
export const moderationsDialect: MediaDialect = {
  family: 'media',
  name: 'moderations',
  parse: parseModeration,
  refuseUnfit: refuseUnfitModel,
  ...textAccess((body, change) => changeMember(body, 'input', (input) => changeContent(input, change))),
  render: renderVerdicts,
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

function refuseUnfitModel({ media }: DialectCall, model: Model): void {
  if (!model.outputModalities.includes('moderation')) {
    throw new GatewayError('modelEndpointMismatch', {
      message: `"${model.id}" is not a moderation model. GET /v1/models?output_modalities=moderation lists moderation models.`,
    })
  }
  const { task } = media ?? {}
  const showsImage = task?.kind === 'moderation' && task.inputs.flat().some(({ kind }) => kind === 'image')
  if (!showsImage || model.inputModalities.includes('image')) return
  throw new GatewayError('inputImagesNotSupported', {
    message: `"${model.id}" only judges text. Remove the image_url parts, or choose a multimodal model.`,
  })
}

function renderVerdicts(
  result: RenderedResult,
  charged: Charged | null,
  { id, model }: MediaContext,
): RenderedDocument {
  assert(result.kind === 'moderation', 'inputs are answered with verdicts')
  const results = result.verdicts.map(({ isFlagged, categories, scores, inputTypes }) => ({
    flagged: isFlagged,
    categories,
    category_scores: scores,
    ...(inputTypes === null ? {} : { category_applied_input_types: inputTypes }),
  }))
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ id, model, results, usage: embeddingsUsage(charged) }),
  }
}
