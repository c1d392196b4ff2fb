import { moonshotQuirks } from '../protocols/openai/moonshot-quirks.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const moonshotaiCn = openAiHost({
  slug: 'moonshotai-cn',
  name: 'Moonshot AI (China)',
  baseUrl: 'https://api.moonshot.cn/v1',
  quirks: moonshotQuirks,
})
