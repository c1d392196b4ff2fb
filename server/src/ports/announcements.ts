import type { AnnouncedModel, AnnouncementKind } from '#domain/catalogue/announced-model.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Tells customers about changed prices and retirement dates of models that they used in the 30 days before. */
export interface Announcements {
  /** How many customers used one of these models in the last 30 days. */
  countCustomers(models: readonly string[], nowMs: number): Promise<number>
  /** The newest first. */
  list(limit: number): Promise<readonly AnnouncementListing[]>
  /** Who was told, by wallet. Null if there is no such announcement. */
  listTold(
    id: Uuid,
    page: { readonly after: Uuid | null; readonly limit: number },
  ): Promise<readonly ToldCustomer[] | null>
}

export interface AnnouncementListing {
  readonly id: Uuid
  readonly kind: AnnouncementKind
  readonly createdAtMs: number
  /** Null while customers are being told. */
  readonly finishedAtMs: number | null
  readonly models: readonly string[]
  readonly customers: number
  readonly mails: number
}

export interface ToldCustomer {
  readonly walletId: Uuid
  readonly models: readonly string[]
  readonly mails: number
  readonly toldAtMs: number
}

/** The part of a worker. */
export interface AnnouncementRounds {
  /** Announces again the models that retire within a week, once for each date. Returns how many models there were. */
  remind(nowMs: number): Promise<number>
  /** Tells the next customers of the oldest open announcement. Null if none is open, or another worker has it. */
  tellNext(
    atMost: number,
    telling: { readonly creditsUrl: string; readonly nowMs: number },
  ): Promise<{ readonly told: number } | null>
}

/** What a customer was told, for the console. */
export interface Notices {
  /** The newest first, at most 20. `userId` is the person who reads, whose dismissals count; null for a key alone. */
  list(walletId: Uuid, userId: Uuid | null): Promise<readonly CustomerNotice[]>
  /** Hides the notice from one person. Returns false if the wallet has no such notice. */
  dismiss(notice: { readonly id: Uuid; readonly walletId: Uuid; readonly userId: Uuid }): Promise<boolean>
}

export interface CustomerNotice {
  readonly id: Uuid
  readonly kind: AnnouncementKind
  readonly announcedAtMs: number
  readonly isDismissed: boolean
  /** At most 50, by id. */
  readonly models: readonly AnnouncedModel[]
  /** How many models the notice is about. */
  readonly modelCount: number
}
