// Finds the text that is nearest to a question.
import { weir } from './weir.mjs'

const texts = ['the price of a token', 'a river in the morning', 'how to rotate a key']
const question = 'what is the price of one token'
const { data } = await weir.embeddings.create({ model: 'test/embedding', input: [...texts, question] })
const vectors = data.map(({ embedding }) => embedding)
const asked = vectors.pop()
const likeness = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0)
const ranked = texts
  .map((text, at) => ({ text, score: likeness(vectors[at], asked) }))
  .sort((one, other) => other.score - one.score)
console.log(ranked[0].text)

// Prints:
// the price of a token
