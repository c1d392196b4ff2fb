import type { Random } from '#test/drills/setup/random.ts'

/** A file's bytes. Unsynced bytes may be lost in a power failure, but not with a process. */
interface Inode {
  readonly number: number
  text: string
  syncedLength: number
}

/** An open file, which stays valid when the file is renamed or deleted. */
interface OpenFile {
  readonly size: number
  readonly inode: number
  append(text: string): Promise<void>
  sync(): Promise<void>
}

/** A process with files on the disk. */
interface DiskOwner {
  readonly startTicks: number
  after(ms: number, run: () => void): void
}

export interface DiskFaults {
  /** The probability that a write finds the disk full, with part of it written. */
  readonly fullChance: number
  /** The probability that a sync fails. */
  readonly syncChance: number
}

/**
 * The disk of a machine, with its processes. Writes, syncs and renames take virtual time, so a process may die between
 * any two of them. The names in a folder are data too: unsynced ones may be lost.
 */
export class Disk {
  readonly processes = new Map<number, DiskOwner>()
  readonly #random: Random
  #names = new Map<string, Inode>()
  #syncedNames = new Map<string, Inode>()
  readonly #underWay = new Map<object, { owner: DiskOwner; effect: () => void }>()
  #inodeCount = 0
  faults: DiskFaults = { fullChance: 0, syncChance: 0 }

  constructor(random: Random) {
    this.#random = random
  }

  /** The files with this prefix, each with its text. */
  filesBelow(folder: string): { name: string; text: string }[] {
    const prefix = `${folder}/`
    return [...this.#names]
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, { text }]) => ({ name: path.slice(prefix.length), text }))
  }

  /** Opens a file for appending, and creates it if missing. Its name is not durable before the folder is synced. */
  open(owner: DiskOwner, path: string): OpenFile {
    const inode = this.#names.get(path) ?? { number: (this.#inodeCount += 1), text: '', syncedLength: 0 }
    this.#names.set(path, inode)
    return {
      inode: inode.number,
      get size() {
        return inode.text.length
      },
      append: (text) => {
        const isFull = this.#random.chance(this.faults.fullChance)
        return this.#act(owner, () => {
          inode.text += isFull ? text.slice(0, this.#random.integer(0, text.length - 1)) : text
          if (isFull) throw fileError('ENOSPC', 'no space left on device')
        })
      },
      sync: () => {
        const fails = this.#random.chance(this.faults.syncChance)
        return this.#act(owner, () => {
          if (fails) throw fileError('EIO', 'i/o error')
          inode.syncedLength = inode.text.length
        })
      },
    }
  }

  syncFolder(owner: DiskOwner): Promise<void> {
    return this.#act(owner, () => {
      this.#syncedNames = new Map(this.#names)
    })
  }

  /** The file that has this name now. Rejects if there is none. */
  async inodeAt(path: string): Promise<number> {
    return this.#inode(path).number
  }

  rename(owner: DiskOwner, from: string, to: string): Promise<void> {
    return this.#act(owner, () => {
      const inode = this.#inode(from)
      this.#names.delete(from)
      this.#names.set(to, inode)
    })
  }

  read(owner: DiskOwner, path: string): Promise<string> {
    return this.#act(owner, () => this.#inode(path).text)
  }

  unlink(owner: DiskOwner, path: string): Promise<void> {
    return this.#act(owner, () => {
      this.#inode(path)
      this.#names.delete(path)
    })
  }

  /** The process is dead. Its pending kernel requests may still complete, or not. */
  abandon(owner: DiskOwner): void {
    for (const [key, act] of this.#underWay) {
      if (act.owner !== owner) continue
      this.#underWay.delete(key)
      if (!this.#random.chance(0.5)) continue
      try {
        act.effect()
      } catch {
        // No process is left to be notified.
      }
    }
  }

  /** A power failure: unsynced names and bytes are lost, unless the kernel happened to have written them. */
  losePower(): void {
    if (this.#random.chance(0.5)) this.#names = new Map(this.#syncedNames)
    for (const inode of this.#names.values()) {
      const kept = this.#random.integer(inode.syncedLength, inode.text.length)
      inode.text = inode.text.slice(0, kept)
      inode.syncedLength = kept
    }
    this.#syncedNames = new Map(this.#names)
  }

  #inode(path: string): Inode {
    const inode = this.#names.get(path)
    if (inode === undefined) throw fileError('ENOENT', `no such file: ${path}`)
    return inode
  }

  #act<T>(owner: DiskOwner, effect: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const key = {}
      this.#underWay.set(key, { owner, effect })
      // One in ten waits for a busy disk.
      const ms = this.#random.integer(0, this.#random.chance(0.1) ? 500 : 4)
      owner.after(ms, () => {
        this.#underWay.delete(key)
        try {
          resolve(effect())
        } catch (error) {
          reject(error)
        }
      })
    })
  }
}

export function fileError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
