/** Formats rows in aligned columns under a heading. */
export function formatTable(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ['none']
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
