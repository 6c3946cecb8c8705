/** Where the details of a customer stand, for the to-dos that are about it. */
export const customerPage = (customerId: string): string =>
  `/crm/client-partner/my-client/details?id=${encodeURIComponent(customerId)}`
