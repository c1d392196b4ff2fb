/** The state of a key in listings. Revocation is final, so it takes precedence over `enabled`. */
export function keyState({ revoked, enabled }: { revoked: boolean; enabled: boolean }): string {
  if (revoked) return 'revoked'
  return enabled ? 'enabled' : 'disabled'
}
