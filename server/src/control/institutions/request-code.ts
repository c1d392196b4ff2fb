import { clientNetwork } from '#domain/access/client-network.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CodeStore } from '#ports/institutions.ts'
import type { DeliverCode } from './deliver-code.ts'
import { type CodeDigests, readEntry } from './read-entry.ts'

export interface RequestCodeDeps {
  readonly codes: CodeStore
  readonly digests: CodeDigests
  readonly deliver: DeliverCode
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean
  /** Runs after the client got its response. */
  readonly afterwards: (work: () => Promise<void>) => void
}

/**
 * Requests a code. Before the response it only counts the request, which is the same work for every key and address, so
 * that neither the response nor its timing tells which of them exist. The rest runs afterwards.
 */
export async function requestCode(
  deps: RequestCodeDeps,
  request: { body: JsonObject; clientIp: string | null; requestId: string },
): Promise<void> {
  if (!deps.sendsMail) {
    throw new GatewayError('mailNotConfigured', { message: 'No mail server is configured, so no code can be sent.' })
  }
  const entry = readEntry(deps.digests, request.body)
  const verdict = await deps.codes.admitRequest({
    client: deps.digests.client(clientNetwork(request.clientIp)),
    keyHash: entry.keyHash,
    subject: entry.subject,
  })
  if (verdict.admitted) return deps.afterwards(() => deps.deliver(entry, request.requestId))
  throw new GatewayError(verdict.reason === 'cooldown' ? 'codeCooldown' : 'codeRateLimited', {
    message: `Too many code requests. Retry in ${verdict.waitS} seconds.`,
    retryAfterS: verdict.waitS,
  })
}
