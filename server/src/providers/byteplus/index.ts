import { openAiHost } from '../protocols/openai/openai-host.ts'

export const byteplus = openAiHost({
  slug: 'byteplus',
  name: 'BytePlus Ark',
  baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
})
