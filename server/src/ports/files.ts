import type { FileOwner } from '#domain/files/file-owner.ts'
import type { FilePurpose, StoredFile } from '#domain/files/stored-file.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Files of wallets: rows, and sealed chunks in the blob store. */
export interface Files {
  /** `full`: the wallet has too many files, or too many bytes. */
  create(file: NewFile, content: AsyncIterable<Buffer>): Promise<StoredFile | 'full'>
  /** Null for a file that is missing, expired, not complete, or of another owner. */
  find(owner: FileOwner, id: Uuid, nowMs: number): Promise<StoredFile | null>
  /** Only files of the Files API. */
  list(owner: FileOwner, query: FileListQuery): Promise<StoredFile[]>
  /** From then on the file is missing. A worker deletes it once no batch reads it. */
  remove(owner: FileOwner, id: Uuid, nowMs: number): Promise<boolean>
  /** Opens a file by its id alone, for its batch or after `find`. Null if it is gone or can no longer be decrypted. */
  open(id: Uuid): Promise<OpenFile | null>
}

export interface NewFile extends FileOwner {
  readonly id: Uuid
  readonly userId: Uuid | null
  readonly purpose: FilePurpose
  readonly name: string
  /** For the limit of the wallet. Null if it is only known at the end. */
  readonly byteCount: number | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** Whether the file is created even if the wallet has too many, because its content is paid for. */
  readonly isExempt?: true
}

export interface FileListQuery {
  readonly purpose: FilePurpose | null
  readonly after: Uuid | null
  readonly isAscending: boolean
  readonly limit: number
  readonly nowMs: number
}

export interface OpenFile {
  readonly byteCount: number
  /** Consecutive reads of nearby ranges decrypt each chunk once. */
  read(first: number, byteCount: number): Promise<Buffer>
  chunks(): AsyncIterable<Buffer>
}
