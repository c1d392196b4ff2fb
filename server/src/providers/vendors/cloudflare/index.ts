import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/** The base URL names the operator's account: `https://api.cloudflare.com/client/v4/accounts/{account}/ai/v1`. */
export const cloudflare = openAiHost({
  slug: 'cloudflare',
  name: 'Cloudflare Workers AI',
  baseUrl: null,
  media: { embedding: openAiEmbeddings({ inputsMax: 100 }) },
})
