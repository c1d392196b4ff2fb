/** The state of a key in listings. A revoked key stays revoked, whatever else was set before. */
export function keyState({ revoked, enabled }: { revoked: boolean; enabled: boolean }): string {
  if (revoked) return 'revoked'
  return enabled ? 'enabled' : 'disabled'
}
