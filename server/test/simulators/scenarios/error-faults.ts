import type { StepsScenario } from '../scenario.ts'
import type { VendorName } from '../vendors/vendor-style.ts'
import { jsonAnswer } from './json-answer.ts'
import { vendorError } from './vendor-error.ts'

/** 429 with `Retry-After` in seconds or as an HTTP date, and `retry-after-ms` only if requested. */
export function rateLimited(
  options: { retryAfter?: string | number; retryAfterMs?: number; vendor?: VendorName } = {},
): StepsScenario {
  const { retryAfter = 1, retryAfterMs, vendor = 'generic' } = options
  const headers: Record<string, string> = { 'retry-after': String(retryAfter) }
  if (retryAfterMs !== undefined) headers['retry-after-ms'] = String(retryAfterMs)
  return vendorError(vendor, 'rate-limited', { headers })
}

/** A 429 for missing credit, so waiting does not help. */
export function insufficientQuota(vendor: VendorName = 'openai'): StepsScenario {
  return vendorError(vendor, 'insufficient-quota')
}

export function serverError(status = 500): StepsScenario {
  const message = status === 529 ? 'Overloaded' : 'The server had an error while processing your request.'
  return vendorError('openai', 'server-error', { status, message })
}

/** The response of a proxy in front of a vendor: a page instead of JSON. */
export function htmlError(status = 502): StepsScenario {
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status, headers: { 'content-type': 'text/html', server: 'proxy' } },
      { do: 'write', text: `<html><head><title>${status}</title></head><body>Bad gateway</body></html>` },
      { do: 'end' },
    ],
  }
}

/** An error with status 200, both for streams and for JSON. */
export function errorObjectWith200(message = 'The model is not available.'): StepsScenario {
  return jsonAnswer(200, { error: { message, type: 'server_error', param: null, code: 'model_unavailable' } })
}

/** Redirects the client; a gateway must not follow. */
export function redirect(url: string, status = 307): StepsScenario {
  return {
    kind: 'steps',
    steps: [{ do: 'head', status, headers: { location: url, 'content-length': '0' } }, { do: 'end' }],
  }
}
