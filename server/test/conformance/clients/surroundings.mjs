import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

/** The gateway's URL and keys, from the parent process. */
export const { WEIR_URL: url, WEIR_KEY: key, WEIR_EMPTY_KEY: emptyKey } = process.env

export const baseURL = `${url}/v1`

/** A priced model of a simulated vendor. It echoes. */
export const pricedModel = 'openai/gpt-5.2'

/** The same vendor's embedding model: every vector is 0.25, -0.5 and its index. */
export const embeddingModel = 'openai/text-embedding-3-small'

/** A model that draws a small image and counts like gpt-image. */
export const imageModel = 'openai/gpt-image-1.5'

export const pngBytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Fetches one of the gateway's own URLs: its public address is unreachable here. */
export function fetchOurs(address, init) {
  return fetch(String(address).replace('https://weir.test', url), init)
}

/** A model that speaks 5,000 bytes of noise, and one that hears two sentences in every recording. */
export const speechModel = 'openai/tts-1'
export const hearingModel = 'openai/whisper-large-v3'

/** A model of realtime sessions that says the same in every response. */
export const realtimeModel = 'openai/gpt-realtime'

/** A simulated Claude that always thinks, signs the thought and calls `get_weather` for Oslo. */
export const claude = {
  model: 'anthropic/claude-sonnet-4.6',
  thought: 'Hm, 東',
  signature: 'EqQBCkYIBxgCKkAxMjM0+/==',
  callId: 'toolu_01',
  controlUrl: process.env.WEIR_CALLING_CLAUDE,
}

/** Another Claude that always thinks, signs the thought and says 'Hello'. */
export const talkingClaude = {
  model: 'anthropic/claude-haiku-4.5',
  thought: 'Hm',
  signature: claude.signature,
  controlUrl: process.env.WEIR_TALKING_CLAUDE,
}

/** A simulated Gemini that thinks 'Hm' and says 'Hello'. It can only stream. */
export const geminiModel = 'google/gemini-3-pro'

/** The last request body to a Claude. */
export async function lastSentToClaude({ controlUrl } = claude) {
  const response = await fetch(`${controlUrl}/requests`)
  return (await response.json()).at(-1).body
}

/** The blocks of Claude's own turn in a request body. */
export function claudeTurn(body) {
  return body.messages.find(({ role }) => role === 'assistant').content
}

/** Waits for the record of a request: it is written after the client has read the end or disconnected. */
export async function readGeneration(id) {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await fetch(`${baseURL}/generation?id=${id}`, { headers: { authorization: `Bearer ${key}` } })
    if (response.ok) return (await response.json()).data
    await wait(100)
  }
  assert.fail(`there is no record of ${id}`)
}

export const weatherSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

export async function failureOf(run) {
  try {
    await run()
  } catch (error) {
    return error
  }
  assert.fail('it went well')
}
