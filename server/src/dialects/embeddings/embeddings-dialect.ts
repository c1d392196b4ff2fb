import type { Model } from '#domain/catalogue/model.ts'
import { floatsToBase64, NumbersText, numbersOf, type Vector } from '#domain/media/float-vectors.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { Charged, DialectCall, MediaContext, MediaDialect, RenderedDocument, RenderedResult } from '../dialect.ts'
import { changeContentOf, type TextChange } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { embeddingsUsage } from './embeddings-usage.ts'
import { imageCountOf, parseEmbeddings } from './parse-embeddings.ts'

/** Every text to embed, alone or as part of an item. Token ids are not texts. */
const embeddingsTexts = textAccess((body, change) =>
  changeMember(body, 'input', (input) =>
    Array.isArray(input) ? changeItems(input, (item) => changeInput(item, change)) : changeInput(input, change),
  ),
)

/** OpenAI's Embeddings, extended with items of text and images. */
export const embeddingsDialect: MediaDialect = {
  family: 'media',
  name: 'embeddings',
  parse: parseEmbeddings,
  refuseUnfit: refuseUnfitModel,
  ...embeddingsTexts,
  unreadableFor,
  render: renderEmbeddings,
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

/** Only a model's own providers know which text a list of token ids represents. */
function unreadableFor({ media }: DialectCall): string | null {
  const isTokens = media?.task.kind === 'embedding' && media.task.inputs.some(({ kind }) => kind === 'tokens')
  return isTokens
    ? 'Send strings instead of token ids. In LangChain for Python, set check_embedding_ctx_length=False.'
    : null
}

function changeInput(input: JsonValue, change: TextChange): JsonValue {
  if (typeof input === 'string') return change(input)
  return isJsonObject(input) ? changeContentOf(input, change) : input
}

/** Conversation models produce no vectors, and most embedding models read only text. */
function refuseUnfitModel({ media }: DialectCall, model: Model): void {
  if (!model.outputModalities.includes('embeddings')) {
    throw new GatewayError('modelEndpointMismatch', {
      message: `"${model.id}" is not an embedding model. ${otherPlace(model)} GET /v1/models?output_modalities=embeddings lists embedding models.`,
    })
  }
  const images = media?.task.kind === 'embedding' ? imageCountOf(media.task) : 0
  if (images === 0 || takesImages(model)) return
  throw new GatewayError('inputImagesNotSupported', {
    message: `"${model.id}" only embeds text. Remove the image_url parts, or choose a multimodal model.`,
  })
}

/** A catalogue price for images implies that the model accepts images. */
function takesImages({ inputModalities, price }: Model): boolean {
  const { per_image_input: byPiece, image_input_token: byToken } = price?.base ?? {}
  return inputModalities.includes('image') || byPiece !== undefined || byToken !== undefined
}

function otherPlace({ kind }: Model): string {
  switch (kind) {
    case 'chat':
      return 'Use it with POST /v1/chat/completions.'
    case 'image':
      return 'Use it with POST /v1/images/generations.'
    case 'video':
      return 'Use it with POST /v1/videos.'
    case 'speech':
      return 'Use it with POST /v1/audio/speech.'
    case 'transcription':
      return 'Use it with POST /v1/audio/transcriptions.'
    case 'moderation':
      return 'Use it with POST /v1/moderations.'
    case 'rerank':
      return 'Use it with POST /v1/rerank.'
    case 'embedding':
    case 'realtime':
      return 'This gateway has no endpoint for it.'
  }
}

/** OpenAI's list of embeddings, each in the requested encoding. */
function renderEmbeddings(
  result: RenderedResult,
  charged: Charged | null,
  { task, model }: MediaContext,
): RenderedDocument {
  assert(result.kind === 'embedding' && task.kind === 'embedding', 'embeddings are answered with embeddings')
  return {
    contentType: 'application/json; charset=utf-8',
    // Rendered lazily: some code reads only the type, and a body may be a hundred megabytes.
    get body() {
      const data = result.vectors.map(
        (vector, index) => `{"object":"embedding","index":${index},"embedding":${inForm(vector, task.encoding)}}`,
      )
      const end = JSON.stringify({ model, usage: embeddingsUsage(charged) }).slice(1)
      return `{"object":"list","data":[${data.join(',')}],${end}`
    },
  }
}

/** A vector as JSON. Encodings that only an upstream knows stay as the upstream sent them. */
function inForm(vector: Vector, encoding: string | null): string {
  const isText = typeof vector === 'string'
  if (encoding === 'base64') return JSON.stringify(isText ? vector : floatsToBase64(numbersOf(vector)))
  const wantsNumbers = encoding === null || encoding === 'float'
  if (isText) return JSON.stringify(wantsNumbers ? numbersOf(vector) : vector)
  return vector instanceof NumbersText ? vector.json : JSON.stringify(vector)
}
