import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

/** Rerank has no version three. */
function rerankUrl(baseUrl: string): string {
  return baseUrl.replace(/\/v3\/openai\/?$/, '/openai/v1')
}

export const novita = openAiHost({
  slug: 'novita',
  name: 'Novita AI',
  baseUrl: 'https://api.novita.ai/v3/openai',
  media: { embedding: openAiEmbeddings(), rerank: rerankWith({ baseUrlOf: rerankUrl }) },
})
