import { walletIdIn, walletKey } from '#domain/access/wallet-key.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CacheEntry, CacheKey } from '#ports/cached-answers.ts'
import type { KeptAnswer } from './kept-answer.ts'

/** A kept answer, and until when it may be used. */
interface Recent {
  readonly kept: KeptAnswer
  readonly filledAtMs: number
  readonly expiresAtMs: number
  readonly readAtMs: number
}

/** A gateway that has just read an answer may use it for this time after its row was deleted. */
export const recentMs = 5_000
const bytesMax = 33_554_432
// An entry takes memory besides its bytes.
const overheadBytes = 2_048

/**
 * Kept answers that this process has read in the last seconds, so that a repeated hit reads neither row nor blob. The
 * wallet and everything that decides who may get an answer are in its name. If there is no more room, the wallet with
 * the most bytes loses the answer that was read longest ago, so no wallet loses answers to one that has more.
 */
export class RecentAnswers {
  readonly #nowMs: () => number
  /** In the order of reading. */
  readonly #recent = new Map<string, Recent>()
  #bytes = 0
  readonly #bytesOf = new Map<Uuid, number>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Null if the answer must be read, or is older than this. */
  find(key: CacheKey, maxAgeMs: number): KeptAnswer | null {
    const found = this.#recent.get(nameOf(key))
    if (found === undefined) return null
    const nowMs = this.#nowMs()
    const isUsable = isFresh(found, nowMs) && nowMs < found.expiresAtMs && nowMs - found.filledAtMs < maxAgeMs
    return isUsable ? found.kept : null
  }

  /** Notes an answer whose row was read at this time or later. */
  keep({ key, ageMs, leftMs }: Pick<CacheEntry, 'key' | 'ageMs' | 'leftMs'>, kept: KeptAnswer, readAtMs: number): void {
    const name = nameOf(key)
    this.#delete(name)
    this.#recent.set(name, { kept, readAtMs, filledAtMs: readAtMs - ageMs, expiresAtMs: readAtMs + leftMs })
    this.#count(key.walletId, sizeOf(kept))
    while (this.#bytes > bytesMax) this.#delete(this.#oldestOf(this.#largest()))
  }

  drop(key: CacheKey): void {
    this.#delete(nameOf(key))
  }

  /** Deleted answers must leave the memory, even if no client asks for them again. */
  dropOld(): void {
    const nowMs = this.#nowMs()
    for (const [name, recent] of this.#recent) if (!isFresh(recent, nowMs)) this.#delete(name)
  }

  /** Memory of all answers. */
  get byteCount(): number {
    return this.#bytes
  }

  #delete(name: string): void {
    const found = this.#recent.get(name)
    if (found === undefined) return
    this.#recent.delete(name)
    this.#count(walletIdIn(name), -sizeOf(found.kept))
  }

  #count(walletId: Uuid, bytes: number): void {
    this.#bytes += bytes
    const left = (this.#bytesOf.get(walletId) ?? 0) + bytes
    if (left > 0) this.#bytesOf.set(walletId, left)
    else this.#bytesOf.delete(walletId)
  }

  #largest(): Uuid {
    let largest: { walletId: Uuid; bytes: number } | null = null
    for (const [walletId, bytes] of this.#bytesOf) {
      if (largest === null || bytes > largest.bytes) largest = { walletId, bytes }
    }
    assert(largest !== null, 'a full memory has answers of a wallet')
    return largest.walletId
  }

  #oldestOf(walletId: Uuid): string {
    for (const name of this.#recent.keys()) if (walletIdIn(name) === walletId) return name
    throw new Error('a wallet with bytes has an answer')
  }
}

// A clock that went back makes ages negative. Such an entry is read again.
function isFresh({ readAtMs }: Recent, nowMs: number): boolean {
  return nowMs >= readAtMs && nowMs - readAtMs < recentMs
}

function sizeOf({ byteCount }: KeptAnswer): number {
  return byteCount + overheadBytes
}

function nameOf({ walletId, digest }: CacheKey): string {
  return walletKey(walletId, digest.toString('latin1'))
}
