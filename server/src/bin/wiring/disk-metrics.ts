import { measureDisk } from '../standing/measure-disk.ts'
import type { createRegistry } from './metrics.ts'

/** The disk of the data folder, read on scrape. */
export function watchDisk({ watchEach }: Pick<ReturnType<typeof createRegistry>, 'watchEach'>, dataDir: string): void {
  const read = async (figure: 'freeBytes' | 'totalBytes') => [
    { labels: {}, value: (await measureDisk(dataDir))[figure] },
  ]
  watchEach('weir_disk_free_bytes', 'Free space on the disk of dataDir, for the user of this process.', [], () =>
    read('freeBytes'),
  )
  watchEach('weir_disk_size_bytes', 'Size of the disk of dataDir.', [], () => read('totalBytes'))
}
