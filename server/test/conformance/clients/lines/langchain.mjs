import { ChatOpenAI } from '@langchain/openai'

const configuration = { baseURL: `${process.env.WEIR_URL}/v1` }
const weir = new ChatOpenAI({ model: 'test/echo', apiKey: process.env.WEIR_KEY, configuration })
const answer = await weir.invoke('Hello there')
console.log(answer.content)
