// Makes a key that may spend one cent, spends it, and deletes the key. Needs a management key in WEIR_MANAGEMENT_KEY.
// No limit is ever passed: the third call counted more than was left, and is charged what was left.
import OpenAI from 'openai'
import { call, url } from './weir.mjs'

const manager = { key: process.env.WEIR_MANAGEMENT_KEY }
const { key, data } = await call('/v1/keys', { ...manager, method: 'POST', body: { name: 'one cent', limit: 0.01 } })
const poor = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
for (;;) {
  try {
    // Reports a prompt of 4,000 tokens: $0.004.
    const messages = [{ role: 'user', content: '#usage=4000,0' }]
    const { usage } = await poor.chat.completions.create({ model: 'test/priced', messages, max_tokens: 10 })
    console.log(`spent $${usage.cost}`)
  } catch (error) {
    console.log(`${error.status} ${error.code}`)
    break
  }
}
await fetch(`${url}/v1/keys/${data.id}`, { method: 'DELETE', headers: { authorization: `Bearer ${manager.key}` } })

// Prints:
// spent $0.004
// spent $0.004
// spent $0.002
// 402 spend_limit_exceeded
