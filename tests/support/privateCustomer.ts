/** What a customer of the own needs to be stored past the form: of the lowest level, in China, without anything done yet. */
export const privateCustomer = (
  values: Readonly<{ id: string; code: string; name: string; ownerId: string; ownedAt: string } & Record<string, unknown>>,
): Record<string, unknown> => ({
  nameKey: values.name,
  partyType: 'customer',
  tradeType: 'direct',
  platform: 'main',
  customerType: 'enterprise',
  countryCode: 'CN',
  source: 'website',
  stage: 'potential',
  holding: 'private',
  level: 'd',
  ...values,
})
