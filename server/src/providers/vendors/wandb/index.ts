import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const wandb = openAiHost({
  slug: 'wandb',
  name: 'Weights & Biases Inference',
  baseUrl: 'https://api.inference.wandb.ai/v1',
})
