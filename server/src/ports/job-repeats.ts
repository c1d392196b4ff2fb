import type { AuditEntry } from '#domain/audit/audit-entry.ts'

/** Failed work that an operator can have a worker attempt at once, instead of after its pause. */
export const repeatableKinds = ['webhook', 'mail', 'sink'] as const
export type RepeatableKind = (typeof repeatableKinds)[number]

export interface FailedWork {
  readonly kind: RepeatableKind
  /** The ID of a webhook delivery or an email, or the name of an event sink. */
  readonly id: string
}

/**
 * `repeated`: a worker attempts it again at once. `not_failed`: it is delivered, or was not attempted yet.
 * `text_deleted`: the email is given up, and its text was deleted then.
 */
export type RepeatOutcome = 'repeated' | 'not_found' | 'not_failed' | 'text_deleted'

export interface JobRepeats {
  /** Appends the entry if the work is repeated. */
  repeat(work: FailedWork, entry: AuditEntry, nowMs: number): Promise<RepeatOutcome>
}
