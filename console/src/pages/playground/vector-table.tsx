import { plural } from '../../lib/plural.ts'

/** The cosine similarity of each pair of vectors. */
export function VectorTable({ vectors }: { readonly vectors: readonly (readonly number[])[] }) {
  return (
    <div className="overflow-x-auto">
      <p className="figures mb-2 text-muted text-xs">
        {plural(vectors.length, 'vector')}, {plural(vectors[0]?.length ?? 0, 'dimension')} each. Cosine similarity of
        each pair (1 = identical direction)
      </p>
      <table className="figures text-sm">
        <thead>
          <tr className="text-muted text-xs">
            <td />
            {vectors.map((_, index) => (
              <th key={index} scope="col" className="px-3 py-1 text-right font-medium">
                Text {index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {vectors.map((row, index) => (
            <tr key={index} className="border-line border-t">
              <th scope="row" className="py-1 pr-3 text-left font-medium text-muted text-xs">
                Text {index + 1}
              </th>
              {vectors.map((other, at) => (
                <td key={at} className="px-3 py-1 text-right">
                  {cosineOf(row, other).toFixed(3)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cosineOf(left: readonly number[], right: readonly number[]): number {
  const size = Math.sqrt(dot(left, left) * dot(right, right))
  return size === 0 ? 0 : dot(left, right) / size
}

function dot(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0)
}
