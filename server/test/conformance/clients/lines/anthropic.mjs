import Anthropic from '@anthropic-ai/sdk'

const weir = new Anthropic({ baseURL: process.env.WEIR_URL, apiKey: process.env.WEIR_KEY })
const messages = [{ role: 'user', content: 'Hello there' }]
const message = await weir.messages.create({ model: 'test/echo', max_tokens: 100, messages })
console.log(message.content[0].text)
