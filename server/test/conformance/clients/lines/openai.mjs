import OpenAI from 'openai'

const weir = new OpenAI({ baseURL: `${process.env.WEIR_URL}/v1`, apiKey: process.env.WEIR_KEY })
const messages = [{ role: 'user', content: 'Hello there' }]
const completion = await weir.chat.completions.create({ model: 'test/echo', messages })
console.log(completion.choices[0].message.content)
