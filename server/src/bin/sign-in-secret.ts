import { deriveKey } from '#lib/derive-key.ts'

/** What signs the cookies. In a file of its own, because a command that needs it needs nothing else of the sign-in. */
export function signInSecret(masterSecret: string): string {
  return deriveKey(masterSecret, 'sign-in').toString('base64url')
}
