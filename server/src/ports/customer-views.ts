import type { Person } from '#domain/access/client.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The views that operators have of the consoles of customers: at most one for each session of an operator. */
export interface CustomerViews {
  /**
   * The customer, if the session has this view and it has not ended. Null for a customer who operates by now, or who
   * can open an organization whose audit log does not have the view.
   */
  findOpen(view: { viewId: Uuid; sessionId: Uuid; nowMs: number }): Promise<Person | null>
  /**
   * Replaces the view that the session had. The audit entries are written in the same transaction. Returns false if the
   * session has ended.
   */
  begin(view: NewCustomerView, describe: DescribeBegin): Promise<boolean>
  /** Does nothing, without an audit entry, if the session does not have this view. */
  end(
    view: { viewId: Uuid; sessionId: Uuid },
    describe: (ended: StoredCustomerView) => readonly AuditEntry[],
  ): Promise<void>
}

export interface NewCustomerView {
  readonly id: Uuid
  readonly sessionId: Uuid
  readonly userId: Uuid
  readonly begunAtMs: number
  readonly endsAtMs: number
}

export interface StoredCustomerView {
  readonly id: Uuid
  readonly userId: Uuid
  readonly endsAtMs: number
  /** The organizations whose audit logs say that the view began. */
  readonly organizationIds: readonly Uuid[]
}

/** `organizationIds` are those that the customer can open. */
export type DescribeBegin = (
  organizationIds: readonly Uuid[],
  replaced: StoredCustomerView | null,
) => readonly AuditEntry[]
