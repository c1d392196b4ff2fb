import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const baseten = openAiHost({ slug: 'baseten', name: 'Baseten', baseUrl: 'https://inference.baseten.co/v1' })
