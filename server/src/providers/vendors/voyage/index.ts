import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import type { MediaVendor } from '#providers/spec.ts'
import { voyageEmbeddings } from './embeddings.ts'

export const voyage: MediaVendor = {
  slug: 'voyage',
  name: 'Voyage AI',
  protocol: 'none',
  baseUrl: 'https://api.voyageai.com/v1',
  authentication: { kind: 'bearer' },
  media: { embedding: voyageEmbeddings, rerank: rerankWith({ topField: 'top_k', extras: ['truncation'] }) },
}
