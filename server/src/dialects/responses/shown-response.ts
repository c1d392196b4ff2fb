import type { JsonObject } from '#lib/json.ts'
import { unansweredResponse } from './stored-state.ts'

/** A stored response as clients see it. */
export function shownResponse(stored: JsonObject, state: 'running' | 'lapsed' | 'ended' | 'cancelled'): JsonObject {
  switch (state) {
    case 'running':
      return unansweredResponse(stored, { status: 'in_progress' })
    case 'cancelled':
      return unansweredResponse(stored, { status: 'cancelled' })
    case 'ended':
      // Its gateway died before it could store the answer.
      return stored.status === 'queued' ? failed(stored) : stored
    case 'lapsed':
      return failed(stored)
  }
}

function failed(stored: JsonObject): JsonObject {
  return unansweredResponse(stored, {
    status: 'failed',
    error: {
      code: 'server_error',
      message: 'The gateway stopped while it worked on the response. Send the request again.',
    },
  })
}
