import { signJsonWebToken } from '#lib/json-web-token.ts'
import type { Authentication } from './authentication.ts'

const tokenLivesS = 1_800
// Their clock may be behind ours.
const clockSkewS = 5

/**
 * The credential as it is shown to an upstream at a time. Most are shown as they are kept; of a pair of keys a token is
 * made, and the secret half never leaves. A token is made for each use: that takes microseconds, and one that is kept
 * can be too old.
 */
export function shownCredential({ kind }: Authentication, credential: string | null, nowMs: number): string | null {
  const [, accessKey, secret] = kind === 'key-pair' ? (pairForm.exec(credential ?? '') ?? []) : []
  if (accessKey === undefined || secret === undefined) return credential
  const nowS = Math.floor(nowMs / 1_000)
  return signJsonWebToken({ iss: accessKey, exp: nowS + tokenLivesS, nbf: nowS - clockSkewS }, secret)
}

const pairForm = /^([^:]+):(.+)$/
