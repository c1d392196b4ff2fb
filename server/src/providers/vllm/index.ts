import { plainImages } from '../codecs/openai/plain-images.ts'
import { openAiAudio } from '../codecs/openai/audio.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

/** Self-hosted, so the operator gives the base URL, which ends in `/v1`, and a key only where the server asks for one. */
export const vllm = openAiHost({
  slug: 'vllm',
  name: 'vLLM',
  baseUrl: null,
  authentication: { kind: 'optional-bearer' },
  media: { image: plainImages, embedding: openAiEmbeddings({ tokens: true }), ...openAiAudio },
})
