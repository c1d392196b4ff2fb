/** The contract clauses by area, from the table that `npm run contract` reads. */
export function contractPage(table: string): string {
  const rows = table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
  const areas = Map.groupBy(rows, ([, area = '']) => area)
  const sections = [...areas].map(([area, clauses]) => {
    const lines = clauses.map(([id = '', , clause = '']) => `| ${id} | ${clause.replaceAll('|', '\\|')} |`)
    return `## ${area.slice(0, 1).toUpperCase()}${area.slice(1)}\n| Clause | What holds |\n|---|---|\n${lines.join('\n')}\n`
  })
  return `# The contract

What the API promises, clause by clause. A test names the clause that it proves, and \`npm run contract\` lists clauses without a test.

${sections.join('\n')}`
}
