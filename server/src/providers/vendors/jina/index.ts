import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import type { MediaVendor } from '#providers/spec.ts'
import { jinaEmbeddings } from './embeddings.ts'

export const jina: MediaVendor = {
  slug: 'jina',
  name: 'Jina AI',
  protocol: 'none',
  baseUrl: 'https://api.jina.ai/v1',
  authentication: { kind: 'bearer' },
  media: { embedding: jinaEmbeddings, rerank: rerankWith({ repeatsDocuments: true }) },
}
