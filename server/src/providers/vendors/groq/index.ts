import { openAiSpeechWith } from '#providers/codecs/openai/speech.ts'
import { openAiTranscription } from '#providers/codecs/openai/transcription.ts'
import { isTranslatingWhisper, openAiTranslationWith } from '#providers/codecs/openai/translation.ts'
import { isJsonObject, objectAt, stringAt } from '#lib/json.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'

export const groq = openAiHost({
  slug: 'groq',
  name: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  quirks: {
    // From its SDK 1.6. Models react differently to a history with thoughts, so Groq gets none.
    takes: new Set([
      'frequency_penalty',
      'include_reasoning',
      'metadata',
      'n',
      'parallel_tool_calls',
      'presence_penalty',
      'reasoning_effort',
      'reasoning_format',
      'seed',
      'service_tier',
      'store',
      'user',
    ]),
    efforts: ['none', 'default', 'low', 'medium', 'high'],
    qwenAtRest: { reasoning_effort: 'none' },
    thoughtsFor: () => 'none',
    // Usage and failures are in an extension object of the last chunk.
    findUsage: (chunk) => {
      const { usage } = objectAt(chunk, 'x_groq')
      return isJsonObject(usage) ? usage : undefined
    },
    findFailure: (chunk) => {
      const message = stringAt(objectAt(chunk, 'x_groq'), 'error')
      return message === undefined ? undefined : upstreamFailure(message)
    },
  },
  media: {
    speech: openAiSpeechWith({ formats: ['flac', 'mp3', 'mulaw', 'ogg', 'wav', 'opus'], formatNames: { opus: 'ogg' } }),
    transcription: openAiTranscription,
    translation: openAiTranslationWith({ translates: isTranslatingWhisper }),
  },
})
