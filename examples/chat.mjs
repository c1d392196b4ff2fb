// Asks a question and prints the answer, what it cost, and where its receipt is.
import { weir } from './weir.mjs'

const { data, response } = await weir.chat.completions
  .create({ model: 'test/priced', messages: [{ role: 'user', content: 'Hello there' }] })
  .withResponse()
console.log(data.choices[0].message.content)
console.log(`${data.usage.prompt_tokens} + ${data.usage.completion_tokens} tokens, $${data.usage.cost}`)
console.log(`receipt: ${response.headers.get('x-generation-id')}`)

// Prints:
// Hello there
// 3 + 2 tokens, $0.000007
// receipt: gen-…
