import { openAiHost } from '../protocols/openai/openai-host.ts'

export const upstage = openAiHost({ slug: 'upstage', name: 'Upstage', baseUrl: 'https://api.upstage.ai/v1' })
