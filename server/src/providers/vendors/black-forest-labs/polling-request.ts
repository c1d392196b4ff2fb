import { type JsonObject, stringAt } from '#lib/json.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { getRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/**
 * A task is known only in the region where it runs, so the URL in the response must be used. It is polled with our key,
 * and therefore only at the vendor's own hosts or at the operator's base URL.
 */
export function pollingRequest(accepted: JsonObject, target: MediaTarget): MediaRequest {
  const stated = stringAt(accepted, 'polling_url')
  if (stated === undefined) return byId(accepted, target)
  const url = URL.parse(stated)
  if (url === null || !(isOwn(url, target) || isVendors(url))) {
    throw new UnusableAnswerError('The upstream returned a polling URL on a foreign host.')
  }
  return { ...getRequest(target, ''), origin: url.origin, path: url.pathname + url.search }
}

/** Before Black Forest Labs had regions, the id alone identified a task. */
function byId(accepted: JsonObject, target: MediaTarget): MediaRequest {
  const id = stringAt(accepted, 'id')
  if (id === undefined || id === '') throw new UnusableAnswerError('The upstream returned no task id.')
  return getRequest(target, `/get_result?id=${encodeURIComponent(id)}`)
}

function isOwn({ origin }: URL, { baseUrl }: MediaTarget): boolean {
  return origin === new URL(baseUrl).origin
}

function isVendors({ protocol, port, hostname }: URL): boolean {
  return protocol === 'https:' && port === '' && /^(?:[a-z0-9-]+\.)*bfl\.(?:ai|ml)$/.test(hostname)
}
