import { openAiHost } from '../protocols/openai/openai-host.ts'

export const nvidia = openAiHost({ slug: 'nvidia', name: 'NVIDIA NIM', baseUrl: 'https://integrate.api.nvidia.com/v1' })
