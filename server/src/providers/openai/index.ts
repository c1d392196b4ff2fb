import { openAiAudio } from '../codecs/openai/audio.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'
import { openAiOutputCap } from '../protocols/openai/output-cap.ts'

export const openai = openAiHost({
  slug: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  quirks: { outputCapFor: openAiOutputCap },
  media: { embedding: openAiEmbeddings({ tokens: true, takesUser: true }), ...openAiAudio },
})
