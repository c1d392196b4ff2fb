// Asks for JSON of a given shape.
import { weir } from './weir.mjs'

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' }, role: { enum: ['reader', 'writer'] } },
  required: ['name', 'age', 'role'],
  additionalProperties: false,
}
const answer = await weir.chat.completions.create({
  model: 'test/json',
  messages: [{ role: 'user', content: 'Invent a person' }],
  response_format: { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } },
})
const person = JSON.parse(answer.choices[0].message.content)
console.log(person)

// Prints:
// { name: 'name', age: 0, role: 'reader' }
