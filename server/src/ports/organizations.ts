import type { Membership } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Member, MemberListing } from '#domain/organizations/member.ts'
import type { JoinedOrganization, Organization, OrganizationListing } from '#domain/organizations/organization.ts'
import type { Team, TeamListing } from '#domain/organizations/team.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { MemberSort, Page, PageRequest, TeamSort } from './pages.ts'

/** Organizations, their teams and their members. */
export interface Organizations {
  /** All that a person is a member of, by name; or the one that is asked for. */
  listJoined(query: { userId: Uuid; organizationId?: Uuid }): Promise<JoinedOrganization[]>
  /** By id or slug. */
  find(reference: string): Promise<OrganizationListing | null>
  list(): Promise<OrganizationListing[]>
  /** By name. */
  listTeams(query: PlaceQuery): Promise<TeamListing[]>
  listTeamPage(query: PlaceQuery, page: PageRequest<TeamSort>): Promise<Page<TeamListing>>
  /** Who joined first comes first. */
  listMembers(query: PlaceQuery & { memberId?: Uuid }): Promise<MemberListing[]>
  listMemberPage(query: PlaceQuery, page: PageRequest<MemberSort>): Promise<Page<MemberListing>>
  /** Makes the organization, its wallet and its first member together. False: the slug is taken. */
  create(organization: NewOrganization, entries: readonly AuditEntry[]): Promise<boolean>
  /**
   * Commits all that `work` does, or nothing of it. The organization is locked meanwhile, so that changes of one
   * organization follow one another and each sees what the one before it has left. Null: no such organization.
   */
  change<Result>(organizationId: Uuid, work: (locked: LockedOrganization) => Promise<Result>): Promise<Result | null>
}

export interface PlaceQuery {
  organizationId: Uuid
  /** Only this team, or its members. */
  teamId?: Uuid
  /** The day since when spend is summed up: `2027-01-01`. */
  monthStart: string
}

export interface NewOrganization {
  organization: Organization
  walletId: Uuid
  admin: Member
}

/** An organization that is being changed. */
export interface LockedOrganization {
  readonly organization: Organization
  update(organization: Organization): Promise<void>
  countTeams(): Promise<number>
  findTeam(teamId: Uuid): Promise<Team | null>
  /** Whether a team other than this has the name, whatever the case of its letters. */
  isTeamNameTaken(query: { name: string; exceptTeamId: Uuid | null }): Promise<boolean>
  insertTeam(team: Team): Promise<void>
  updateTeam(team: Team): Promise<void>
  /** Its members stay, without a team. */
  deleteTeam(teamId: Uuid): Promise<void>
  countMembers(): Promise<{ members: number; admins: number }>
  findMember(query: { memberId: Uuid } | { userId: Uuid }): Promise<Member | null>
  insertMember(member: Member): Promise<void>
  updateMember(member: Member): Promise<void>
  deleteMember(memberId: Uuid): Promise<void>
  /** Makes plain members of those who administer a team, and tells who they were. */
  demoteTeamAdmins(teamId: Uuid): Promise<Member[]>
  /** Ends keys of the organization for good: a member's, a team's, or a member's for a team. Tells which. */
  revokeKeys(whose: { memberId?: Uuid; teamId?: Uuid }): Promise<Uuid[]>
  /** To be called whenever a budget has changed: while there was none, nothing was counted. */
  recountWindows(windows: { kinds: readonly ScopeKind[]; ownerId: Uuid }): Promise<void>
  append(entries: readonly AuditEntry[]): Promise<void>
}

/** What a request must know of an organization before anything is done there. */
export interface Memberships {
  find(query: { organizationId: Uuid; userId: Uuid }): Promise<Membership | null>
  findPlace(query: { organizationId: Uuid; userId: Uuid }): Promise<Place | null>
  /** In the organization that has this wallet. */
  findPlaceByWallet(query: { walletId: Uuid; userId: Uuid }): Promise<Place | null>
  /** Null: not of this organization, or nowhere. */
  findTeam(query: { organizationId: Uuid; teamId: Uuid }): Promise<{ id: Uuid } | null>
  findMember(query: { organizationId: Uuid; memberId: Uuid }): Promise<MemberPlace | null>
  /**
   * A key of the organization that is not revoked; its team is its own or its member's, and a key that manages has
   * none.
   */
  findKey(query: { organizationId: Uuid; keyId: Uuid }): Promise<{ id: Uuid; teamId: Uuid | null } | null>
}

/** What a person is in an organization, with the wallet that pays there. */
export interface Place extends Membership {
  readonly walletId: Uuid
}

export interface MemberPlace {
  readonly id: Uuid
  readonly userId: Uuid
  readonly role: Role
  readonly teamId: Uuid | null
}

/** Who the sums of an organization's usage belong to. */
export interface Spenders {
  /** The one that pays for all of it; null: no such organization. */
  findWallet(organizationId: Uuid): Promise<Uuid | null>
  /** Those that there are, by name. */
  listTeams(organizationId: Uuid): Promise<readonly SpendingTeam[]>
  /**
   * Those that there are, in the order they joined; then those of `mentioned` who have left, as far as they are known.
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
  /** Null: has left. */
  readonly joinedAtMs: number | null
}
