import type { UrlVerdict } from '#domain/egress/judge-url.ts'

/** Judges a URL that somebody else wrote by its text and by every address that its host has now. */
export interface Egress {
  judge(text: string): Promise<UrlVerdict>
}

/** All addresses of a host, of both families. */
export type ResolveHost = (host: string) => Promise<readonly string[]>
