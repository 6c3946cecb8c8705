/** The demo company: its people, chance, names, and the world that modules fill with rows of theirs. */
export { loadDemoWorld } from './load'
export { COUNTRIES, inventCompany, inventMobile, inventPerson, mailOf, type CompanyName, type CountryFacts } from './names'
export { CAP_STAFF } from './organisation'
export { type Chance } from './random'
export type { DemoMember, DemoPart, DemoRecord, DemoStaff, DemoStep, DemoWorld, Organisation } from './types'
