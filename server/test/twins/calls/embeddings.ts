import { NumbersText } from '#domain/media/float-vectors.ts'
import type { EmbeddingTask } from '#domain/media/media-task.ts'
import type { JsonValue } from '#lib/json.ts'
import { cohere } from '#test/simulators/media/embeddings/cohere.ts'
import { gemini } from '#test/simulators/media/embeddings/gemini.ts'
import { openAiShaped } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { vertex } from '#test/simulators/media/embeddings/vertex.ts'
import { voyage } from '#test/simulators/media/embeddings/voyage.ts'
import { playInvokeModel } from '#test/simulators/media/invoke-model.ts'
import { promptTokensOf } from '#domain/inference/usage.ts'
import { type Asked, embed } from '../ours/ask-media.ts'
import type { Twin } from '../twin.ts'
import { bedrock, serving, vertexHost } from './media-upstreams.ts'

const inputs: EmbeddingTask['inputs'] = [
  { kind: 'text', text: 'one' },
  { kind: 'text', text: 'two words' },
]

function asking(asked: Asked, task: Partial<EmbeddingTask> = {}, counts = true): () => Promise<JsonValue> {
  return async () => {
    const { vectors, usage } = await embed(asked, { inputs, ...task })
    const shown = vectors.map((vector) => (vector instanceof NumbersText ? vector.toNumbers() : vector)).map(plainOf)
    return { vectors: shown, ...(counts && usage !== null ? { tokens: promptTokensOf(usage) } : {}) }
  }
}

function plainOf(vector: string | readonly number[]): JsonValue {
  return typeof vector === 'string' ? vector : [...vector]
}

const embeddings: readonly Omit<Twin, 'capability'>[] = [
  {
    provider: 'openai',
    sdk: 'openai',
    call: 'embeddings',
    upstream: serving(openAiShaped),
    ours: asking({ provider: 'openai', model: 'text-embedding-3-small' }, { dimensions: 4, encoding: 'float' }),
  },
  {
    provider: 'mistral',
    sdk: '@mistralai/mistralai',
    call: 'embeddings',
    upstream: serving(() => openAiShaped({ dimensionsField: 'output_dimension', id: 'embd-1' })),
    ours: asking({ provider: 'mistral', model: 'codestral-embed' }, { dimensions: 4, encoding: 'float' }),
  },
  {
    provider: 'together',
    sdk: 'together-ai',
    call: 'embeddings',
    // The response of this SDK has no usage.
    upstream: serving(() => openAiShaped({ usage: () => undefined })),
    ours: asking({ provider: 'together', model: 'intfloat/multilingual-e5-large-instruct' }),
  },
  {
    provider: 'openrouter',
    sdk: '@openrouter/sdk',
    call: 'embeddings',
    upstream: serving(openAiShaped),
    ours: asking({ provider: 'openrouter', model: 'openai/text-embedding-3-small' }, { encoding: 'float' }),
  },
  {
    provider: 'google-ai-studio',
    sdk: '@google/genai',
    call: 'embeddings',
    upstream: serving(() => gemini),
    ours: asking(
      { provider: 'google-ai-studio', model: 'gemini-embedding-001' },
      { dimensions: 4, extras: { input_type: 'query' } },
      false,
    ),
    differences: {
      '1.body.requests.0.content.role': 'The role is optional, and we leave it out.',
      '1.body.requests.1.content.role': 'The role is optional, and we leave it out.',
      '2': 'The model counts nothing, so we ask for the count, which is free.',
    },
  },
  {
    provider: 'cohere',
    sdk: 'cohere-ai',
    call: 'embeddings',
    upstream: serving(() => cohere),
    ours: asking({ provider: 'cohere', model: 'embed-v4.0' }, { dimensions: 4, extras: { input_type: 'query' } }),
  },
  {
    provider: 'google-vertex',
    sdk: '@google/genai',
    call: 'vertexEmbeddings',
    upstream: serving(() => vertex),
    ours: asking({ ...vertexHost, model: 'text-embedding-005' }, { dimensions: 256, extras: { input_type: 'query' } }),
  },
  {
    provider: 'google-vertex',
    sdk: '@google/genai',
    call: 'vertexContents',
    upstream: serving(() => vertex),
    ours: asking(
      { ...vertexHost, model: 'gemini-embedding-2' },
      { inputs: inputs.slice(1), dimensions: 256, extras: { input_type: 'query' } },
    ),
  },
  {
    provider: 'amazon-bedrock',
    sdk: '@aws-sdk/client-bedrock-runtime',
    call: 'titanEmbeddings',
    upstream: serving(playInvokeModel),
    ours: asking({ ...bedrock, model: 'amazon.titan-embed-text-v2:0' }, { dimensions: 256 }),
  },
  {
    provider: 'amazon-bedrock',
    sdk: '@aws-sdk/client-bedrock-runtime',
    call: 'cohereEmbeddings',
    upstream: serving(playInvokeModel),
    // The count is in a header, which the SDK does not expose.
    ours: asking(
      { ...bedrock, model: 'us.cohere.embed-v4:0' },
      { dimensions: 256, extras: { input_type: 'query' } },
      false,
    ),
  },
  {
    provider: 'voyage',
    sdk: 'voyageai',
    call: 'embeddings',
    upstream: serving(() => voyage),
    ours: asking({ provider: 'voyage', model: 'voyage-3.5' }, { dimensions: 4, extras: { input_type: 'document' } }),
  },
  {
    provider: 'voyage',
    sdk: 'voyageai',
    call: 'multimodal',
    upstream: serving(() => voyage),
    ours: asking(
      { provider: 'voyage', model: 'voyage-multimodal-3' },
      { inputs: inputs.slice(0, 1), encoding: 'base64' },
    ),
  },
  {
    provider: 'voyage',
    sdk: 'voyageai',
    call: 'contextualized',
    upstream: serving(() => voyage),
    ours: asking({ provider: 'voyage', model: 'voyage-context-3' }, { dimensions: 4 }),
  },
]

/** Embeddings of texts. */
export const embeddingTwins: readonly Twin[] = embeddings.map((twin) => ({ ...twin, capability: 'embeddings' }))
