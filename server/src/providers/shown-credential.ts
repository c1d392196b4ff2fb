import { signJsonWebToken } from '#lib/json-web-token.ts'
import type { Authentication } from './authentication.ts'

const tokenLivesS = 1_800
// The vendor's clock may be behind ours.
const clockSkewS = 5

/**
 * The credential as sent to an upstream at a time. Most are sent as stored. A key pair is turned into a token, and the
 * secret half is never sent. A token is created for each use: that takes microseconds, and a cached token could be too
 * old.
 */
export function shownCredential({ kind }: Authentication, credential: string | null, nowMs: number): string | null {
  const [, accessKey, secret] = kind === 'key-pair' ? (pairForm.exec(credential ?? '') ?? []) : []
  if (accessKey === undefined || secret === undefined) return credential
  const nowS = Math.floor(nowMs / 1_000)
  return signJsonWebToken({ iss: accessKey, exp: nowS + tokenLivesS, nbf: nowS - clockSkewS }, secret)
}

const pairForm = /^([^:]+):(.+)$/
