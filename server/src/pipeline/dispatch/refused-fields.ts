import type { Candidate } from '#domain/routing/candidates.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { setBounded } from '#lib/set-bounded.ts'
import { refusedFieldIn } from '#providers/refused-field.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'

/**
 * Fields that an upstream refuses for a model although no client sent them: the gateway added or translated them, so the mistake is
 * its own. They are left out for an hour, so that a provider's change costs one request and not each.
 */
export interface RefusedFields {
  /** Notes the field that a refusal names, and gives it; undefined where it names none, or one that the client sent. */
  note(candidate: Candidate, refusal: UpstreamRefusal, sent: JsonObject): string | undefined
  /** A request's body without what its upstream refuses; a client's own fields stay. */
  leaveOut(candidate: Candidate, body: string, sent: JsonObject): string
}

/** Who is told of a field that was not known to be refused. */
export type ReportRefusedField = (candidate: Candidate, field: string, words: string) => void

const forgetAfterMs = 3_600_000
const entriesMax = 1_000

export function createRefusedFields(nowMs: () => number, report: ReportRefusedField): RefusedFields {
  const untilByField = new Map<string, Map<string, number>>()
  return {
    note: (candidate, refusal, sent) => {
      const field = refusedFieldIn(refusal.message) ?? refusedFieldIn(refusal.inside)
      if (field === undefined || Object.hasOwn(sent, field)) return undefined
      const key = keyOf(candidate)
      const fields = untilByField.get(key) ?? new Map<string, number>()
      const isKnown = (fields.get(field) ?? 0) > nowMs()
      fields.set(field, nowMs() + forgetAfterMs)
      setBounded(untilByField, key, fields, entriesMax)
      if (!isKnown) report(candidate, field, refusal.inside)
      return field
    },
    leaveOut: (candidate, body, sent) => {
      const fields = untilByField.get(keyOf(candidate))
      if (fields === undefined) return body
      const refused = [...fields].filter(([, untilMs]) => untilMs > nowMs()).map(([field]) => field)
      return refused.length === 0 ? body : withoutFields(body, refused, sent)
    },
  }
}

function withoutFields(body: string, fields: readonly string[], sent: JsonObject): string {
  const parsed = parseJsonObject(body)
  if (parsed === undefined) return body
  for (const field of fields) if (!Object.hasOwn(sent, field)) delete parsed[field]
  return JSON.stringify(parsed)
}

function keyOf({ account, upstreamModel }: Candidate): string {
  return `${account.id} ${upstreamModel}`
}
