import { moonshotQuirks } from '../protocols/openai/moonshot-quirks.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const moonshotai = openAiHost({
  slug: 'moonshotai',
  name: 'Moonshot AI',
  baseUrl: 'https://api.moonshot.ai/v1',
  quirks: moonshotQuirks,
})
