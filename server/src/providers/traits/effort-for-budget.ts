/** The word for an effort that comes nearest to a budget of tokens to think with. */
export function effortForBudget(budgetTokens: number): 'low' | 'medium' | 'high' {
  if (budgetTokens < 4_096) return 'low'
  return budgetTokens < 16_384 ? 'medium' : 'high'
}
