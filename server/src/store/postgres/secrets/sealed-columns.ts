import { evidenceAssociated } from '../moderation/evidence-book.ts'

/** A column of sealed values, and what each was sealed for. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly associated: (id: string) => string
}

const ownId = (id: string): string => id

/** Every sealed column there is. What is not here is lost with the secret that sealed it. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'provider_accounts', column: 'credential', associated: ownId },
  { table: 'own_keys', column: 'credential', associated: ownId },
  { table: 'webhook_secrets', column: 'secret', associated: ownId },
  { table: 'video_jobs', column: 'task', associated: ownId },
  { table: 'moderation_evidence', column: 'content', associated: evidenceAssociated },
]
