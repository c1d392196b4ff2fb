// Shows what an SDK sees when things go wrong, and that a failure costs nothing.
import { APIError } from 'openai'
import { weir } from './weir.mjs'

const messages = [{ role: 'user', content: 'Hi' }]
for (const model of ['test/error-429', 'test/error-500', 'no-such/model']) {
  try {
    await weir.chat.completions.create({ model, messages }, { maxRetries: 0 })
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    console.log(`${model}: ${error.status} ${error.code}`)
  }
}
try {
  const stream = await weir.chat.completions.create({ model: 'test/cut', messages, stream: true })
  await Array.fromAsync(stream)
} catch (error) {
  console.log(`test/cut: ${error.code}`)
}

// Prints:
// test/error-429: 429 upstream_rate_limited
// test/error-500: 502 upstream_unavailable
// no-such/model: 400 unknown_model
// test/cut: upstream_unavailable
