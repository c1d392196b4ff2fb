import { openAiHost } from '../protocols/openai/openai-host.ts'

export const sambanova = openAiHost({ slug: 'sambanova', name: 'SambaNova', baseUrl: 'https://api.sambanova.ai/v1' })
