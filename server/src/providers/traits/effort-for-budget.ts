/** The effort that is nearest to a thinking budget in tokens. */
export function effortForBudget(budgetTokens: number): 'low' | 'medium' | 'high' {
  if (budgetTokens < 4_096) return 'low'
  return budgetTokens < 16_384 ? 'medium' : 'high'
}
