import type { Uuid } from '#lib/uuid.ts'

/** Output items of Responses that the requests of the same wallet may refer to by their ids, for a while. */
export interface KeptItems {
  /** Keeps the items of one answer. Once a wallet has too many, those that were unused the longest are dropped. */
  keep(walletId: Uuid, items: readonly KeptItem[], nowMs: number): Promise<void>
  /**
   * The JSON of each item, in the order of the ids, with null for an id that the wallet has no item for. Renews the
   * items that it finds. The whole result is null if the items together have far more than `bytesMax`.
   */
  find(
    walletId: Uuid,
    ids: readonly string[],
    limits: { readonly nowMs: number; readonly bytesMax: number },
  ): Promise<(string | null)[] | null>
}

export interface KeptItem {
  readonly id: string
  readonly json: string
}
