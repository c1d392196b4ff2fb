import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

/** Where the gateway is and with which keys it may be called, from whoever started this process. */
export const { WEIR_URL: url, WEIR_KEY: key, WEIR_EMPTY_KEY: emptyKey } = process.env

export const baseURL = `${url}/v1`

/** A model that a simulated vendor serves, at a price. */
export const pricedModel = 'openai/gpt-5.2'

/** The record of a request, once there is one: it is written after the caller has seen the end, or has left. */
export async function readGeneration(id) {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await fetch(`${baseURL}/generation?id=${id}`, { headers: { authorization: `Bearer ${key}` } })
    if (response.ok) return (await response.json()).data
    await wait(100)
  }
  assert.fail(`there is no record of ${id}`)
}
