// Lets a model call a function of this program, and gives it the result.
import { weir } from './weir.mjs'

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const functions = { get_weather: ({ city }) => ({ city, celsius: 4, sky: 'fog' }) }

const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }]
for (;;) {
  const { choices } = await weir.chat.completions.create({ model: 'test/tools', messages, tools })
  const { message } = choices[0]
  messages.push(message)
  if (!message.tool_calls) break
  for (const { id, function: asked } of message.tool_calls) {
    const result = functions[asked.name](JSON.parse(asked.arguments))
    console.log(`${asked.name}(${asked.arguments}) gave ${JSON.stringify(result)}`)
    messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) })
  }
}
console.log(`in ${messages.length} messages`)

// Prints:
// get_weather({"city":"city"}) gave {"city":"city","celsius":4,"sky":"fog"}
// in 4 messages
