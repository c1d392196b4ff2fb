/** A figure in Prometheus' text format, added up over its labels; null where the text does not have it. */
export function sumOfSeries(text: string, name: string): number | null {
  const values = text.split('\n').flatMap((line) => {
    const [series = '', value = ''] = line.split(' ')
    return series === name || series.startsWith(`${name}{`) ? [Number(value)] : []
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}
