import { plainImages } from '#providers/codecs/openai/plain-images.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/**
 * Self-hosted, so the operator gives the base URL, which ends in `/v1`, and a key only where the server asks for one.
 */
export const vllm = openAiHost({
  slug: 'vllm',
  name: 'vLLM',
  baseUrl: null,
  keepsPrompts: false,
  authentication: { kind: 'optional-bearer' },
  quirks: {
    replay: 'content',
    // The server ignores the switch itself; the template of the model reads it.
    qwenAtRest: { enable_thinking: false, chat_template_kwargs: { enable_thinking: false } },
  },
  media: { image: plainImages, embedding: openAiEmbeddings({ tokens: true }), ...openAiAudio },
})
