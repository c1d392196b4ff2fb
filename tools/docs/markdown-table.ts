export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return [lineOf(heading), lineOf(heading.map(() => '---')), ...rows.map(lineOf)].join('\n')
}

/** A bar inside a cell is escaped because it would end the cell. */
function lineOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
