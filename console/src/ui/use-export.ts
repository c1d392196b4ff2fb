import { useState } from 'react'
import { shownView } from '../api/shown-view.ts'
import { downloadText, toCsv } from '../lib/csv.ts'
import { plural } from '../lib/plural.ts'
import type { Column } from './column.ts'
import { exportMax } from './paged-rows.ts'
import { toast, toastError } from './toast.tsx'

interface Exported<Row> {
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[] | undefined
  readonly hasMore?: boolean
  readonly readAll?: () => Promise<readonly Row[]>
  readonly sort: (rows: readonly Row[]) => readonly Row[]
}

const count = new Intl.NumberFormat('en')

/** Writes the shown columns as CSV. It first reads the rows that are not loaded yet, up to a limit that it names. */
export function useExport<Row>({ name, columns, rows = [], hasMore = false, readAll, sort }: Exported<Row>) {
  const [isBusy, setBusy] = useState(false)
  const write = (all: readonly Row[]) => {
    const exported = columns.filter(({ csv }) => csv !== undefined)
    const lines = all.map((row) => exported.map(({ csv }) => csv?.(row) ?? ''))
    downloadText(`${name}.csv`, toCsv([exported.map(({ header }) => header), ...lines]))
  }
  const start = async () => {
    if (!hasMore || readAll === undefined) return write(rows)
    setBusy(true)
    try {
      const all = await readAll()
      write(sort(all))
      if (all.length >= exportMax) toast(`The file has the first ${count.format(exportMax)} rows. Filter for the rest.`)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    label: labelOf(rows.length, hasMore, readAll !== undefined),
    isBusy,
    // An operator who views a customer's console takes no files away.
    start: rows.length === 0 || shownView() !== null ? undefined : () => void start(),
  }
}

function labelOf(loaded: number, hasMore: boolean, readsAll: boolean): string {
  if (loaded === 0) return 'Export as CSV'
  if (!hasMore) return `Export ${plural(loaded, 'row')} as CSV`
  return readsAll ? `Export all rows as CSV (${count.format(exportMax)} at most)` : 'Export loaded rows as CSV'
}
