import type { ChangeRow } from './change-rows.ts'

/** Values before and after a change. A column without values is left out. */
export function ChangeTable({ title, rows }: { readonly title: string; readonly rows: readonly ChangeRow[] }) {
  const hasBefore = rows.some(({ before }) => before !== undefined)
  const hasAfter = rows.some(({ after }) => after !== undefined)
  return (
    <section aria-label={title}>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <table className="w-full table-fixed border-collapse rounded-lg border border-line">
        <thead>
          <tr className="border-line border-b text-left text-muted text-xs">
            <th scope="col" className="w-1/3 px-3 py-2 font-medium">
              Field
            </th>
            {hasBefore ? (
              <th scope="col" className="px-3 py-2 font-medium">
                Before
              </th>
            ) : null}
            {hasAfter ? (
              <th scope="col" className="px-3 py-2 font-medium">
                After
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ field, before, after }) => (
            <tr key={field} className="border-line border-b align-top last:border-b-0">
              <th scope="row" className="break-words px-3 py-2 text-left font-normal text-muted">
                {field}
              </th>
              {hasBefore ? <td className="break-words px-3 py-2">{before}</td> : null}
              {hasAfter ? <td className="break-words px-3 py-2 font-medium">{after}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
