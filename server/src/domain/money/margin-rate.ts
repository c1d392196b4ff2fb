/**
 * What is added to list prices, as a share of them: nothing. Calls are charged by the list alone (charge.ts), and the
 * fee of a top-up is paid beside its credit (domain/payments/quote-top-up.ts). Reports state it, so that it is said in
 * one place.
 */
export const marginRate = 0
