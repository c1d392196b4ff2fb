import { createHmac } from 'node:crypto'
import { deriveKey } from '#lib/derive-key.ts'
import type { PersonIdentity } from '#ports/redemptions.ts'

/** Recognizes a person who deleted an account and signed up again with the same address. */
export function createPersonIdentity(options: { masterSecret: string; sendsMail: boolean }): PersonIdentity {
  const key = deriveKey(options.masterSecret, 'redemption addresses')
  return {
    hashAddress: (email) => createHmac('sha256', key).update(mailboxOf(email)).digest(),
    mustBeProven: options.sendsMail,
  }
}

/** Addresses that differ only in a tag after a plus sign share one mailbox. */
function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*@/, '@')
}
