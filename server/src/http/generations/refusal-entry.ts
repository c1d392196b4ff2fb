import { Type } from 'typebox'
import { explainRefusal, refusalCode } from '#domain/ledger/explain-refusal.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { Refusal } from '#domain/ledger/refusal.ts'
import type { JsonObject } from '#lib/json.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import { ownerFields } from '../owner-schema.ts'
import { optionalText } from '../schema-types.ts'

/** Why a request was refused. */
export function renderRefusalReason(refusal: Pick<Refusal, 'error' | 'status' | 'boundBy'>): JsonObject {
  return {
    status: refusal.status,
    code: refusalCode(refusal),
    error: refusal.error,
    limit: refusal.boundBy,
    ...explainRefusal(refusal),
  }
}

/** A refused request in a list. */
export function renderRefusal(refusal: Refusal): JsonObject {
  return {
    id: publicGenerationId(refusal.id),
    model: refusal.model,
    created_at: new Date(uuidTimeMs(refusal.id)).toISOString(),
    api_key_id: refusal.keyId,
    endpoint: refusal.endpoint,
    refusal: renderRefusalReason(refusal),
  }
}

export const refusalReasonSchema = Type.Object(
  {
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    code: Type.Union([Type.String(), Type.Integer()], { description: '`error.code` of the response.' }),
    error: Type.String({ description: 'Name of the error, as in the table of errors.' }),
    limit: optionalText(
      'Limit that bound the request, such as `wallet` or `team_month`, or null if the error names it already.',
    ),
    reason: Type.String({ description: 'What happened, in one sentence.' }),
    remedy: Type.String({ description: 'What to do, in one sentence.' }),
  },
  { $id: 'RefusalReason' },
)

export const refusalEntrySchema = Type.Object(
  {
    id: Type.String(),
    model: optionalText(
      'Model that the request asked for. Null if the request was refused before it was read, or named none.',
    ),
    created_at: Type.String({ description: 'When the request arrived, in ISO 8601 format.' }),
    api_key_id: Type.String({ description: 'ID of the API key that made the request.' }),
    ...ownerFields,
    endpoint: Type.String({ description: 'Endpoint that was called, such as `chat`, `messages`, or `images`.' }),
    refusal: refusalReasonSchema,
  },
  { $id: 'RefusalEntry' },
)
