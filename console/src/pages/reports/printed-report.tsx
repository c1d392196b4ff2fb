import type { ReactNode } from 'react'
import type { Column } from '../../ui/column.ts'
import type { ReportLine } from './report-lines.ts'

/** All lines of a report for paper. The table on the screen has only the rows in view. */
export function PrintedReport({
  columns,
  lines,
  footer,
}: {
  readonly columns: readonly Column<ReportLine>[]
  readonly lines: readonly ReportLine[]
  readonly footer: Readonly<Record<string, ReactNode>>
}) {
  return (
    <table className="w-full border-collapse text-xs">
      <thead>
        <tr className="border-line-strong border-b">
          {columns.map(({ id, header, align }) => (
            <th key={id} scope="col" className={cellClass(align)}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id} className="break-inside-avoid border-line border-b">
            {columns.map(({ id, cell, align }) => (
              <td key={id} className={cellClass(align)}>
                {cell(line)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="font-medium">
          {columns.map(({ id, align }) => (
            <td key={id} className={cellClass(align)}>
              {footer[id]}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}

function cellClass(align: 'left' | 'right' | undefined): string {
  return align === 'right' ? 'figures px-2 py-1 text-right' : 'px-2 py-1 text-left'
}
