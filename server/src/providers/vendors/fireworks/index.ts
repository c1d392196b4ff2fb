import { fireworksImages } from './images.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { toolChoiceAny } from '#providers/protocols/openai/request/tool-choice-any.ts'

export const fireworks = openAiHost({
  slug: 'fireworks',
  name: 'Fireworks AI',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  // docs.fireworks.ai, "Zero data retention".
  keepsPrompts: false,
  quirks: { finishBody: toolChoiceAny },
  media: { image: fireworksImages, embedding: openAiEmbeddings(), ...openAiAudio },
})
