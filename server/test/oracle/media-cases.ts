import { samplePng } from '#test/matrix/features.ts'
import { addModels } from '#test/setup/add-models.ts'
import type { CallBody } from '#test/setup/client.ts'
import type { JsonObject } from '#test/simulators/json-value.ts'
import { silence } from '#test/simulators/media/audio/audio-bytes.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import type { Observed } from './observe-call.ts'
import { type Protocol, type RecordWorld, vendorOf } from './record-world.ts'
import { late, only, type Played, playRefusal, playSilence, type Tokens } from './text-plays.ts'
import type { HeardAnswer, RecordCase } from './walk-calls.ts'

/** A kind of non-text request, at an upstream with one protocol. */
interface Medium {
  readonly request: string
  readonly endpoint: string
  readonly path: string
  readonly protocol: Protocol
  readonly model: JsonObject & { readonly id: string }
  /** The text contains the mark. */
  body(words: string): CallBody
  readonly answer: StepsScenario
  /** The upstream's counts; the client receives the same or nothing. */
  readonly tokens: Tokens
  costUsd(words: string): number
  /** Counts other than tokens. */
  counted?(words: string): JsonObject
  hear(observed: Observed): HeardAnswer
}

/** Adds a model for each medium, and a route to its upstream. */
export async function addMedia(world: RecordWorld): Promise<void> {
  await addModels(
    world,
    media.map(({ model }) => model),
  )
  for (const { model, protocol } of media) {
    const name = model.id.replace('/', '.')
    await world.addProvider({ vendor: vendorOf(protocol), name, url: `${world.urlOf(protocol)}/v1`, pattern: model.id })
  }
}

export function listMediaCases(): RecordCase[] {
  return media.flatMap((medium) => [
    mediaCase(medium, 'document', { scenario: late(medium.answer), words: { ...only(200), tokens: medium.tokens } }),
    mediaCase(medium, 'rejected', playRefusal(medium.protocol, 'rejected')),
    mediaCase(medium, 'failed', playRefusal(medium.protocol, 'failed')),
    mediaCase(medium, 'empty', { scenario: late(jsonAnswer(200, {})), words: only(200) }),
    { ...mediaCase(medium, 'left early', playSilence()), leaves: 'before the answer' as const },
  ])
}

// Every mark has the same length, so that all prompts have the same number of characters.
const wordsOf = (mark: string): string => `Hello ${mark.padEnd(5)}.`
const markedWords = wordsOf('<0>')

function mediaCase(medium: Medium, outcome: string, played: Played): RecordCase {
  const { request, endpoint, path, protocol, model } = medium
  return {
    label: `${request} of ${model.id}: ${outcome}`,
    request,
    outcome,
    endpoint,
    path,
    body: (mark) => medium.body(wordsOf(mark)),
    model: model.id,
    host: protocol,
    provider: vendorOf(protocol),
    played,
    priced: { costUsd: medium.costUsd(markedWords), savedUsd: 0 },
    counted: medium.counted?.(markedWords) ?? {},
    hear: (observed) => {
      if (outcome === 'document') return medium.hear(observed)
      return { told: null, understood: observed.status >= 400 }
    },
  }
}

function modelOf(id: string, provider: string, kind: string, rest: JsonObject): JsonObject & { id: string } {
  const name = id.slice(id.indexOf('/') + 1)
  return { id, name: id, author: 'acme', kind, provider, upstream_model_id: name, status: 'active', ...rest }
}

const noTokens: Tokens = { prompt: 0, cached: 0, completion: 0, reasoning: 0 }

/** The response document, and its usage under these names. */
function hearDocument({ status, text }: Observed, names: { input: string; output: string }): HeardAnswer {
  const { usage } = JSON.parse(text)
  const prompt = Number(usage[names.input] ?? 0)
  const completion = Number(usage[names.output] ?? 0)
  return { told: { tokens: { ...noTokens, prompt, completion }, costUsd: usage.cost }, understood: status === 200 }
}

function embeddings(protocol: 'openai' | 'gemini', answer: StepsScenario): Medium {
  const id = protocol === 'openai' ? 'acme/embed-1' : 'acme/gemini-embedding-2'
  return {
    request: 'embeddings',
    endpoint: 'embeddings',
    path: '/v1/embeddings',
    protocol,
    model: modelOf(id, vendorOf(protocol), 'embedding', {
      input_modalities: ['text'],
      output_modalities: ['embeddings'],
      pricing: { prompt: '0.000002' },
    }),
    body: (input) => ({ model: id, input }),
    answer,
    tokens: { ...noTokens, prompt: 9 },
    costUsd: () => 0.000018,
    hear: (observed) => hearDocument(observed, { input: 'prompt_tokens', output: 'completion_tokens' }),
  }
}

const imageTokens: Tokens = { ...noTokens, prompt: 10, completion: 1_000 }
const imageRest: JsonObject = {
  input_modalities: ['text', 'image'],
  output_modalities: ['image'],
  // 10 × 5 + 1,000 × 40 dollars per million.
  pricing: { prompt: '0.000005', image_output_token: '0.00004' },
}

function images(protocol: 'openai' | 'gemini', kind: 'made' | 'edited' | 'streamed'): Medium {
  const id = `acme/draw-${protocol}-${kind}`
  const request = { made: 'images', edited: 'image edits', streamed: 'image stream' }[kind]
  return {
    request,
    endpoint: kind === 'edited' ? 'image_edits' : 'images',
    path: kind === 'edited' ? '/v1/images/edits' : '/v1/images/generations',
    protocol,
    model: modelOf(id, vendorOf(protocol), 'image', imageRest),
    body: (prompt) => (kind === 'edited' ? editForm(id, prompt) : { model: id, prompt, stream: kind === 'streamed' }),
    answer: jsonAnswer(200, imageAnswers[protocol]),
    tokens: imageTokens,
    costUsd: () => 0.04005,
    counted: () => ({ output_images: 1 }),
    hear: (observed) =>
      kind === 'streamed'
        ? hearImageEvents(observed)
        : hearDocument(observed, { input: 'input_tokens', output: 'output_tokens' }),
  }
}

function editForm(model: string, prompt: string): FormData {
  const form = new FormData()
  form.append('model', model)
  form.append('prompt', prompt)
  form.append('image', new Blob([Buffer.from(samplePng.base64, 'base64')]), 'picture.png')
  return form
}

function hearImageEvents({ status, text }: Observed): HeardAnswer {
  const usage = JSON.parse(/event: usage\ndata: (.*)/.exec(text)?.[1] ?? '{}')
  const tokens = { ...noTokens, prompt: usage.promptTokens, completion: usage.completionTokens }
  return { told: { tokens, costUsd: usage.cost }, understood: status === 200 && text.includes('event: done') }
}

const imageAnswers: Readonly<Record<'openai' | 'gemini', JsonObject>> = {
  openai: {
    created: 1_757_321_139,
    data: [{ b64_json: samplePng.base64 }],
    usage: {
      input_tokens: 10,
      output_tokens: 1_000,
      total_tokens: 1_010,
      input_tokens_details: { text_tokens: 10, image_tokens: 0 },
    },
  },
  gemini: {
    candidates: [
      {
        content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: samplePng.base64 } }] },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 1_000,
      totalTokenCount: 1_010,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_000 }],
    },
  },
}

const spoken = Buffer.from('ID3 not really a song, but bytes')

const speech: Medium = {
  request: 'speech',
  endpoint: 'speech',
  path: '/v1/audio/speech',
  protocol: 'openai',
  model: modelOf('acme/speak-1', 'openai', 'speech', {
    input_modalities: ['text'],
    output_modalities: ['speech'],
    pricing: { per_character: '0.00001' },
  }),
  body: (input) => ({ model: 'acme/speak-1', input, voice: 'alloy' }),
  answer: {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers: { 'content-type': 'audio/mpeg' } },
      { do: 'bytes', base64: spoken.toString('base64') },
      { do: 'end' },
    ],
  },
  tokens: noTokens,
  costUsd: (words) => words.length / 100_000,
  counted: (words) => ({ input_characters: words.length }),
  // The response is only the audio; the cost is only in the record.
  hear: ({ status, bytes }) => ({ told: null, understood: status === 200 && bytes.equals(spoken) }),
}

const transcription: Medium = {
  request: 'transcriptions',
  endpoint: 'transcriptions',
  path: '/v1/audio/transcriptions',
  protocol: 'openai',
  model: modelOf('acme/hear-1', 'openai', 'transcription', {
    input_modalities: ['audio'],
    output_modalities: ['transcription'],
    pricing: { audio_input: '0.0000025', prompt: '0.0000025', completion: '0.00001' },
  }),
  body: (prompt) => {
    const form = new FormData()
    form.append('model', 'acme/hear-1')
    form.append('prompt', prompt)
    form.append('file', new Blob([Buffer.from('OggS\0\x02')]), 'voice.ogg')
    return form
  },
  answer: jsonAnswer(200, {
    text: 'Hello there.',
    usage: {
      type: 'tokens',
      input_tokens: 14,
      input_token_details: { text_tokens: 4, audio_tokens: 10 },
      output_tokens: 45,
      total_tokens: 59,
    },
  }),
  tokens: { ...noTokens, prompt: 14, completion: 45 },
  // 14 × 2.5 + 45 × 10 dollars per million.
  costUsd: () => 0.000485,
  hear: (observed) => hearDocument(observed, { input: 'input_tokens', output: 'output_tokens' }),
}

const recording = silence(10)

const translation: Medium = {
  request: 'translations',
  endpoint: 'translations',
  path: '/v1/audio/translations',
  protocol: 'openai',
  model: modelOf('acme/whisper-9', 'openai', 'transcription', {
    input_modalities: ['audio'],
    output_modalities: ['transcription'],
    pricing: { per_second_input: '0.0001' },
  }),
  body: (prompt) => {
    const form = new FormData()
    form.append('model', 'acme/whisper-9')
    form.append('prompt', prompt)
    form.append('file', new Blob([new Uint8Array(recording)]), 'voice.wav')
    return form
  },
  answer: jsonAnswer(200, {
    task: 'translate',
    language: 'english',
    duration: 9,
    text: 'Hello there.',
    usage: { type: 'duration', seconds: 9 },
  }),
  tokens: noTokens,
  costUsd: () => 0.0009,
  counted: () => ({ input_seconds: 9 }),
  hear: (observed) => hearDocument(observed, { input: 'input_tokens', output: 'output_tokens' }),
}

const media: readonly Medium[] = [
  embeddings(
    'openai',
    jsonAnswer(200, {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25] }],
      model: 'embed-1',
      usage: { prompt_tokens: 9, total_tokens: 9 },
    }),
  ),
  embeddings(
    'gemini',
    jsonAnswer(200, {
      embeddings: [{ values: [0.5, -0.25] }],
      usageMetadata: { promptTokenCount: 9, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }] },
    }),
  ),
  ...(['openai', 'gemini'] as const).flatMap((protocol) =>
    (['made', 'edited', 'streamed'] as const).map((kind) => images(protocol, kind)),
  ),
  speech,
  transcription,
  translation,
]
