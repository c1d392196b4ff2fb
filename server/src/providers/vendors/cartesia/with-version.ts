import type { MediaRequest } from '#providers/codecs/exchange-script.ts'

/** Requests without a version are rejected. */
export function withVersion(request: MediaRequest): MediaRequest {
  return { ...request, headers: { ...request.headers, 'cartesia-version': '2026-03-01' } }
}
