import type { SpeechTask, TranscriptionTask } from '#domain/media/media-task.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { assemblyAiUpstream } from '#test/simulators/media/audio/assemblyai.ts'
import { cartesiaUpstream } from '#test/simulators/media/audio/cartesia.ts'
import { deepgramUpstream } from '#test/simulators/media/audio/deepgram.ts'
import { elevenLabs } from '#test/simulators/media/audio/elevenlabs.ts'
import { playGeminiSpeech } from '#test/simulators/media/audio/gemini-speech.ts'
import { mistralAudioUpstream } from '#test/simulators/media/audio/mistral.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { type Asked, speak, transcribe } from '../ours/ask-media.ts'
import type { Twin } from '../twin.ts'
import { serving, vertexHost } from './media-upstreams.ts'

function speaking(asked: Asked, task: Partial<SpeechTask> = {}): () => Promise<JsonValue> {
  return async () => ({ base64: (await speak(asked, task)).toString('base64') })
}

type Heard = Awaited<ReturnType<typeof transcribe>>

/** Shows the same parts of a transcription as the SDK's call. */
function hearing(
  asked: Asked,
  task: Partial<TranscriptionTask>,
  show: (heard: Heard) => JsonObject,
): () => Promise<JsonValue> {
  return async () => show(await transcribe(asked, task))
}

function wordsOf({ words }: Heard): JsonValue {
  return words?.map(({ text, startS: start, endS: end }) => ({ text, start, end })) ?? null
}

function tokensOf({ usage }: Heard): JsonObject {
  return { input: (usage?.uncachedInput ?? 0) + (usage?.audioInput ?? 0), output: usage?.textOutput ?? 0 }
}

const cartesiaVersion = {
  '1.header.cartesia-version':
    'A version is a date, and both are served; answers of 2026-03-01 are the ones that we read.',
}

const speechTwins: readonly Omit<Twin, 'capability'>[] = [
  {
    provider: 'openai',
    sdk: 'openai',
    call: 'speech',
    upstream: serving(() => openAiAudioUpstream),
    ours: speaking({ provider: 'openai', model: 'tts-1' }, { format: 'mp3', speed: 1.25 }),
  },
  {
    provider: 'azure',
    sdk: 'openai',
    call: 'azureSpeech',
    upstream: serving(() => under('/openai', shownInHeader('api-key', openAiAudioUpstream))),
    ours: speaking(
      { provider: 'azure', model: 'tts-1', baseUrl: 'https://acme.openai.azure.com/openai/v1' },
      { format: 'mp3', speed: 1.25 },
    ),
  },
  {
    provider: 'groq',
    sdk: 'groq-sdk',
    call: 'speech',
    upstream: serving(() => under('/openai', openAiAudioUpstream)),
    ours: speaking({ provider: 'groq', model: 'playai-tts' }, { format: 'wav' }),
  },
  {
    provider: 'together',
    sdk: 'together-ai',
    call: 'speech',
    upstream: serving(() => openAiAudioUpstream),
    ours: speaking({ provider: 'together', model: 'cartesia/sonic' }, { format: 'pcm' }),
  },
  {
    provider: 'mistral',
    sdk: '@mistralai/mistralai',
    call: 'speech',
    upstream: serving(() => mistralAudioUpstream),
    ours: speaking({ provider: 'mistral', model: 'voxtral-mini-tts' }, { format: 'mp3' }),
  },
  {
    provider: 'elevenlabs',
    sdk: '@elevenlabs/elevenlabs-js',
    call: 'speech',
    upstream: serving(() => elevenLabs),
    ours: speaking({ provider: 'elevenlabs', model: 'eleven_v3' }, { format: 'mp3', speed: 1.1 }),
  },
  {
    provider: 'elevenlabs',
    sdk: '@elevenlabs/elevenlabs-js',
    call: 'speechWav',
    upstream: serving(() => elevenLabs),
    ours: speaking({ provider: 'elevenlabs', model: 'eleven_v3' }, { format: 'wav' }),
  },
  {
    provider: 'deepgram',
    sdk: '@deepgram/sdk',
    call: 'speech',
    upstream: serving(() => deepgramUpstream),
    ours: speaking({ provider: 'deepgram', model: 'aura-2-thalia-en' }, { format: 'wav' }),
  },
  {
    provider: 'cartesia',
    sdk: '@cartesia/cartesia-js',
    call: 'speech',
    upstream: serving(() => cartesiaUpstream),
    ours: speaking({ provider: 'cartesia', model: 'sonic-3' }, { format: 'wav' }),
    differences: cartesiaVersion,
  },
  {
    provider: 'google-ai-studio',
    sdk: '@google/genai',
    call: 'speech',
    upstream: serving(() => playGeminiSpeech()),
    ours: speaking(
      { provider: 'google-ai-studio', model: 'gemini-2.5-flash-preview-tts' },
      { format: 'pcm', voice: 'Kore' },
    ),
  },
  {
    provider: 'google-vertex',
    sdk: '@google/genai',
    call: 'vertexSpeech',
    upstream: serving(() => playGeminiSpeech()),
    ours: speaking({ ...vertexHost, model: 'gemini-2.5-flash-tts' }, { format: 'pcm', voice: 'Kore' }),
  },
]

const transcriptionTwins: readonly Omit<Twin, 'capability'>[] = [
  {
    provider: 'openai',
    sdk: 'openai',
    call: 'transcription',
    upstream: serving(() => openAiAudioUpstream),
    ours: hearing({ provider: 'openai', model: 'gpt-4o-transcribe' }, { language: 'en', prompt: 'Weir' }, (heard) => ({
      text: heard.text,
      words: wordsOf(heard),
      usage: tokensOf(heard),
    })),
  },
  {
    provider: 'openai',
    sdk: 'openai',
    call: 'whisper',
    upstream: serving(() => openAiAudioUpstream),
    ours: hearing({ provider: 'openai', model: 'whisper-1' }, { wants: { segments: false, words: true } }, (heard) => ({
      text: heard.text,
      language: heard.language,
      durationS: heard.durationS,
      words: wordsOf(heard),
    })),
  },
  {
    provider: 'groq',
    sdk: 'groq-sdk',
    call: 'transcription',
    upstream: serving(() => under('/openai', openAiAudioUpstream)),
    ours: hearing({ provider: 'groq', model: 'whisper-large-v3' }, { language: 'en' }, ({ text }) => ({ text })),
  },
  {
    provider: 'mistral',
    sdk: '@mistralai/mistralai',
    call: 'transcription',
    upstream: serving(() => mistralAudioUpstream),
    differences: {
      '1.body.diarize': 'The SDK states the default.',
      '1.body.stream': 'The SDK states the default.',
    },
    ours: hearing({ provider: 'mistral', model: 'voxtral-mini-latest' }, { language: 'en' }, (heard) => ({
      text: heard.text,
      language: heard.language,
      usage: tokensOf(heard),
    })),
  },
  {
    provider: 'elevenlabs',
    sdk: '@elevenlabs/elevenlabs-js',
    call: 'transcription',
    upstream: serving(() => elevenLabs),
    ours: hearing({ provider: 'elevenlabs', model: 'scribe_v1' }, { language: 'en' }, (heard) => ({
      text: heard.text,
      language: heard.language,
      words: wordsOf(heard),
    })),
  },
  {
    provider: 'deepgram',
    sdk: '@deepgram/sdk',
    call: 'transcription',
    upstream: serving(() => deepgramUpstream),
    ours: hearing(
      { provider: 'deepgram', model: 'nova-3' },
      { language: 'en', wants: { segments: true, words: false } },
      (heard) => ({ text: heard.text, words: wordsOf(heard), durationS: heard.durationS }),
    ),
    differences: { '1.header.content-type': 'We name the type of the recording; the SDK says that it is bytes.' },
  },
  {
    provider: 'assemblyai',
    sdk: 'assemblyai',
    call: 'transcription',
    upstream: serving(() => assemblyAiUpstream()),
    ours: hearing({ provider: 'assemblyai', model: 'universal-2' }, { language: 'en' }, (heard) => ({
      text: heard.text,
      language: heard.language,
      durationS: heard.durationS,
      words: wordsOf(heard),
    })),
  },
  {
    provider: 'cartesia',
    sdk: '@cartesia/cartesia-js',
    call: 'transcription',
    upstream: serving(() => cartesiaUpstream),
    ours: hearing(
      { provider: 'cartesia', model: 'ink-whisper' },
      { language: 'en', wants: { segments: false, words: true } },
      (heard) => ({
        text: heard.text,
        language: heard.language,
        durationS: heard.durationS,
        words: wordsOf(heard),
      }),
    ),
    differences: cartesiaVersion,
  },
]

/** A handler for paths below a prefix. */
function under(prefix: string, handler: MediaHandler): MediaHandler {
  return (call, response) => handler({ ...call, path: call.path.replace(prefix, '') }, response)
}

/** A simulated upstream that takes its key in another header. */
function shownInHeader(name: string, handler: MediaHandler): MediaHandler {
  return (call, response) => {
    const headers = { ...call.headers, authorization: `Bearer ${call.headers[name]}` }
    return handler({ ...call, headers }, response)
  }
}

export const audioTwins: readonly Twin[] = [
  ...speechTwins.map((twin) => ({ ...twin, capability: 'speech' as const })),
  ...transcriptionTwins.map((twin) => ({ ...twin, capability: 'transcription' as const })),
]
