import { deriveKey } from '#lib/derive-key.ts'

/**
 * The secret that signs cookies. It has its own file, because a command that needs it needs nothing else of the
 * sign-in.
 */
export function signInSecret(masterSecret: string): string {
  return deriveKey(masterSecret, 'sign-in').toString('base64url')
}
