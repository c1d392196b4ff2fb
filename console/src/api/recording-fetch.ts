import { offlineError, readRefusal } from './api-error.ts'
import { callLog } from './call-log.ts'
import { parseExact } from './exact-json.ts'
import { viewHeaders } from './shown-view.ts'

/**
 * `fetch` for the client: records the request, throws error responses as `ApiError`, and returns a response whose
 * `json()` keeps amounts exact. openapi-fetch calls `json()` only if a content length is set, so the response has one.
 */
export async function recordingFetch(request: Request): Promise<Response> {
  const body = request.method === 'GET' ? null : await request.clone().text()
  const startedMs = performance.now()
  for (const [name, value] of Object.entries(viewHeaders())) request.headers.set(name, value)
  const answer = await fetch(request).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw offlineError()
  })
  const text = await answer.text()
  const { pathname, search } = new URL(request.url)
  callLog.add({
    method: request.method,
    path: pathname + search,
    body: body === '' ? null : body,
    status: answer.status,
    elapsedMs: performance.now() - startedMs,
    requestId: answer.headers.get('x-request-id'),
  })
  if (!answer.ok) throw readRefusal(answer, parseOrNull(text))
  const headers = new Headers(answer.headers)
  headers.set('content-length', String(text.length))
  const hasBody = answer.status !== 204 && answer.status !== 304
  const response = new Response(hasBody ? text : null, { status: answer.status, headers })
  response.json = async () => parseExact(text)
  return response
}

function parseOrNull(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return null
  }
}
