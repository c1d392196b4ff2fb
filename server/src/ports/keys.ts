import type { Principal } from '#domain/access/principal.ts'

/** Finds who is behind a key, by the SHA-256 of the whole secret in hexadecimal. */
export interface Keys {
  findPrincipal(secretHash: string): Promise<Principal | null>
}
