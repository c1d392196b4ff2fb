import { offlineError, readRefusal } from './api-error.ts'
import { callLog } from './call-log.ts'
import { parseExact } from './exact-json.ts'
import type { InferenceCall } from './inference-call.ts'
import { forgetPlaygroundKey, readPlaygroundKey } from './playground-key.ts'

interface Terms {
  readonly organization: string | null
  readonly signal?: AbortSignal
}

/**
 * Calls a model with the playground key. Throws an error response as the API words it. Resolves when the response
 * headers arrive.
 */
export async function callModel(call: InferenceCall, { organization, signal }: Terms): Promise<Response> {
  const { secret } = await readPlaygroundKey(organization, Date.now())
  const startedMs = performance.now()
  const answer = await fetch(call.path, {
    method: call.method,
    // The key alone decides who pays, so the cookie is not sent.
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${secret}`,
      ...(call.body === null ? {} : { 'content-type': 'application/json' }),
    },
    body: call.body,
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : offlineError()
  })
  callLog.add({
    ...call,
    body: call.body === null ? null : shortenData(call.body),
    status: answer.status,
    elapsedMs: performance.now() - startedMs,
    requestId: answer.headers.get('x-request-id'),
  })
  if (answer.ok) return answer
  if (answer.status === 401) forgetPlaygroundKey(organization)
  throw readRefusal(answer, parseOrNull(await answer.text()))
}

/** Shortens base64 files in a body for display. */
export function shortenData(body: string): string {
  return body.replaceAll(/(data:[\w.+/-]+;base64,)[\w+/=]{40,}/g, '$1…').replaceAll(/("data":")[\w+/=]{40,}/g, '$1…')
}

function parseOrNull(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return null
  }
}
