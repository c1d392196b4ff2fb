/**
 * The margin on list prices, as a share: zero. Requests are charged by the list alone (charge.ts), and the fee of a
 * top-up is paid besides its credit (domain/payments/quote-top-up.ts). Reports state it, so that it is defined in one
 * place.
 */
export const marginRate = 0
