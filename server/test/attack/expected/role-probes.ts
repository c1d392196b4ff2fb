import type { Role } from '#domain/access/roles.ts'

/** An attempt of a member below administrator to exceed their role. */
export interface RoleProbe {
  readonly tries: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /**
   * `{self}` and `{admin}` are members, `{stranger}` is the address of a non-member; `other` things belong to another
   * team.
   */
  readonly path: string
  readonly body?: object
  /** By the role in the console; with a management key every role but `org_admin` gets 403. */
  readonly answers: Readonly<Record<Exclude<Role, 'org_admin'>, readonly number[]>>
}

const org = '/v1/orgs/{org}'
const site = '/api/orgs/{org}'
const nobody = { billing_viewer: [403], team_admin: [403], member: [403] } as const
/** Team administrators may call these within their team; the requests here go beyond it. */
const beyondTeam = { billing_viewer: [403], team_admin: [400, 403], member: [403] } as const

/**
 * The roles of the contract: `org_admin` can do everything, `billing_viewer` reads bills, `team_admin` manages its own
 * team, `member` can do nothing.
 */
export const roleProbes: readonly RoleProbe[] = [
  {
    tries: 'to become an administrator',
    method: 'PATCH',
    path: `${org}/members/{self}`,
    body: { role: 'org_admin' },
    answers: beyondTeam,
  },
  {
    tries: 'to become a viewer of bills',
    method: 'PATCH',
    path: `${org}/members/{self}`,
    body: { role: 'billing_viewer' },
    answers: beyondTeam,
  },
  {
    tries: 'to join another team',
    method: 'PATCH',
    path: `${org}/members/{self}`,
    body: { teamId: '{otherTeam}' },
    answers: beyondTeam,
  },
  {
    tries: 'to leave the team and stay',
    method: 'PATCH',
    path: `${org}/members/{self}`,
    body: { teamId: null },
    answers: beyondTeam,
  },
  {
    tries: 'to demote the administrator',
    method: 'PATCH',
    path: `${org}/members/{admin}`,
    body: { role: 'member' },
    answers: nobody,
  },
  { tries: 'to remove the administrator', method: 'DELETE', path: `${org}/members/{admin}`, answers: nobody },
  { tries: "to read the administrator's membership", method: 'GET', path: `${org}/members/{admin}`, answers: nobody },
  {
    tries: "to lift another team's budget",
    method: 'PATCH',
    path: `${org}/members/{otherMember}`,
    body: { monthlyBudget: null },
    answers: nobody,
  },
  {
    tries: 'to remove a member of another team',
    method: 'DELETE',
    path: `${org}/members/{otherMember}`,
    answers: nobody,
  },
  {
    tries: 'to invite an administrator',
    method: 'POST',
    path: `${org}/members`,
    body: { email: '{stranger}', role: 'org_admin' },
    answers: beyondTeam,
  },
  {
    tries: 'to invite a viewer of bills',
    method: 'POST',
    path: `${org}/members`,
    body: { email: '{stranger}', role: 'billing_viewer' },
    answers: beyondTeam,
  },
  {
    tries: 'to invite somebody into another team',
    method: 'POST',
    path: `${org}/members`,
    body: { email: '{stranger}', teamId: '{otherTeam}' },
    answers: beyondTeam,
  },
  {
    tries: 'to invite an administrator of another team',
    method: 'POST',
    path: `${org}/members`,
    body: { email: '{stranger}', role: 'team_admin', teamId: '{otherTeam}' },
    answers: beyondTeam,
  },
  { tries: 'to rename the organization', method: 'PATCH', path: org, body: { name: 'Taken over' }, answers: nobody },
  {
    tries: 'to lift the budget of the organization',
    method: 'PATCH',
    path: org,
    body: { monthlyBudget: null, weeklyBudget: null },
    answers: nobody,
  },
  { tries: 'to make a team', method: 'POST', path: `${org}/teams`, body: { name: 'Mine' }, answers: nobody },
  { tries: 'to delete the own team', method: 'DELETE', path: `${org}/teams/{team}`, answers: nobody },
  { tries: 'to delete another team', method: 'DELETE', path: `${org}/teams/{otherTeam}`, answers: nobody },
  {
    tries: 'to change another team',
    method: 'PATCH',
    path: `${org}/teams/{otherTeam}`,
    body: { monthlyBudget: null },
    answers: nobody,
  },
  { tries: 'to read another team', method: 'GET', path: `${org}/teams/{otherTeam}`, answers: nobody },
  {
    tries: 'to make a management key',
    method: 'POST',
    path: `${org}/keys`,
    body: { name: 'Mine', keyType: 'management' },
    answers: beyondTeam,
  },
  {
    tries: 'to make a key of the administrator',
    method: 'POST',
    path: `${org}/keys`,
    body: { name: 'Mine', memberId: '{admin}' },
    answers: beyondTeam,
  },
  {
    tries: 'to make a key of another team',
    method: 'POST',
    path: `${org}/keys`,
    body: { name: 'Mine', memberId: '{otherMember}' },
    answers: beyondTeam,
  },
  {
    tries: "to lift the limit of another team's key",
    method: 'PATCH',
    path: `${org}/keys/{otherKey}`,
    body: { spendLimitUsd: null },
    answers: nobody,
  },
  { tries: "to delete another team's key", method: 'DELETE', path: `${org}/keys/{otherKey}`, answers: nobody },
  {
    tries: 'to allow every model',
    method: 'PATCH',
    path: `${site}/allowed-models`,
    body: { allowedModels: [] },
    answers: nobody,
  },
  {
    tries: 'to allow the team every model',
    method: 'PATCH',
    path: `${site}/teams/{team}/allowed-models`,
    body: { allowedModels: [] },
    answers: nobody,
  },
  {
    tries: 'to allow oneself every model',
    method: 'PATCH',
    path: `${site}/members/{self}/allowed-models`,
    body: { allowedModels: [] },
    answers: nobody,
  },
  {
    tries: 'to switch the spend breaker off',
    method: 'PATCH',
    path: `${site}/circuit-breaker`,
    body: { cbEnabled: false },
    answers: nobody,
  },
  {
    tries: "to switch another team's breaker off",
    method: 'PATCH',
    path: `${site}/teams/{otherTeam}/circuit-breaker`,
    body: { cbEnabled: false },
    answers: nobody,
  },
  {
    tries: 'to write a content filter',
    method: 'POST',
    path: `${site}/content-filters`,
    body: { name: 'x', action: 'block', matcher: { kind: 'keyword', keyword: 'x' } },
    answers: nobody,
  },
  { tries: 'to read the own keys', method: 'GET', path: `${site}/own-keys`, answers: nobody },
  { tries: 'to replace the secret of webhooks', method: 'PUT', path: `${site}/webhook-secret`, answers: nobody },
  { tries: 'to read the domains', method: 'GET', path: `${site}/sign-on/domains`, answers: nobody },
  { tries: 'to read the provisioning', method: 'GET', path: `${site}/provisioning`, answers: nobody },
  { tries: 'to read the audit log', method: 'GET', path: `${site}/audit-log`, answers: nobody },
  { tries: 'to export the audit log', method: 'GET', path: `${site}/audit-log/export`, answers: nobody },
  { tries: 'to read the hashes of the audit log', method: 'GET', path: `${site}/audit-log/chain`, answers: nobody },
  {
    tries: 'to read who spent what',
    method: 'GET',
    path: `${site}/reports/by-member?year=2026&month=1`,
    answers: nobody,
  },
  {
    tries: 'to export who spent what',
    method: 'GET',
    path: `${site}/reports/export?view=by-member&year=2026&month=1`,
    answers: nobody,
  },
  {
    tries: 'to make an institution key',
    method: 'POST',
    path: `${site}/institution-keys`,
    body: { name: 'x', eduConfig: { allowedDomains: ['evil.example'] } },
    answers: nobody,
  },
]
