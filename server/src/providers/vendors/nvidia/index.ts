import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { writeInputs } from './write-inputs.ts'

export const nvidia = openAiHost({
  slug: 'nvidia',
  name: 'NVIDIA NIM',
  baseUrl: 'https://integrate.api.nvidia.com/v1',
  media: { embedding: openAiEmbeddings({ images: true, roles: { document: 'passage', query: 'query' }, writeInputs }) },
})
