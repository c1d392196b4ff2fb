import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const chutes = openAiHost({ slug: 'chutes', name: 'Chutes', baseUrl: 'https://llm.chutes.ai/v1' })
