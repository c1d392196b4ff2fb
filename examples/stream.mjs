// Prints an answer word by word. Usage and cost come with the last chunk.
import { weir } from './weir.mjs'

const stream = await weir.chat.completions.create({
  model: 'test/priced',
  messages: [{ role: 'user', content: 'one word after another' }],
  stream: true,
  stream_options: { include_usage: true },
})
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
  if (chunk.usage) console.log(`\n${chunk.usage.completion_tokens} tokens, $${chunk.usage.cost}`)
}

// Prints:
// one word after another
// 4 tokens, $0.000014
