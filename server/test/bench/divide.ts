export function divide(one: number | null | undefined, other: number | null | undefined): number | null {
  return typeof one !== 'number' || typeof other !== 'number' || other === 0 ? null : Number((one / other).toFixed(3))
}
