/** The roles of organization members. */
export const roles = ['org_admin', 'billing_viewer', 'team_admin', 'member'] as const
export type Role = (typeof roles)[number]

export function isRole(text: unknown): text is Role {
  return roles.some((role) => role === text)
}
