import type { SignedInPerson } from '#domain/access/caller.ts'

/** The website's sessions. */
export interface Sessions {
  /** Who is signed in with these cookies; null when nobody is. */
  findPerson(cookie: string): Promise<SignedInPerson | null>
}
