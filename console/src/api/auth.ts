import { offlineError, readRefusal } from './api-error.ts'
import { viewHeaders } from './shown-view.ts'

/** Calls a sign-in endpoint under `/api/auth`. These endpoints are not part of the OpenAPI document. */
export function callAuth<Answer>(path: string, body?: Record<string, unknown>): Promise<Answer> {
  return callUnrecorded(`/api/auth${path}`, body)
}

/** Sends a request that the API drawer does not show, because its body holds a password, a code or a token. */
export async function callUnrecorded<Answer>(path: string, body?: Record<string, unknown>): Promise<Answer> {
  const init: RequestInit =
    body === undefined
      ? { headers: viewHeaders() }
      : {
          method: 'POST',
          headers: { ...viewHeaders(), 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
  const answer = await fetch(path, init).catch(() => {
    throw offlineError()
  })
  const text = await answer.text()
  const parsed: unknown = text === '' ? null : parseOrNull(text)
  if (!answer.ok) throw readRefusal(answer, parsed)
  return parsed as Answer
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
