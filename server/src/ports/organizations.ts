import type { Membership } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { BudgetedPeople } from '#domain/organizations/maximum-cost.ts'
import type { Member, MemberListing } from '#domain/organizations/member.ts'
import type {
  JoinedOrganization,
  Organization,
  OrganizationListing,
  OrganizationSpend,
} from '#domain/organizations/organization.ts'
import type { Team, TeamListing } from '#domain/organizations/team.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LockedInvitations } from './invitations.ts'
import type { MemberSort, Page, PageRequest, TeamSort } from './pages.ts'

/** Organizations, their teams and their members. */
export interface Organizations {
  /** All organizations of a person, by name, or the requested one. */
  listJoined(query: { userId: Uuid; organizationId?: Uuid }): Promise<JoinedOrganization[]>
  /** Finds an organization by its id or slug. */
  find(reference: string): Promise<OrganizationListing | null>
  list(): Promise<OrganizationListing[]>
  /** The spend and holds of an organization in the week and the month of its budgets. */
  readSpend(query: { organizationId: Uuid; nowMs: number }): Promise<OrganizationSpend>
  /** By name. */
  listTeams(query: PlaceQuery): Promise<TeamListing[]>
  listTeamPage(query: PlaceQuery, page: PageRequest<TeamSort>): Promise<Page<TeamListing>>
  /** In the order in which they joined. */
  listMembers(query: PlaceQuery & { memberId?: Uuid }): Promise<MemberListing[]>
  listMemberPage(query: MemberQuery, page: PageRequest<MemberSort>): Promise<Page<MemberListing>>
  /**
   * Creates the organization, its wallet and its first member together, or nothing: if the slug is taken, or if the
   * founder has already created as many organizations as allowed.
   */
  create(organization: NewOrganization, entries: readonly AuditEntry[]): Promise<'created' | 'slug_taken' | 'full'>
  /**
   * Commits everything that `work` does, or nothing. The organization is locked meanwhile, so that its changes are
   * serialized and each change sees the result of the one before it. Null if there is no such organization.
   */
  change<Result>(organizationId: Uuid, work: (locked: LockedOrganization) => Promise<Result>): Promise<Result | null>
}

export interface PlaceQuery {
  organizationId: Uuid
  /** Only this team, or its members. */
  teamId?: Uuid
  /** First day of the spend sum: `2027-01-01`. */
  monthStart: string
}

export interface MemberQuery extends PlaceQuery {
  /** Only the members of this team; null for members without a team. */
  inTeam?: Uuid | null
  /** Only members without spend since `monthStart`. */
  isIdle?: true
}

export interface NewOrganization {
  organization: Organization
  walletId: Uuid
  admin: Member
  /** The person who creates it by self-service, and how many organizations they may create. Null for an operator. */
  founder: { readonly userId: Uuid; readonly max: number } | null
}

export interface BudgetedPerson extends BudgetedPeople {
  /** Null for an open link. */
  readonly email: string | null
}

/** An organization that is being changed. */
export interface LockedOrganization {
  readonly organization: Organization
  update(organization: Organization): Promise<void>
  countTeams(): Promise<number>
  listTeams(): Promise<Team[]>
  findTeam(teamId: Uuid): Promise<Team | null>
  /** Whether another team has the name, ignoring case. */
  isTeamNameTaken(query: { name: string; exceptTeamId: Uuid | null }): Promise<boolean>
  insertTeam(team: Team): Promise<void>
  updateTeam(team: Team): Promise<void>
  /** Deletes a team. Its members stay in the organization, without a team. */
  deleteTeam(teamId: Uuid): Promise<void>
  countMembers(): Promise<{ members: number; admins: number }>
  findMember(query: { memberId: Uuid } | { userId: Uuid }): Promise<Member | null>
  insertMember(member: Member): Promise<void>
  updateMember(member: Member): Promise<void>
  deleteMember(memberId: Uuid): Promise<void>
  /** Makes the administrators of a team plain members and returns them. */
  demoteTeamAdmins(teamId: Uuid): Promise<Member[]>
  /**
   * Revokes keys of the organization: the keys of a member, of a team, or of a member in a team. Returns the revoked
   * keys.
   */
  revokeKeys(whose: { memberId?: Uuid; teamId?: Uuid }): Promise<Uuid[]>
  /** The addresses with which a member may have begun institution sessions. */
  listMemberAddresses(memberId: Uuid): Promise<readonly string[]>
  /**
   * Ends the running sessions of these addresses with the organization's institution keys. Returns how many. Must be
   * called after the member's row has changed, because that row keeps new sessions out.
   */
  endInstitutionSessions(addresses: readonly string[]): Promise<number>
  /** Must be called whenever a budget changes: without a budget, spend was not counted. */
  recountWindows(windows: { kinds: readonly ScopeKind[]; ownerId: Uuid }): Promise<void>
  readonly invitations: LockedInvitations
  /** Members with access and people with open invitations, by address, and open links without one. */
  listBudgeted(nowMs: number): Promise<BudgetedPerson[]>
  /** Members by address, in lower case. */
  findMembersByAddress(emails: readonly string[]): Promise<ReadonlyMap<string, Member>>
  append(entries: readonly AuditEntry[]): Promise<void>
}

/** The memberships that a request needs before it acts in an organization. */
export interface Memberships {
  find(query: { organizationId: Uuid; userId: Uuid }): Promise<Membership | null>
  findPlace(query: { organizationId: Uuid; userId: Uuid }): Promise<Place | null>
  /** Finds the person's place in the organization that has this wallet. */
  findPlaceByWallet(query: { walletId: Uuid; userId: Uuid }): Promise<Place | null>
  /** Null if it belongs to another organization or does not exist. */
  findTeam(query: { organizationId: Uuid; teamId: Uuid }): Promise<{ id: Uuid } | null>
  findMember(query: { organizationId: Uuid; memberId: Uuid }): Promise<MemberPlace | null>
  /**
   * A key of the organization that is not revoked. Its team is the key's own or its member's; a management key has
   * none.
   */
  findKey(query: { organizationId: Uuid; keyId: Uuid }): Promise<{ id: Uuid; teamId: Uuid | null } | null>
}

/** A person's role in an organization, with the wallet that pays there. */
export interface Place extends Membership {
  readonly walletId: Uuid
  /** How many API keys each member of the organization may create. */
  readonly memberKeysMax: number
}

export interface MemberPlace {
  readonly id: Uuid
  readonly userId: Uuid
  readonly role: Role
  readonly teamId: Uuid | null
}

/** The owners of an organization's usage. */
export interface Spenders {
  /** The wallet that pays for all usage. Null if there is no such organization. */
  findWallet(organizationId: Uuid): Promise<Uuid | null>
  /** Current teams, by name. */
  listTeams(organizationId: Uuid): Promise<readonly SpendingTeam[]>
  /**
   * Current members, in the order in which they joined, then the members in `mentioned` who have left, as far as they
   * are known.
   */
  listMembers(query: { organizationId: Uuid; mentioned: readonly Uuid[] }): Promise<readonly SpendingMember[]>
}

export interface SpendingTeam {
  readonly id: Uuid
  readonly name: string
  readonly costCenterCode: string | null
  readonly monthlyBudget: NanoUsd | null
  readonly createdAtMs: number
}

export interface SpendingMember {
  readonly id: Uuid
  readonly user: { readonly id: Uuid; readonly name: string; readonly email: string }
  readonly team: { readonly id: Uuid; readonly name: string } | null
  readonly monthlyBudget: NanoUsd | null
  /** Null if the member has left. */
  readonly joinedAtMs: number | null
}
