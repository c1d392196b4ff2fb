// Not an expectation: the list of all test models, so that a new one is attacked too.
import { fixedTestModels } from '#domain/test-models/known-test-models.ts'
import type { JsonObject } from '#lib/json.ts'
import { recordingForm } from '#test/media/audio/recording-form.ts'

/** A request that costs the gateway the most within the body limits. */
export interface CostlyRequest {
  readonly name: string
  readonly path: string
  readonly body: JsonObject | FormData
  readonly statuses: readonly number[]
}

const chatPath = '/v1/chat/completions'

export const plainRequest: Pick<CostlyRequest, 'path' | 'body'> = { path: chatPath, body: chat('echo', 'Hello') }

function chat(model: string, content: string | readonly JsonObject[], rest: JsonObject = {}): JsonObject {
  return { model: `test/${model}`, messages: [{ role: 'user', content: asContent(content) }], ...rest }
}

function asContent(content: string | readonly JsonObject[]): string | JsonObject[] {
  return typeof content === 'string' ? content : [...content]
}

/** The maximum prompt length of test models. */
const words = 'word '.repeat(19_990)
const tools = Array.from({ length: 128 }, (_, index) => ({
  type: 'function',
  function: { name: `f${index}`, parameters: { type: 'object', properties: { a: { type: 'string' } } } },
}))
/** One level per object, up to the depth limit of a body. */
const deepSchema = Array.from({ length: 24 }).reduce<JsonObject>(
  (inner) => ({ type: 'object', properties: { a: inner }, required: ['a'] }),
  { type: 'string' },
)
const schema = { type: 'json_schema', json_schema: { name: 's', schema: deepSchema } }

/** These stay silent until the gateway times out. */
const silent = new Set(['stall', 'silent'])
const anyAnswer = [200, 400, 502, 504]

const words16k = Object.keys(fixedTestModels).flatMap((model) =>
  [false, true].map((stream) => {
    const rest = {
      stream,
      max_tokens: 16_384,
      n: 1,
      tools,
      response_format: model === 'json' ? schema : { type: 'text' },
    }
    const name = `test/${model}${stream ? ', streamed' : ''}`
    return { model, name, path: chatPath, body: chat(model, words, rest), statuses: anyAnswer }
  }),
)

const media: readonly CostlyRequest[] = [
  {
    name: 'test/embedding with as many numbers as it makes',
    path: '/v1/embeddings',
    body: { model: 'test/embedding', input: Array.from({ length: 2_048 }, () => 'a'), dimensions: 32 },
    statuses: anyAnswer,
  },
  {
    name: 'test/embedding with more',
    path: '/v1/embeddings',
    body: { model: 'test/embedding', input: Array.from({ length: 2_048 }, () => 'a'), dimensions: 4_096 },
    statuses: [400],
  },
  {
    name: 'test/rerank with as many documents as a request has',
    path: '/v1/rerank',
    body: { model: 'test/rerank', query: 'a b', documents: Array.from({ length: 1_000 }, () => 'a b c '.repeat(16)) },
    statuses: anyAnswer,
  },
  {
    name: 'test/rerank with more',
    path: '/v1/rerank',
    body: { model: 'test/rerank', query: 'a', documents: Array.from({ length: 1_001 }, () => 'a') },
    statuses: [400],
  },
  {
    name: 'test/image',
    path: '/v1/images/generations',
    body: { model: 'test/image', prompt: words.slice(0, 30_000), n: 10 },
    statuses: anyAnswer,
  },
  {
    name: 'test/speech',
    path: '/v1/audio/speech',
    body: { model: 'test/speech', input: words.slice(0, 4_096), voice: 'tone' },
    statuses: anyAnswer,
  },
  {
    name: 'test/video',
    path: '/v1/videos',
    body: { model: 'test/video', prompt: words.slice(0, 20_000), duration: 4 },
    statuses: [202],
  },
  {
    name: 'test/video with a longer prompt',
    path: '/v1/videos',
    body: { model: 'test/video', prompt: words, duration: 4 },
    statuses: [400],
  },
  {
    name: 'test/transcription',
    path: '/v1/audio/transcriptions',
    body: recordingForm(
      { model: 'test/transcription', prompt: words.slice(0, 20_000), response_format: 'verbose_json' },
      { bytes: Buffer.alloc(10_000_000) },
    ),
    statuses: anyAnswer,
  },
  {
    name: 'test/transcription as subtitles',
    path: '/v1/audio/transcriptions',
    body: recordingForm({ model: 'test/transcription', response_format: 'srt' }, { bytes: Buffer.alloc(10_000_000) }),
    statuses: anyAnswer,
  },
]

const base64 = 'A'.repeat(8_000_000)
const text = { type: 'text', text: 'Look:' }

/** Documents that a test model receives and does not read. The number of parts is the most a body can hold. */
const unread: readonly CostlyRequest[] = (
  [
    ['an image of six megabytes', [{ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }]],
    [
      'a PDF of six megabytes',
      [{ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${base64}` } }],
    ],
    ['a recording of six megabytes', [{ type: 'input_audio', input_audio: { data: base64, format: 'wav' } }]],
    ['a hundred thousand parts', Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'a' }))],
    [
      'ten thousand images',
      Array.from({ length: 10_000 }, () => ({ type: 'image_url', image_url: { url: 'https://a.example/1.png' } })),
    ],
  ] as const
).map(([name, parts]) => ({ name, path: chatPath, body: chat('echo', [text, ...parts]), statuses: [200, 400, 413] }))

export const costlyRequests: readonly CostlyRequest[] = [
  ...media,
  ...unread,
  ...words16k.filter(({ model }) => !silent.has(model)),
]

/** For a gateway with short timeouts: each keeps its prompt until then. */
export const silentRequests: readonly CostlyRequest[] = words16k.filter(({ model }) => silent.has(model))
