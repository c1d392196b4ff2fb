/**
 * The owner of the things in a path.
 *
 * - `own`: of the caller's account, or of the organization that most callers belong to, in the team of its members.
 * - `other team`: of the same organization, but another team.
 * - `foreign`: of another organization or person.
 * - `own, foreign inside`: the own organization, and in it a thing of another.
 * - `own, vanished inside`: the own organization, and in it a thing that has been deleted.
 * - `own, never-was inside`: the own organization, and in it a thing that never was.
 * - `vanished`: an organization, or a thing of one's own, that has been deleted.
 * - `never-was`: what never was.
 */
const targets = [
  'own',
  'other team',
  'foreign',
  'own, foreign inside',
  'own, vanished inside',
  'own, never-was inside',
  'vanished',
  'never-was',
] as const
export type Target = (typeof targets)[number]

/** The targets that differ for a path, by its parameters. */
export function targetsOf(path: string): readonly Target[] {
  // The token itself identifies its image; the attacker has none.
  if (path.includes('{token}')) return ['never-was']
  if (path.includes('{slug}')) return ['own', 'never-was']
  if (namesInside(path) && path.includes('{orgId}')) return targets
  return path.includes('{') ? ['own', 'foreign', 'vanished', 'never-was'] : ['own']
}

/** Whether the path names more than the organization. */
export function namesInside(path: string): boolean {
  return path.replace('{orgId}', '').includes('{')
}
