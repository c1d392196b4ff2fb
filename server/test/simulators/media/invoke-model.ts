import { type JsonObject, objectAt } from '#lib/json.ts'
import { isSigned } from '../aws-signature.ts'
import type { MediaAnswer, MediaCall, MediaHandler } from '../start-media-upstream.ts'
import { lengthOf, listAt, objectsAt, seedOf, tokensIn, vectorFor } from './embeddings/vectors.ts'
import { madePng } from './images/made.ts'

interface InvokeModelScript {
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
  /** The secret of signed requests; without it no signature is required. */
  readonly secret?: string
}

/** Bedrock's InvokeModel, with models that reject every unknown field. */
export function playInvokeModel({ refuse, secret }: InvokeModelScript = {}): MediaHandler {
  return (call) => {
    const refused = refuse?.(call)
    if (refused !== undefined) return refused
    if (secret !== undefined && !isSigned(call, secret)) {
      const words = 'The request signature we calculated does not match the signature you provided.'
      return invokeError(403, 'InvalidSignatureException', words)
    }
    const [, name = ''] = /^\/model\/([^/]+)\/invoke$/.exec(call.path) ?? []
    const model = models.find(({ form }) => form.test(decodeURIComponent(name)))
    if (model === undefined) return invokeError(400, 'ValidationException', 'The provided model identifier is invalid.')
    const extraneous = extraneousKey(call.json, model.fields)
    if (extraneous !== undefined) {
      const words = `Malformed input request: #: extraneous key [${extraneous}] is not permitted, please reformat your input and try again.`
      return invokeError(400, 'ValidationException', words)
    }
    const { body, tokens } = model.answer(call.json)
    return { body, headers: tokens === undefined ? {} : { 'x-amzn-bedrock-input-token-count': String(tokens) } }
  }
}

export function invokeError(status: number, type: string, message: string): MediaAnswer {
  return { status, headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/` }, body: { message } }
}

/** Fields that a model knows; an object contains nested fields. */
interface Fields {
  readonly [name: string]: true | Fields
}

interface SimulatedModel {
  readonly form: RegExp
  readonly fields: Fields
  answer(json: JsonObject): { body: object; tokens?: number }
}

const imageTokens = 300
const imageSettings: Fields = {
  numberOfImages: true,
  width: true,
  height: true,
  quality: true,
  cfgScale: true,
  seed: true,
}

const models: readonly SimulatedModel[] = [
  {
    form: /amazon\.titan-embed-text-v1$|amazon\.titan-embed-g1-text-02$/,
    fields: { inputText: true },
    answer: titanVector,
  },
  {
    form: /amazon\.titan-embed-text-v2:0$/,
    fields: { inputText: true, dimensions: true, normalize: true, embeddingTypes: true },
    answer: titanVector,
  },
  {
    form: /amazon\.titan-embed-image-v1(?::0)?$/,
    fields: { inputText: true, inputImage: true, embeddingConfig: { outputEmbeddingLength: true } },
    answer: (json) => ({
      body: {
        embedding: vectorFor(
          seedOf([json.inputText ?? null, json.inputImage ?? null]),
          lengthOf(objectAt(json, 'embeddingConfig'), 'outputEmbeddingLength'),
        ),
        inputTextTokenCount: tokensIn(json.inputText),
        message: null,
      },
    }),
  },
  {
    form: /amazon\.nova-2-multimodal-embeddings-v1:0$/,
    fields: {
      schemaVersion: true,
      taskType: true,
      singleEmbeddingParams: {
        embeddingPurpose: true,
        embeddingDimension: true,
        text: { truncationMode: true, value: true },
        image: { format: true, source: { bytes: true }, detailLevel: true },
      },
    },
    answer: (json) => {
      const asked = objectAt(json, 'singleEmbeddingParams')
      const { value } = objectAt(asked, 'text')
      const embeddingType = value === undefined ? 'IMAGE' : 'TEXT'
      const embedding = vectorFor(seedOf(value ?? asked.image), lengthOf(asked, 'embeddingDimension'))
      return { body: { embeddings: [{ embeddingType, embedding }] }, tokens: tokensIn(value) }
    },
  },
  {
    form: /cohere\.embed-(?:english|multilingual)-v3$/,
    fields: { input_type: true, texts: true, images: true, truncate: true, embedding_types: true },
    answer: cohereVectors,
  },
  {
    form: /cohere\.embed-v4:0$/,
    fields: {
      input_type: true,
      texts: true,
      images: true,
      inputs: true,
      truncate: true,
      embedding_types: true,
      output_dimension: true,
      max_tokens: true,
    },
    answer: cohereVectors,
  },
  {
    form: /amazon\.(?:nova-canvas-v1:0|titan-image-generator-v[12](?::0)?)$/,
    fields: {
      taskType: true,
      textToImageParams: { text: true, negativeText: true },
      imageVariationParams: { images: true, similarityStrength: true, text: true, negativeText: true },
      imageGenerationConfig: imageSettings,
    },
    answer: (json) => {
      const { numberOfImages = 1 } = objectAt(json, 'imageGenerationConfig')
      const images = Array.from({ length: Number(numberOfImages) }, () => madePng.toString('base64'))
      return { body: { images, error: null } }
    },
  },
  stable(/sd3(?:-5)?-large/, ['mode', 'strength', 'image', 'aspect_ratio']),
  stable(/stable-image-core/, ['mode', 'aspect_ratio']),
  stable(/stable-image-ultra/, ['mode', 'strength', 'image', 'aspect_ratio']),
  stable(/stable-fast-upscale/, ['image'], ['output_format']),
  stable(/stable-image-inpaint/, ['image', 'mask', 'grow_mask', 'style_preset']),
  stable(/stable-style-transfer/, [
    'init_image',
    'style_image',
    'style_strength',
    'composition_fidelity',
    'change_strength',
  ]),
]

function titanVector(json: JsonObject) {
  const embedding = vectorFor(seedOf(json.inputText), lengthOf(json, 'dimensions'))
  return { body: { embedding, inputTextTokenCount: tokensIn(json.inputText) } }
}

/** Cohere counts nothing in its response on Bedrock; Bedrock counts in a header. */
function cohereVectors(json: JsonObject) {
  const items = objectsAt(json, 'inputs')
  const parts = items.flatMap((item) => objectsAt(item, 'content'))
  const inputs = [...listAt(json, 'texts'), ...listAt(json, 'images'), ...items]
  const words = [...listAt(json, 'texts'), ...parts.map(({ text }) => text ?? '')]
  const shown = listAt(json, 'images').length + parts.filter(({ type }) => type === 'image_url').length
  const float = inputs.map((input) => vectorFor(seedOf(input), lengthOf(json, 'output_dimension')))
  return {
    body: { id: '5f1a', embeddings: { float }, texts: listAt(json, 'texts'), response_type: 'embeddings_by_type' },
    tokens: words.reduce<number>((sum, text) => sum + tokensIn(text), 0) + shown * imageTokens,
  }
}

function stable(
  name: RegExp,
  own: readonly string[],
  shared: readonly string[] = ['prompt', 'negative_prompt', 'seed', 'output_format'],
): SimulatedModel {
  return {
    form: new RegExp(`stability\\.(?:${name.source})-v\\d:\\d$`),
    fields: Object.fromEntries([...own, ...shared].map((field) => [field, true])),
    answer: () => ({ body: { seeds: [2130420379], finish_reasons: [null], images: [madePng.toString('base64')] } }),
  }
}

function extraneousKey(json: JsonObject, fields: Fields): string | undefined {
  for (const name of Object.keys(json)) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (known === undefined) return name
    const below = known === true ? undefined : extraneousKey(objectAt(json, name), known)
    if (below !== undefined) return below
  }
  return undefined
}
