/** The sum of a Prometheus metric over its labels, or null if the text does not contain it. */
export function sumOfSeries(text: string, name: string): number | null {
  const values = text.split('\n').flatMap((line) => {
    const [series = '', value = ''] = line.split(' ')
    return series === name || series.startsWith(`${name}{`) ? [Number(value)] : []
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}
