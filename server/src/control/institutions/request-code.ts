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
  /** Runs once the client has been answered. */
  readonly afterwards: (work: () => Promise<void>) => void
}

/**
 * Asks for a code. All that happens before the answer is counting the request, which is the same work for every key and
 * address: neither the answer nor its time tells which of them exist. The rest follows afterwards.
 */
export async function requestCode(
  deps: RequestCodeDeps,
  request: { body: JsonObject; clientIp: string | null; requestId: string },
): Promise<void> {
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
