/** What everybody who enters an ordinary customer says of it: a company in China that came by the website. */
const ORDINARY = {
  partyType: 'customer',
  tradeType: 'direct',
  platform: 'main',
  customerType: 'enterprise',
  countryCode: 'CN',
  source: 'website',
  level: 'd',
}

/** An ordinary customer as the form sends it. */
export const typedCustomer = (name: string, more: object = {}): Record<string, unknown> & { name: string } => ({
  name,
  ...ORDINARY,
  ...more,
})

/** What a customer of the own needs to be stored past the form: an ordinary one, without anything done yet. */
export const privateCustomer = (
  values: Readonly<{ id: string; code: string; name: string; ownerId: string; ownedAt: string } & Record<string, unknown>>,
): Record<string, unknown> => ({
  nameKey: values.name,
  ...ORDINARY,
  stage: 'potential',
  holding: 'private',
  ...values,
})
