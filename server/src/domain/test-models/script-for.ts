import type { JsonObject } from '#lib/json.ts'
import { answerFor } from './answer-for.ts'
import { parseTestId } from './parse-test-id.ts'
import { scriptOfJson } from './script-of-json.ts'
import { scriptOfStream } from './script-of-stream.ts'
import type { Script } from './script.ts'

/** Deterministic: the same model and body give the same script. */
export function scriptFor(modelName: string, body: JsonObject): Script {
  const id = parseTestId(modelName)
  if (id === undefined) return errorScript(404, `Test model ${modelName} not found.`)
  const reply = answerFor(id, body)
  if (reply.kind === 'error') return errorScript(reply.status, reply.message)
  return body.stream === true ? scriptOfStream(modelName, reply.answer) : scriptOfJson(modelName, reply.answer)
}

/** An error before the response starts, in OpenAI's format. */
function errorScript(status: number, message: string): Script {
  const { type, code } = errorKinds.get(status) ?? {
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    code: null,
  }
  const headers = { 'content-type': 'application/json' }
  return {
    status,
    headers: status === 429 ? { ...headers, 'retry-after': '1' } : headers,
    headersAfterMs: 0,
    steps: [
      { kind: 'bytes', text: JSON.stringify({ error: { message, type, param: null, code } }), afterMs: 0 },
      { kind: 'end' },
    ],
  }
}

const errorKinds = new Map<number, { type: string; code: string | null }>([
  [401, { type: 'invalid_request_error', code: 'invalid_api_key' }],
  [402, { type: 'insufficient_quota', code: 'insufficient_quota' }],
  [403, { type: 'permission_error', code: null }],
  [404, { type: 'invalid_request_error', code: 'model_not_found' }],
  [429, { type: 'rate_limit_error', code: 'rate_limit_exceeded' }],
  [529, { type: 'overloaded_error', code: null }],
])
