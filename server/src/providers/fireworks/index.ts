import { fireworksImages } from './images.ts'
import { openAiAudio } from '../codecs/openai/audio.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'
import { toolChoiceAny } from '../protocols/openai/tool-choice-any.ts'

export const fireworks = openAiHost({
  slug: 'fireworks',
  name: 'Fireworks AI',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  quirks: { finishBody: toolChoiceAny },
  media: { image: fireworksImages, embedding: openAiEmbeddings(), ...openAiAudio },
})
