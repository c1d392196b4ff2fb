interface ReloaderDeps {
  /** Resolves once the edits that belong together have arrived: saving all files of an editor is one edit. */
  gather(): Promise<void>
  /** Restarts with these edits, and prints the result itself. */
  reload(paths: readonly string[]): Promise<void>
}

/**
 * Reloads after edits, one reload at a time:
 *
 *   waiting → reloading     an edit came
 *   reloading → reloading   another came meanwhile
 *   reloading → waiting     the processes run, or one failed and needs the next edit
 */
export function createReloader({ gather, reload }: ReloaderDeps): { edited(path: string): void } {
  const edits = new Set<string>()
  let isReloading = false

  async function reloadAll(): Promise<void> {
    isReloading = true
    while (edits.size > 0) {
      await gather()
      const paths = [...edits]
      edits.clear()
      await reload(paths)
    }
    isReloading = false
  }

  return {
    edited: (path) => {
      edits.add(path)
      if (!isReloading) void reloadAll()
    },
  }
}
