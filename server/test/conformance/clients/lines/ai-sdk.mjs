import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const weir = createOpenAICompatible({ name: 'weir', baseURL: `${process.env.WEIR_URL}/v1`, apiKey: process.env.WEIR_KEY })
const { text } = await generateText({ model: weir('test/echo'), prompt: 'Hello there' })
console.log(text)
