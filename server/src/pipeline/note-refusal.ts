import type { Principal } from '#domain/access/principal.ts'
import { modelAskedFor } from '#domain/ledger/model-asked-for.ts'
import type { Refusal } from '#domain/ledger/refusal.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import type { Refusals } from '#ports/refusals.ts'
import { KeyRefusal } from './key-refusal.ts'
import type { Arrival } from './types.ts'

/** Called for every error before the hold. `principal` is null if the error came before the key was accepted. */
export type NoteRefusal = (arrival: Arrival, principal: Principal | null, error: unknown) => void

/** Records refused requests whose key is known. A client that disconnected was not refused. */
export function createNoteRefusal(refusals: Refusals): NoteRefusal {
  return (arrival, principal, error) => {
    const known = principal ?? (error instanceof KeyRefusal ? error.principal : null)
    if (known !== null && !arrival.connection.gone) refusals.note(refusalOf(arrival, known, error))
  }
}

function refusalOf({ generationId, dialect, body }: Arrival, principal: Principal, error: unknown): Refusal {
  const { errorName, row, boundBy } = asGatewayError(error)
  const { keyId, walletId, userId, organizationId, memberId, teamId } = principal
  return {
    id: generationId,
    keyId,
    walletId,
    userId,
    organizationId,
    memberId,
    teamId,
    endpoint: dialect.name,
    error: errorName,
    status: row.status,
    boundBy: boundBy ?? null,
    model: modelAskedFor(body['model']),
  }
}
