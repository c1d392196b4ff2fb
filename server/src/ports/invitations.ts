import type {
  Invitation,
  InvitationListing,
  InvitationStatus,
  OpenedInvitation,
} from '#domain/organizations/invitation.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { NewMail } from './mail-outbox.ts'
import type { InvitationSort, Page, PageRequest } from './pages.ts'

/** Invitations, outside of a change. */
export interface Invitations {
  listPage(query: InvitationQuery, page: PageRequest<InvitationSort>): Promise<Page<InvitationListing>>
  findByToken(tokenHash: Buffer): Promise<OpenedInvitation | null>
  /** Whether the person has proven the address of the account. */
  isProven(userId: Uuid): Promise<boolean>
}

export interface InvitationQuery {
  readonly organizationId: Uuid
  /** Only invitations to this team that its administrator may manage. */
  readonly ofTeam?: Uuid
  readonly status?: InvitationStatus
  readonly nowMs: number
}

/** Invitations of an organization that is being changed. */
export interface LockedInvitations {
  find(invitationId: Uuid): Promise<Invitation | null>
  findByToken(tokenHash: Buffer): Promise<Invitation | null>
  /** Open invitations to these addresses, expired ones included. */
  findOpen(emails: readonly string[]): Promise<Invitation[]>
  /** Neither revoked nor used up nor expired. */
  countOpen(nowMs: number): Promise<number>
  insert(invitation: Invitation): Promise<void>
  update(invitation: Invitation): Promise<void>
  /** Queues an email that is sent after the change is committed. It replaces an open one on the same topic. */
  queueMail(mail: NewMail): Promise<void>
  /** Drops the unsent email on a topic. */
  dropMail(topic: string): Promise<void>
}
