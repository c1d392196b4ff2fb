// Names models that may answer in place of one that fails. You pay the one that answered.
import { weir } from './weir.mjs'

const answer = await weir.chat.completions.create({
  model: 'test/error-503',
  models: ['test/error-503', 'test/echo'],
  messages: [{ role: 'user', content: 'Still there?' }],
})
console.log(`${answer.model} answered: ${answer.choices[0].message.content}`)

// Prints:
// test/echo answered: Still there?
