/** The row that a key moves to, or undefined if the key does not move. */
export function stepRow(key: string, index: number, count: number): number | undefined {
  const target = targetOf(key, index, count)
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target))
}

function targetOf(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown' || key === 'j') return index + 1
  if (key === 'ArrowUp' || key === 'k') return index - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
