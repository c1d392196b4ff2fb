import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

/** Where the gateway is and with which keys it may be called, from whoever started this process. */
export const { WEIR_URL: url, WEIR_KEY: key, WEIR_EMPTY_KEY: emptyKey } = process.env

export const baseURL = `${url}/v1`

/** A model that a simulated vendor serves, at a price. It echoes. */
export const pricedModel = 'openai/gpt-5.2'

/** The same vendor's model of embeddings: every vector is 0.25, -0.5 and its place among them. */
export const embeddingModel = 'openai/text-embedding-3-small'

/** A model that draws a small picture, and counts what gpt-image does. */
export const imageModel = 'openai/gpt-image-1.5'

/** A picture of one pixel. */
export const pngBytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Fetches what a URL of the gateway's own names: its public address leads nowhere here. */
export function fetchOurs(address, init) {
  return fetch(String(address).replace('https://weir.test', url), init)
}

/** A voice that speaks 5,000 bytes of noise, and an ear that hears two sentences in every recording. */
export const speechModel = 'openai/tts-1'
export const hearingModel = 'openai/whisper-large-v3'

/** A simulated Claude, who always thinks, signs the thought and calls `get_weather` for Oslo. */
export const claude = {
  model: 'anthropic/claude-sonnet-4.6',
  thought: 'Hm, 東',
  signature: 'EqQBCkYIBxgCKkAxMjM0+/==',
  callId: 'toolu_01',
  controlUrl: process.env.WEIR_CALLING_CLAUDE,
}

/** Another, who always thinks, signs the thought and says 'Hello'. */
export const talkingClaude = {
  model: 'anthropic/claude-haiku-4.5',
  thought: 'Hm',
  signature: claude.signature,
  controlUrl: process.env.WEIR_TALKING_CLAUDE,
}

/** A simulated Gemini, who thinks 'Hm' and says 'Hello'. It can only stream. */
export const geminiModel = 'google/gemini-3-pro'

/** The last body that a Claude was sent. */
export async function lastSentToClaude({ controlUrl } = claude) {
  const response = await fetch(`${controlUrl}/requests`)
  return (await response.json()).at(-1).body
}

/** The blocks of Claude's own turn in a body that it was sent. */
export function claudeTurn(body) {
  return body.messages.find(({ role }) => role === 'assistant').content
}

/** The record of a request, once there is one: it is written after the caller has seen the end, or has left. */
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
