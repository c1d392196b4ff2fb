import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { isJsonObject, objectAt, stringAt } from '#lib/json.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'

export const groq = openAiHost({
  slug: 'groq',
  name: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  quirks: {
    refuses: ['logprobs', 'top_logprobs', 'logit_bias'],
    // Usage and failures stand in an extension object of the last chunk.
    findUsage: (chunk) => {
      const { usage } = objectAt(chunk, 'x_groq')
      return isJsonObject(usage) ? usage : undefined
    },
    findFailure: (chunk) => {
      const message = stringAt(objectAt(chunk, 'x_groq'), 'error')
      return message === undefined ? undefined : upstreamFailure(message)
    },
  },
  media: { ...openAiAudio },
})
