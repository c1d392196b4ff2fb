import OpenAI from 'openai'

/** Where the gateway is. `npm run dev` starts one here and prints a key. */
export const url = process.env.WEIR_URL ?? 'http://127.0.0.1:8484'
export const key = process.env.WEIR_KEY

/** The official SDK, pointed at the gateway. */
export const weir = new OpenAI({ baseURL: `${url}/v1`, apiKey: key })

/** What the SDK has no method for. */
export async function call(path, { method = 'GET', body, key: secret = key } = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`)
  return answer
}

/** A receipt is there from the moment its answer has ended. */
export async function receiptOf(generationId) {
  return (await call(`/v1/generation?id=${generationId}`)).data
}
