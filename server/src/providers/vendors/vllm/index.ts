import { plainImages } from '#providers/codecs/openai/plain-images.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/** Self-hosted: the operator sets the base URL, which ends with `/v1`, and a key only if the server requires one. */
export const vllm = openAiHost({
  slug: 'vllm',
  name: 'vLLM',
  baseUrl: null,
  keepsPrompts: false,
  authentication: { kind: 'optional-bearer' },
  quirks: {
    replay: 'content',
    // The server itself ignores the switch; the model's template reads it.
    qwenAtRest: { enable_thinking: false, chat_template_kwargs: { enable_thinking: false } },
  },
  media: { image: plainImages, embedding: openAiEmbeddings({ tokens: true }), ...openAiAudio },
})
