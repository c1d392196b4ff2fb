import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/**
 * Hugging Face is itself a router: a model's name may end with `:provider`, and the response has the format of the
 * provider that served it.
 */
export const huggingface = openAiHost({
  slug: 'huggingface',
  name: 'Hugging Face',
  baseUrl: 'https://router.huggingface.co/v1',
})
