import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { MediaDialect } from '#dialects/dialect.ts'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { imagesDialect } from '#dialects/images/images-dialect.ts'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import { transcriptionsDialect } from '#dialects/transcriptions/transcriptions-dialect.ts'
import { videosDialect } from '#dialects/videos/videos-dialect.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { MediaTask } from '#domain/media/media-task.ts'
import { defaultVoiceOf } from '#domain/media/speech.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import type { Capability } from './capabilities.ts'
import { type Answered, holdConversation, makeMedia } from './probe-scripts.ts'
import { silence } from './silence.ts'

/** The smallest call that shows whether a provider takes something. */
export interface Probe {
  readonly kind: PricedKind
  /** Only made where it is asked for by name: it costs more than a few cents. */
  readonly isDear?: true
  /** Whether it means something to a model. */
  readonly suits: (model: Model) => boolean
  readonly begin: (candidate: Candidate) => ExchangeScript<Answered>
}

const every = (): boolean => true
const tool = { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } }

export const probes: Readonly<Record<Capability, Probe>> = {
  document: { kind: 'text', suits: every, begin: talk({}) },
  stream: { kind: 'text', suits: every, begin: talk({ stream: true }) },
  tools: { kind: 'text', suits: takes('tools'), begin: talk({ tools: [tool], tool_choice: 'auto' }) },
  sampling: { kind: 'text', suits: takes('temperature'), begin: talk({ temperature: 0.5, top_p: 0.9, seed: 7 }) },
  // A budget must fit below the cap, and the smallest that Claude takes is 1,024.
  thinking: {
    kind: 'text',
    suits: takes('reasoning'),
    begin: talk({ reasoning: { effort: 'low' }, max_tokens: 2_048 }),
  },
  embedding: { kind: 'embedding', suits: every, begin: make(embeddingsDialect, { input: 'weir' }) },
  image: {
    kind: 'image',
    suits: every,
    begin: make(imagesDialect, { prompt: 'A white square', n: 1, quality: 'low' }),
  },
  speech: { kind: 'speech', suits: every, begin: make(speechDialect, { input: 'Hi' }) },
  transcription: { kind: 'transcription', suits: every, begin: make(transcriptionsDialect, {}) },
  video: { kind: 'video', isDear: true, suits: every, begin: make(videosDialect, { prompt: 'A white square' }) },
}

function takes(parameter: string): Probe['suits'] {
  return ({ supportedParameters }) => supportedParameters?.includes(parameter) === true
}

/** Sixteen tokens, because some hosts refuse a lower cap. */
const common = { messages: [{ role: 'user', content: 'Say hi.' }], max_tokens: 16 }

function talk(fields: JsonObject): Probe['begin'] {
  return (candidate) => {
    const body = { model: candidate.model.id, ...common, ...fields }
    return holdConversation(candidate, chatDialect.parse(body))
  }
}

function make(dialect: MediaDialect, fields: JsonObject): Probe['begin'] {
  return (candidate) => {
    const { model } = candidate
    const voice = dialect.name === 'speech' ? { voice: defaultVoiceOf(model.details) ?? 'alloy' } : {}
    const ask = dialect.parse(
      { model: model.id, ...fields, ...voice },
      dialect.name === 'transcriptions' ? [silence] : [],
    )
    assert(ask.media !== undefined, `${dialect.name} makes media`)
    const task: MediaTask = (ask.media.fitTo?.(model) ?? ask.media).task
    return makeMedia(candidate, task)
  }
}
